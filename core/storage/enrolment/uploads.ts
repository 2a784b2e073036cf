import { listStatus } from '../engine/checkedRows.ts';
import type { Selectable } from 'kysely';
import { BLACKLIST_STATUS, ITEM_STATUS } from '../../contracts/codes.ts';
import {
  trusted,
  type BlacklistId,
  type CompanyId,
  type RunId,
  type UploadId,
  type UploadItemId,
} from '../../contracts/ids.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { foundFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { AuditContext, KeyedRequest } from '../../domain/ports/auditContext.ts';
import type { Fix, NewRun, NewUpload, UploadTarget } from '../../domain/ports/uploads.ts';
import { imageRow, type EncryptedImageFiles } from '../images/imageFiles.ts';
import { writing, type Transaction } from '../engine/database.ts';
import { listedTexts } from '../engine/dialect.ts';
import { sealListing } from './itemAnswers.ts';
import type { RequestDigests } from '../home/installationKeys.ts';
import type { Schema } from '../engine/schema.ts';
import { CLOCK_SLACK, isoTime } from '../../domain/values/time.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { countOf, AuditedRowsWith, addRows, rowsWith, changeRows } from '../engine/rows.ts';

/** How long an Idempotency-Key is remembered, milliseconds. */
const IDEMPOTENCY_WINDOW = 24 * 60 * 60 * 1000;

export type Upload = NonNullable<Awaited<ReturnType<Uploads['find']>>>;
export type UploadItem = Upload['items'][number];

export class Uploads extends AuditedRowsWith<{ images: EncryptedImageFiles; digests: RequestDigests }> {
  /**
   * Writes the upload with all its images in one transaction: before it nothing exists, after it everything.
   * @returns the places of the photos whose failed photo was corrected already: then nothing is written
   * @throws {CodedError} its blacklist accepts no photo, or an upload of the last 24 hours has its Idempotency-Key
   */
  async accept(company: CompanyId, upload: NewUpload): Promise<readonly number[]> {
    const createdAt = upload.accepted.at.getTime();
    const request =
      upload.idempotency && (await this.parts.digests.digestRequest(requestOf(upload.idempotency)));
    const alreadyFixed = await writing(this.db, company, async (trx) => {
      const { target } = upload;
      if (target.kind === 'blacklist') await checkBlacklist(trx, company, target.blacklistId);
      const fixed = await fixedPlaces(trx, company, upload);
      if (fixed.length > 0) return fixed;
      if (request !== undefined) {
        await deleteExpiredKey(trx, company, request.key, createdAt);
        // Another service received an upload with this key at the same time.
        if (await isKeyUsed(trx, company, request.key)) throw new CodedError('IDEMPOTENCY_KEY_RUNNING');
      }
      const run = await joinRun(trx, company, upload);
      await addRows(trx, 'upload', {
        id: upload.id,
        company_id: company,
        kind: upload.target.kind,
        trust_flow_id: upload.target.kind === 'duplicate' ? upload.target.trustFlowId : null,
        blacklist_id: upload.target.kind === 'blacklist' ? upload.target.blacklistId : null,
        image_count: upload.images.length,
        created_at: createdAt,
        idempotency_key: request?.key ?? null,
        fingerprint: request?.content ?? null,
        listing: sealListing(trx, { company_id: company, id: upload.id }, upload.listing ?? null),
        run_id: run,
        fix_face: upload.fix?.face ?? null,
        fix_faces: upload.fix?.faces ?? null,
        fixed_by: upload.fix === undefined ? null : upload.accepted.by,
      });
      await insertImages(trx, company, upload);
      this.audit.append(trx, upload.accepted, {
        company,
        action: 'upload.accepted',
        object: `upload:${upload.id}`,
        details: {
          kind: target.kind,
          images: upload.images.length,
          ...countNamed(upload),
          ...(upload.from && { from: upload.from }),
          ...(upload.fix && auditedFix(upload.fix)),
        },
      });
      return fixed;
    });
    if (alreadyFixed.length === 0) this.parts.images.settled(upload.images.map(({ image }) => image.id));
    return alreadyFixed;
  }

  async find(company: CompanyId, kind: UploadTarget['kind'], id: UploadId) {
    const row = await rowsWith(this.db, 'upload', { company_id: company, id, kind })
      .selectAll()
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const items = await this.db
      .selectFrom('upload_item')
      .selectAll()
      // In the same statement: the upload ends with its last photo, and no reader sees one without the other.
      .select((eb) =>
        eb
          .selectFrom('upload')
          .select('upload.completed_at')
          .where('upload.company_id', '=', company)
          .where('upload.id', '=', id)
          .as('completed_at'),
      )
      .where((eb) => eb.and({ company_id: company, upload_id: id }))
      .orderBy('position')
      .execute();
    return {
      id: row.id,
      target: toTarget(row),
      createdAt: isoTime(row.created_at),
      /** When the last image was answered; null while any waits. */
      completedAt: isoTime(items[0]?.completed_at ?? null),
      items: items.map(toItem),
    };
  }

