import { randomUUID } from 'node:crypto';
import { BLACKLIST_STATUS, ITEM_STATUS } from '../../contracts/codes.ts';
import {
  trusted,
  type BlacklistId,
  type CompanyId,
  type FaceId,
  type ImageId,
  type PipelineId,
  type UploadId,
} from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { IncomingFace, NewImport } from '../../domain/ports/blacklistTransfer.ts';
import { insertRun } from '../enrolment/uploads.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { listStatus } from '../engine/checkedRows.ts';
import { insertBlacklist, nameIsTaken } from '../screening/blacklists.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { imageRow } from '../images/imageFiles.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { hasExpired } from '../../contracts/faceListing.ts';
import { newFaceRows, thumbnailRow } from '../faces/faces.ts';
import { writeTemplates, claimPipeline } from '../faces/templates.ts';
import { addRows, rowsWith, changeRows } from '../engine/rows.ts';

/** Faces written by one statement of each kind: most of what a row costs is its statement. */
const BATCH_SIZE = 100;

type Added = Extract<IncomingFace, { change: 'added' }>;
type Here = Exclude<IncomingFace, Added>;

/** The installation, list and time that an import is recorded with. */
interface ImportContext {
  company: CompanyId;
  pipeline: PipelineId;
  importId: number;
  list: BlacklistId;
  upload: UploadId;
  at: number;
}

/**
 * Writes a whole import in one transaction. The faces stand in an upload too, answered already: so they are shown, and
 * erased, like all others of the list.
 * @returns the import, and the images that its faces have
 * @throws {CodedError} the store is not (any more) as the import was planned for
 */
export async function applyImport(
  db: Database,
  audit: AuditLog,
  company: CompanyId,
  change: NewImport,
  act: AuditContext,
): Promise<{ id: number; blacklistId: BlacklistId; faces: FaceId[]; images: ImageId[] }> {
  const images: ImageId[] = [];
  return writing(db, company, async (trx) => {
    const at = act.at.getTime();
    const list = await targetOf(trx, audit, company, change, act);
    if (change.added > 0) await claimPipeline(trx, company, change.pipeline);
    const importId = await insertImport(trx, company, { change, list, at });
    const upload = await insertUpload(trx, company, { change, list, act });
    const frame = { company, pipeline: change.pipeline, importId, list, upload, at };
    const written = await writeFaces(trx, frame, change.faces, images);
    if (written.faces.length !== change.added) throw new CodedError('PACKAGE_OVERTAKEN');
    await changeRows(trx, 'blacklist_import', { company_id: company, id: importId })
      .set({ renamed: written.renamed })
      .execute();
    audit.append(trx, act, {
      company,
      action: 'blacklist.imported',
      object: `blacklist:${list}`,
      details: { import: importId, added: written.faces.length, renamed: written.renamed },
    });
    return { id: importId, blacklistId: list, faces: written.faces, images };
  });
}

/** The list that takes the faces, made where the import makes it. */
async function targetOf(
  trx: Transaction,
  audit: AuditLog,
  company: CompanyId,
  { target }: NewImport,
  act: AuditContext,
): Promise<BlacklistId> {
  if ('id' in target) {
    const status = await listStatus(trx, company, target.id);
    if (status === undefined) throw new CodedError('PACKAGE_OVERTAKEN');
    if (status !== BLACKLIST_STATUS.Active) throw new CodedError('BLACKLIST_INACTIVE');
    return target.id;
  }
  const { name } = target.fields;
  if (await nameIsTaken(trx, company, name))
    throw new CodedError(problem('PACKAGE_LIST_NAME_TAKEN', { name }));
  return (await insertBlacklist(trx, audit, company, target.fields, act)).id;
}

