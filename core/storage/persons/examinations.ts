import { randomInt } from 'node:crypto';
import type { Selectable } from 'kysely';
import { examinationContent, type ExaminationContent } from '../../contracts/dashboard/examinations.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import type { ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import {
  trusted,
  type CompanyId,
  type ExaminationId,
  type FaceId,
  type ImageId,
  type PipelineId,
} from '../../contracts/ids.ts';
import type { Actor, AuditContext } from '../../domain/ports/auditContext.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { WrittenImage } from '../../domain/ports/images.ts';
import { isExaminer } from '../../domain/examinations/examination.ts';
import { distanceOf } from '../../domain/scores/scores.ts';
import { isoTime } from '../../domain/values/time.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { listed, listedTexts, newIds } from '../engine/dialect.ts';
import { AuditedRows, rowsWith, addRows, changeRows } from '../engine/rows.ts';
import type { Schema } from '../engine/schema.ts';
import { insertFace } from '../faces/faces.ts';
import { comparable } from '../faces/templates.ts';
import { imageRow, shownDigest } from '../images/imageFiles.ts';
import { isSecondPerson } from './persons.ts';

export interface StoredExamination {
  id: ExaminationId;
  beganAt: number;
  /** In the drawn order. */
  pair: { faces: readonly [FaceId, FaceId] } | { comparison: number; images: readonly [ImageId, ImageId] };
  content: ExaminationContent;
}

/** A picture of a signature, whose file is written. Pixels of the upright picture. */
export interface ExaminedSignature {
  image: WrittenImage;
  /** Of its file. */
  name: string;
  width: number;
  height: number;
}

/** A photo that nobody enrolled, with the face to examine. Its file is written. */
export interface ExaminedPhoto {
  image: WrittenImage;
  facts: ImageFacts;
  face: ExtractedFace;
  /** Of its file. */
  name: string;
}