  /** How many photos these uploads have together; uploads of other companies count 0. */
  async countItems(company: CompanyId, ids: readonly UploadId[]): Promise<number> {
    return countOf(
      rowsWith(this.db, 'upload_item', { company_id: company }).where('upload_id', 'in', listedTexts(ids)),
    );
  }

  /**
   * The upload that was accepted last under this Idempotency-Key.
   * @param now only an upload of the 24 hours before; absent: however old it is
   */
  async findByIdempotencyKey(
    company: CompanyId,
    key: string,
    now?: Date,
  ): Promise<
    | {
        id: UploadId;
        target: UploadTarget;
        numberOfImages: number;
        /** Whether it has this fingerprint. */
        isSame: (fingerprint: string) => Promise<boolean>;
      }
    | undefined
  > {
    const row = await this.db
      .selectFrom('upload')
      .selectAll()
      .where('company_id', '=', company)
      .where('idempotency_key', '=', await this.parts.digests.digest(key))
      .$if(now !== undefined, (query) =>
        query.where('created_at', '>', (now?.getTime() ?? 0) - IDEMPOTENCY_WINDOW),
      )
      .executeTakeFirst();
    if (row?.fingerprint == null) return undefined;
    const { id, fingerprint, image_count: numberOfImages } = row;
    const isSame = async (other: string) => (await this.parts.digests.digest(other)) === fingerprint;
    return { id, target: toTarget(row), numberOfImages, isSame };
  }
}

/** Rows of one statement: SQLite takes 32,766 values. */
const INSERT_BATCH_SIZE = 500;

/** The images of an upload, and the items that wait for them. */
async function insertImages(trx: Transaction, company: CompanyId, upload: NewUpload): Promise<void> {
  const createdAt = upload.accepted.at.getTime();
  for (let first = 0; first < upload.images.length; first += INSERT_BATCH_SIZE) {
    const some = upload.images.slice(first, first + INSERT_BATCH_SIZE);
    // Nobody said which of the faces of a sheet its name belongs to.
    const corrected = isSplit(upload) ? [] : upload.fix?.items.slice(first, first + INSERT_BATCH_SIZE);
    const inherited = await personsOfFixed(trx, company, corrected ?? []);
    await addRows(
      trx,
      'image',
      some.map(({ image }) => imageRow(trx, company, image, createdAt)),
    );
    await addRows(
      trx,
      'upload_item',
      some.map(({ fileName, image, person = null }, index) => ({
        ...(person === null
          ? (inherited[index] ?? UNNAMED)
          : {
              person_name: person.name,
              person_external_id: person.externalId,
              named_by: upload.accepted.by,
            }),
        company_id: company,
        upload_id: upload.id,
        position: first + index,
        file_name: fileName,
        ...keyOf('upload_item', { file_name: fileName }),
        image_id: image.id,
        status: ITEM_STATUS.Pending,
        attempts: 0,
        fixes: upload.fix?.items[first + index] ?? null,
      })),
    );
  }
}

const UNNAMED = { person_name: null, person_external_id: null, named_by: null };

/** The persons that failed photos were sent with, in the order of these: a photo that is sent once more shows the same person. */
async function personsOfFixed(
  trx: Transaction,
  company: CompanyId,
  fixed: readonly (UploadItemId | null)[],
): Promise<(Pick<Selectable<Schema['upload_item']>, keyof typeof UNNAMED> | undefined)[]> {
  const ids = fixed.filter((id) => id !== null);
  if (ids.length === 0) return [];
  const rows = await rowsWith(trx, 'upload_item', { company_id: company })
    .select(['id', 'person_name', 'person_external_id', 'named_by'])
    .where('id', 'in', ids)
    .execute();
  const persons = new Map(rows.map(({ id, ...person }) => [id, person]));
  return fixed.map((id) => (id === null ? undefined : persons.get(id)));
}

/**
 * The run that an upload belongs to, created by its first upload. A declared run of another target is not joined: what a
 * run counts is in one list.
 */
async function joinRun(trx: Transaction, company: CompanyId, upload: NewUpload): Promise<RunId> {
  const { id, target, run } = upload;
  const blacklist = target.kind === 'blacklist' ? target.blacklistId : null;
  if (run?.id !== undefined) {
    const known = await rowsWith(trx, 'enrolment_run', { company_id: company, id: run.id })
      .select(['kind', 'blacklist_id', 'source'])
      .executeTakeFirst();
    // Demo photos are erased together: no other photo joins their run, and they join no other run.
    const isAlike = known !== undefined && (known.source === 'demo') === (run.source === 'demo');
    if (isAlike && known.kind === target.kind && known.blacklist_id === blacklist) return run.id;
    if (known === undefined)
      return insertRun(trx, company, { ...run, id: run.id, target, ...upload.accepted });
  }
  const own = { source: 'program', severalFaces: 'refuse', ...run, id: trusted.run(id) } as const;
  return insertRun(trx, company, { ...own, target, ...upload.accepted });
}