async function insertImport(
  trx: Transaction,
  company: CompanyId,
  { change, list, at }: { change: NewImport; list: BlacklistId; at: number },
): Promise<number> {
  const { id } = await trx
    .insertInto('blacklist_import')
    .values({
      company_id: company,
      sender: change.origin.sender,
      sender_name: change.senderName,
      origin_blacklist: change.origin.list,
      origin_blacklist_name: change.originName,
      package_id: change.packageId,
      exported_at: change.exportedAt.getTime(),
      imported_at: at,
      blacklist_id: list,
      created_blacklist: 'id' in change.target ? 0 : 1,
      added: change.added,
      renamed: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function insertUpload(
  trx: Transaction,
  company: CompanyId,
  { change, list, act }: { change: NewImport; list: BlacklistId; act: AuditContext },
): Promise<UploadId> {
  const id = trusted.upload(randomUUID());
  if (change.added === 0) return id;
  const target = { kind: 'blacklist', blacklistId: list } as const;
  const run = { source: 'import', severalFaces: 'refuse', id: trusted.run(id), target } as const;
  const at = act.at.getTime();
  await addRows(trx, 'upload', {
    id,
    company_id: company,
    kind: 'blacklist',
    blacklist_id: list,
    image_count: change.added,
    created_at: at,
    completed_at: at,
    run_id: await insertRun(trx, company, { ...run, ...act }),
  });
  return id;
}

async function writeFaces(
  trx: Transaction,
  frame: ImportContext,
  incoming: AsyncIterable<IncomingFace>,
  images: ImageId[],
): Promise<{ faces: FaceId[]; renamed: number }> {
  const faces: FaceId[] = [];
  let renamed = 0;
  let added: Added[] = [];
  let here: Here[] = [];
  const flush = async () => {
    if (added.length > 0) faces.push(...(await insertFaces(trx, frame, added, faces.length)));
    if (here.length > 0) renamed += await linkFaces(trx, frame, here);
    images.push(...added.map(({ image }) => image.id));
    [added, here] = [[], []];
  };
  for await (const face of incoming) {
    if (face.change === 'added') added.push(face);
    else here.push(face);
    if (added.length + here.length >= BATCH_SIZE) await flush();
  }
  await flush();
  return { faces, renamed };
}

/** @param position of the first in the upload. @returns their new ids, in their order */
async function insertFaces(
  trx: Transaction,
  { company, pipeline, importId, list, upload, at }: ImportContext,
  added: readonly Added[],
  position: number,
): Promise<FaceId[]> {
  await addRows(
    trx,
    'image',
    added.map(({ image, size }) => ({ ...imageRow(trx, company, image, at), ...size })),
  );
  const rows = await newFaceRows(
    trx,
    company,
    added.map(({ name, image, place, quality, listing }) => ({
      watchlist: { kind: 'blacklist', blacklistId: list },
      trustValidationId: null,
      name,
      imageId: image.id,
      face: { ...place, quality },
      enrolledAt: new Date(at),
      matchable: !hasExpired(listing, new Date(at)),
      listing,
    })),
  );
  await addRows(trx, 'face', rows);
  const faces = rows.map(({ id }) => id);
  const withIds = added.map((face, index) => ({ ...face, face_id: faces[index]!, company_id: company }));
  await writeTemplates(
    trx,
    company,
    pipeline,
    withIds.map(({ face_id, template }) => ({ faceId: face_id, vector: template.vector })),
  );
  await addRows(
    trx,
    'face_thumbnail',
    withIds.map(({ face_id, thumbnail }) => thumbnailRow(trx, company, face_id, thumbnail)),
  );
  await addRows(
    trx,
    'upload_item',
    withIds.map(({ face_id, company_id, name, image }, index) => {
      const file = { file_name: `${name}.${image.format === 'png' ? 'png' : 'jpg'}` };
      return {
        company_id,
        upload_id: upload,
        position: position + index,
        image_id: image.id,
        face_id,
        ...file,
        ...keyOf('upload_item', file),
        attempts: 0,
        status: ITEM_STATUS.Enrolled,
        processed_at: at,
      };
    }),
  );
  const { length } = await trx
    .insertInto('imported_face_origin')
    .values(
      withIds.map(({ face_id, company_id, origin }) => ({
        face_id,
        company_id,
        origin_installation: origin.installation,
        origin_face: origin.face,
      })),
    )
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'origin_installation', 'origin_face']).doNothing(),
    )
    .returning('face_id')
    .execute();
  if (length !== added.length) throw new CodedError('PACKAGE_OVERTAKEN');
  await addRows(
    trx,
    'import_membership',
    withIds.map(({ face_id, company_id }) => ({ import_id: importId, face_id, company_id })),
  );
  return faces;
}

/** Faces that are here: the import holds them too, and renames some. @returns how many it renamed */
async function linkFaces(
  trx: Transaction,
  { company, importId, list }: ImportContext,
  here: readonly Here[],
): Promise<number> {
  const still = await rowsWith(trx, 'face', { company_id: company, blacklist_id: list })
    .select(['id', 'name'])
    .where(
      'id',
      'in',
      here.map(({ faceId }) => faceId),
    )
    .execute();
  const nameOf = new Map(still.map(({ id, name }) => [id, name]));
  let renamed = 0;
  for (const face of here) {
    const name = nameOf.get(face.faceId);
    if (name === undefined || (face.change === 'renamed' && face.before !== name))
      throw new CodedError('PACKAGE_OVERTAKEN');
    if (face.change !== 'renamed') continue;
    renamed += 1;
    await changeRows(trx, 'face', { company_id: company, id: face.faceId })
      .set({ name: face.name, ...keyOf('face', face) })
      .execute();
  }
  await addRows(
    trx,
    'import_membership',
    here.map((face) => ({
      import_id: importId,
      face_id: face.faceId,
      company_id: company,
      name_before: face.change === 'renamed' ? face.before : null,
      name_after: face.change === 'renamed' ? face.name : null,
    })),
  );
  return renamed;
}