/** Examinations. One of two faces is deleted with either face, one of two signatures with their comparison. */
export class Examinations extends AuditedRows {
  /**
   * Draws the order of the pictures. A photo becomes a face that no search finds; it belongs to this examination alone.
   * @throws {CodedError} NOT_FOUND: the company has not enrolled such faces, or both are one
   */
  begin(
    company: CompanyId,
    pair: readonly [FaceId | ExaminedPhoto, FaceId | ExaminedPhoto],
    act: AuditContext,
  ): Promise<ExaminationId> {
    return writing(this.db, company, async (trx) => {
      const enrolled = pair.filter((each) => typeof each === 'number');
      const found = await rowsWith(trx, 'face', { company_id: company })
        .select('id')
        .where('id', 'in', listed(enrolled))
        .where((eb) => eb.or([eb('trust_validation_id', 'is not', null), eb('kind', '=', 'blacklist')]))
        .execute();
      if (found.length !== enrolled.length) throw new CodedError('NOT_FOUND');
      const faces = [];
      for (const each of pair)
        faces.push(typeof each === 'number' ? each : await storePhoto(trx, company, each, act));
      const [first, second] = [faces[0]!, faces[1]!];
      const of = { ...NO_SIGNATURES, first_face: first, second_face: second };
      return this.#insert(trx, { company_id: company, ...of }, { kind: 'faces', names: [] }, act, {
        details: { first, second },
      });
    });
  }

  /**
   * The same for the signatures of a comparison, in its order. The pictures belong to this examination alone.
   * @throws {CodedError} NOT_FOUND: the company has no such comparison of signatures
   */
  beginSignatures(
    company: CompanyId,
    { comparison, pair }: { comparison: number; pair: readonly [ExaminedSignature, ExaminedSignature] },
    act: AuditContext,
  ): Promise<ExaminationId> {
    return writing(this.db, company, async (trx) => {
      const found = await trx
        .selectFrom('comparison')
        .select('id')
        .where((eb) => eb.and({ company_id: company, subject: 'signature', id: comparison }))
        .executeTakeFirst();
      if (found === undefined) throw new CodedError('NOT_FOUND');
      for (const { image, width, height } of pair)
        await addRows(trx, 'image', { ...imageRow(trx, company, image, act.at.getTime()), width, height });
      const [first, second] = [pair[0].image.id, pair[1].image.id];
      const of = { comparison_id: comparison, first_image: first, second_image: second };
      const place = { company_id: company, first_face: null, second_face: null, ...of };
      const content = { kind: 'signatures', names: pair.map(({ name }) => name) } as const;
      return this.#insert(trx, place, content, act, { details: { comparison } });
    });
  }

  async #insert(
    trx: Transaction,
    of: Omit<Place, 'id'>,
    { kind, names }: Pick<ExaminationContent, 'kind' | 'names'>,
    act: AuditContext,
    entry: Pick<NewAuditEntry, 'details'>,
  ): Promise<ExaminationId> {
    const id = trusted.examination((await newIds(trx, 'examination', 1))[0]!);
    const swapped = randomInt(2) === 1;
    const place = { id, ...of };
    const content = sealed(trx, place, { kind, names, swapped, works: [], replaced: [], settlement: null });
    await addRows(trx, 'examination', { ...place, began_at: act.at.getTime(), content });
    this.audit.append(trx, act, {
      company: of.company_id,
      action: 'examination.begun',
      object: `examination:${id}`,
      ...entry,
    });
    return id;
  }

  /** The stored pictures of two signatures, in this order; fewer where one is gone. */
  async signatures(company: CompanyId, images: readonly ImageId[]) {
    const rows = await rowsWith(this.db, 'image', { company_id: company })
      .select(['company_id', 'id', 'sha256', 'width', 'height', 'created_at'])
      .where('id', 'in', listedTexts(images))
      .execute();
    return images.flatMap((image) => {
      const row = rows.find(({ id }) => id === image);
      if (row === undefined) return [];
      const { width, height, created_at } = row;
      const size = { width: width ?? 1, height: height ?? 1 };
      return { imageId: image, ...size, sha256: shownDigest(this.db, row), storedAt: isoTime(created_at) };
    });
  }

  async find(company: CompanyId, id: ExaminationId): Promise<StoredExamination | undefined> {
    const row = await rowOf(this.db, company, id);
    return row && toExamination(row, cellsOf(this.db).open('examination', 'content', row));
  }

  /** Newest first. One that was changed without the key is left out and logged; the diagnosis names it. */
  async list(company: CompanyId, limit: number): Promise<StoredExamination[]> {
    const rows = await rowsWith(this.db, 'examination', { company_id: company })
      .selectAll()
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.flatMap((row) => {
      const content = cellsOf(this.db).shown('examination', 'content', row);
      return content === undefined ? [] : toExamination(row, content);
    });
  }

  /**
   * Changes the content in one transaction with its audit entry, which holds no conclusion of an examiner: the other one
   * could read it there.
   * @param work makes the new content of the one that is stored
   * @throws {CodedError} NOT_FOUND; SECOND_OPERATOR_NEEDED: an examiner comes or goes by the act of the other one, or of the same
   *   person; or a third operator who settles is one of the examiners under another account
   */
  change(
    company: CompanyId,
    id: ExaminationId,
    act: AuditContext,
    {
      work,
      ...entry
    }: Pick<NewAuditEntry, 'action' | 'details'> & {
      work: (content: ExaminationContent) => ExaminationContent;
    },
  ): Promise<void> {
    return writing(this.db, company, async (trx) => {
      const row = await rowOf(trx, company, id);
      if (row === undefined) throw new CodedError('NOT_FOUND');
      const { content: before } = toExamination(row, cellsOf(trx).open('examination', 'content', row));
      const content = work(before);
      // Neither an examiner nor who replaces one or settles for both may be another examiner, under no account.
      const stay = before.works.filter(({ by }) => content.works.some((each) => each.by === by));
      if (content.works.length !== before.works.length || !isExaminer(content, act.by))
        for (const { by } of stay)
          if (!(await isSecondPerson(trx, company, by as Actor, act)))
            throw new CodedError('SECOND_OPERATOR_NEEDED');
      await changeRows(trx, 'examination', { company_id: company, id })
        .set({ content: sealed(trx, row, content, row.content) })
        .execute();
      this.audit.append(trx, act, { company, object: `examination:${id}`, ...entry });
    });
  }

  /** Euclidean, between the templates of two faces; null: the pipeline has none of one of them. */
  async distance(
    company: CompanyId,
    faces: readonly [FaceId, FaceId],
    pipeline: PipelineId,
  ): Promise<number | null> {
    const rows = await rowsWith(this.db, 'template', { company_id: company, pipeline_id: pipeline })
      .selectAll()
      .where('face_id', 'in', listed(faces))
      .execute();
    const [one, other] = await Promise.all(rows.map((row) => comparable(this.db, row)));
    return one == null || other == null ? null : distanceOf(one.vector, other.vector);
  }
}