/** Creates a run. @returns its id */
export async function insertRun(
  trx: Transaction,
  company: CompanyId,
  run: NewRun & {
    id: RunId;
    target: Pick<UploadTarget, 'kind'> & { blacklistId?: BlacklistId };
  } & AuditContext,
): Promise<RunId> {
  await addRows(trx, 'enrolment_run', {
    company_id: company,
    id: run.id,
    name: run.name ?? null,
    source: run.source,
    kind: run.target.kind,
    blacklist_id: run.target.blacklistId ?? null,
    photos: run.photos ?? null,
    several_faces: run.severalFaces,
    started_by: run.by,
    started_at: run.at.getTime(),
  });
  return run.id;
}

/** Whether it has one photo of each face of a failed one. A retry of several failed photos names no number of faces. */
function isSplit({ images, fix }: NewUpload): boolean {
  return images.length > 1 && (fix?.faces ?? 0) > 0;
}

/**
 * The places of the failed items of which a later photo is enrolled, or is being processed. A sheet is split only before any
 * later photo, also a failed one: its other faces may be enrolled.
 */
async function fixedPlaces(trx: Transaction, company: CompanyId, upload: NewUpload): Promise<number[]> {
  const items = upload.fix?.items ?? [];
  const wanted = items.filter((item) => item !== null);
  if (wanted.length === 0) return [];
  const rows = await rowsWith(trx, 'upload_item', { company_id: company })
    .select('fixes')
    .where('fixes', 'in', wanted)
    .$if(!isSplit(upload), (query) =>
      query.where('status', 'in', [ITEM_STATUS.Pending, ITEM_STATUS.Enrolled]),
    )
    .execute();
  const fixed = new Set(rows.map(({ fixes }) => fixes));
  return items.flatMap((item, place) => (item !== null && fixed.has(item) ? [place] : []));
}

/**
 * The failed photos in the audit log: the number of a corrected photo, and the numbers of those that were sent again.
 */
function auditedFix({ items, face, faces }: Fix): object {
  return { fixes: items.filter((item) => item !== null), face, faces };
}

/** How many photos the sender names a person for, in the audit log; absent for none. */
function countNamed({ images }: NewUpload): { named?: number } {
  const named = images.filter(({ person }) => person != null).length;
  return named === 0 ? {} : { named };
}

/**
 * A list may be deleted or deactivated while the photos for it arrive: what counts is the moment of writing.
 * @throws {CodedError} it accepts no photo
 */
async function checkBlacklist(trx: Transaction, company: CompanyId, id: BlacklistId): Promise<void> {
  const status = await listStatus(trx, company, id);
  if (status === undefined) throw new CodedError('NOT_FOUND');
  if (status !== BLACKLIST_STATUS.Active) throw new CodedError('BLACKLIST_INACTIVE');
}

function requestOf({ key, fingerprint }: NonNullable<NewUpload['idempotency']>): KeyedRequest {
  return { key, content: fingerprint };
}

async function isKeyUsed(trx: Transaction, company: CompanyId, key: string): Promise<boolean> {
  const row = await rowsWith(trx, 'upload', { company_id: company, idempotency_key: key })
    .select('id')
    .executeTakeFirst();
  return row !== undefined;
}

async function deleteExpiredKey(
  trx: Transaction,
  company: CompanyId,
  key: string,
  now: number,
): Promise<void> {
  await changeRows(trx, 'upload', { company_id: company, idempotency_key: key })
    .set({ idempotency_key: null })
    .where((eb) =>
      eb.or([eb('created_at', '<=', now - IDEMPOTENCY_WINDOW), eb('created_at', '>', now + CLOCK_SLACK)]),
    )
    .execute();
}

/** The target of an upload row; exactly one of the two columns is set. */
export function toTarget(
  row: Pick<Selectable<Schema['upload']>, 'id' | 'trust_flow_id' | 'blacklist_id'>,
): UploadTarget {
  if (row.trust_flow_id !== null) return { kind: 'duplicate', trustFlowId: row.trust_flow_id };
  if (row.blacklist_id !== null) return { kind: 'blacklist', blacklistId: row.blacklist_id };
  throw new Error(`Upload ${row.id} has no target.`);
}

function toItem(row: Selectable<Schema['upload_item']>) {
  return {
    index: row.position,
    fileName: row.file_name,
    status: row.status,
    trustValidationId: row.trust_validation_id,
    faceId: row.face_id,
    failureCode: row.failure_code,
    processedAt: isoTime(row.processed_at),
    /** The photo shows the enrolled person more than once. */
    onePerson:
      row.face_id !== null && row.found !== null && foundFaces.parse(JSON.parse(row.found)).onePerson,
  };
}