async function storePhoto(
  trx: Transaction,
  company: CompanyId,
  { image, facts: { width, height }, face, name }: ExaminedPhoto,
  act: AuditContext,
): Promise<FaceId> {
  await addRows(trx, 'image', { ...imageRow(trx, company, image, act.at.getTime()), width, height });
  return insertFace(trx, company, {
    watchlist: { kind: 'duplicate' },
    trustValidationId: null,
    name,
    imageId: image.id,
    face,
    enrolledAt: act.at,
    matchable: false,
    superseded: true,
    listing: null,
  });
}

/** The photos that were stored for examinations alone, of all examinations. */
export function examinedPhotos(db: Database, company: CompanyId) {
  return rowsWith(db, 'face', { company_id: company, kind: 'duplicate', trust_validation_id: null }).where(
    (eb) =>
      eb.or(
        (['first_face', 'second_face'] as const).map((column) =>
          eb(
            'id',
            'in',
            eb.selectFrom('examination').select(column).where('examination.company_id', '=', company),
          ),
        ),
      ),
  );
}

/** Of these, the photos that were examined with one of these faces: they go with it. */
export function photosExaminedWith(db: Database, company: CompanyId, faces: readonly FaceId[]) {
  const partners = [
    ['first_face', 'second_face'],
    ['second_face', 'first_face'],
  ] as const;
  return rowsWith(db, 'face', { company_id: company, kind: 'duplicate', trust_validation_id: null })
    .select(['id', 'image_id'])
    .where((eb) =>
      eb.or(
        partners.map(([photo, partner]) =>
          eb(
            'id',
            'in',
            eb
              .selectFrom('examination')
              .select(photo)
              .where('examination.company_id', '=', company)
              .where(partner, 'in', listed(faces)),
          ),
        ),
      ),
    )
    .execute();
}

type Row = Selectable<Schema['examination']>;
type Place = Omit<Row, 'began_at' | 'content'>;
const NO_SIGNATURES = { comparison_id: null, first_image: null, second_image: null };

function rowOf(db: Database, company: CompanyId, id: ExaminationId): Promise<Row | undefined> {
  return rowsWith(db, 'examination', { company_id: company, id }).selectAll().executeTakeFirst();
}

function toExamination(
  { id, began_at, comparison_id: comparison, ...of }: Row,
  bytes: Uint8Array,
): StoredExamination {
  const content = examinationContent.parse(JSON.parse(Buffer.from(bytes).toString()));
  const drawn = <T>(first: T | null, second: T | null): [T, T] => {
    if (first === null || second === null) throw new Error(`Examination ${id} lacks a picture.`);
    return content.swapped ? [second, first] : [first, second];
  };
  const pair =
    comparison === null
      ? { faces: drawn(of.first_face, of.second_face) }
      : { comparison, images: drawn(of.first_image, of.second_image) };
  return { id, beganAt: began_at, pair, content };
}

/** @param place binds the content to the pair @param before the content that it replaces, which was opened */
function sealed(db: Database, place: Place, content: ExaminationContent, before?: Sealed) {
  return cellsOf(db).seal('examination', 'content', place, Buffer.from(JSON.stringify(content)), before);
}
