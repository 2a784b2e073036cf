import type { Quality } from '../../contracts/faces.ts';
import { trusted, type BlacklistId, type CompanyId, type FaceId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { facePlace, templateFault } from '../../domain/recognition/faceValidation.ts';
import type {
  FaceOrigin,
  KnownFace,
  ListedFace,
  ListOrigin,
  NewImport,
} from '../../domain/ports/blacklistTransfer.ts';
import type { ImportView } from '../../contracts/blacklistTransfer.ts';
import { isoTime } from '../../domain/values/time.ts';
import { cellsOf } from '../engine/cells.ts';
import { writing } from '../engine/database.ts';
import { AuditedRowsWith, rowsWith } from '../engine/rows.ts';
import { digestOfImage, type EncryptedImageFiles } from '../images/imageFiles.ts';
import { applyImport } from './import.ts';
import { foreseeUndo, undoImport } from './importUndo.ts';
import { newListing } from '../../contracts/faceListing.ts';
import { knownDimensions } from '../faces/templates.ts';
import { vectorOf } from '../engine/vectorBytes.ts';
import { LISTING_COLUMNS, toListing } from '../faces/faces.ts';

/** Faces read at once for an export; each with its templates and its small picture. */
const PAGE = 100;

export class BlacklistTransferStore extends AuditedRowsWith<{ images: EncryptedImageFiles }> {
  /** The matchable faces of a list up to one, by rising ids, page by page. */
  async *faces(company: CompanyId, list: BlacklistId, last: FaceId): AsyncIterable<readonly ListedFace[]> {
    for (let after = trusted.face(0); ;) {
      const page = await this.#page(company, list, { after, last });
      const end = page.at(-1);
      if (end === undefined) return;
      yield page;
      after = end.faceId;
    }
  }

  /** The greatest id of a matchable face of a list; 0: it has none. */
  async lastFace(company: CompanyId, list: BlacklistId): Promise<FaceId> {
    const last = await this.db
      .selectFrom('face')
      .select('id')
      .where((eb) => eb.and({ company_id: company, kind: 'blacklist', blacklist_id: list, matchable: 1 }))
      .orderBy('id', 'desc')
      .limit(1)
      .executeTakeFirst();
    return last?.id ?? trusted.face(0);
  }

  async #page(
    company: CompanyId,
    list: BlacklistId,
    { after, last }: { after: FaceId; last: FaceId },
  ): Promise<ListedFace[]> {
    const rows = await this.db
      .selectFrom('face')
      .innerJoin('image', 'image.id', 'face.image_id')
      .innerJoin('face_thumbnail', 'face_thumbnail.face_id', 'face.id')
      .leftJoin('imported_face_origin', 'imported_face_origin.face_id', 'face.id')
      .selectAll('face')
      .select(['image.sha256', 'image.width', 'image.height', 'face_thumbnail.jpeg'])
      .select(['imported_face_origin.origin_installation', 'imported_face_origin.origin_face'])
      .where((eb) =>
        eb.and({
          'face.company_id': company,
          'face.kind': 'blacklist',
          'face.blacklist_id': list,
          'face.matchable': 1,
        }),
      )
      .where('face.id', '>', after)
      .where('face.id', '<=', last)
      .orderBy('face.id')
      .limit(PAGE)
      .execute();
    if (rows.length === 0) return [];
    const templates = await rowsWith(this.db, 'template', { company_id: company })
      .selectAll()
      .where(
        'face_id',
        'in',
        rows.map(({ id }) => id),
      )
      .execute();
    const dimensions = await knownDimensions(this.db);
    const cells = cellsOf(this.db);
    return rows.map((row) => ({
      faceId: cells.checked('face', row).id,
      origin:
        row.origin_installation === null || row.origin_face === null
          ? null
          : { installation: row.origin_installation, face: row.origin_face },
      name: row.name,
      place: facePlace.parse(JSON.parse(row.geometry)),
      quality: {
        score: row.quality_score,
        measures: JSON.parse(row.quality_measures) as Quality['measures'],
      },
      imageId: row.image_id,
      sha256: digestOfImage(this.db, row),
      size: row.width === null || row.height === null ? null : { width: row.width, height: row.height },
      templates: templates
        .filter(({ face_id }) => face_id === row.id)
        .map((template) => ({ pipelineId: template.pipeline_id, vector: vectorOf(this.db, template) }))
        .filter(({ pipelineId, vector }) => templateFault(vector, dimensions.get(pipelineId)) === undefined),
      thumbnail: cells.open('face_thumbnail', 'jpeg', { ...row, face_id: row.id }),
      listing: toListing(cells, row) ?? newListing(),
    }));
  }

  /** Records an export in the audit log. */
  async recordExport(
    company: CompanyId,
    list: BlacklistId,
    details: { installation: number; faces: number; photos: boolean },
    act: AuditContext,
  ): Promise<void> {
    await this.audit.record(act, {
      company,
      action: 'blacklist.exported',
      object: `blacklist:${list}`,
      details,
    });
  }

  /** The face as it came here before; undefined: it did not, or is erased. */
  async known(company: CompanyId, { installation, face }: FaceOrigin): Promise<KnownFace | undefined> {
    const row = await this.db
      .selectFrom('imported_face_origin')
      .innerJoin('face', 'face.id', 'imported_face_origin.face_id')
      .select(['face.id', 'face.company_id', 'face.blacklist_id', 'face.name'])
      .select(LISTING_COLUMNS.map((column) => `face.${column}` as const))
      .where('imported_face_origin.company_id', '=', company)
      .where('origin_installation', '=', installation)
      .where('origin_face', '=', face)
      .executeTakeFirst();
    return row?.blacklist_id == null
      ? undefined
      : {
          faceId: row.id,
          blacklistId: row.blacklist_id,
          name: row.name,
          listing: toListing(cellsOf(this.db), row) ?? newListing(),
        };
  }

  /** The newest import of a list that was not reverted, if its blacklist still exists. */
  async newest(company: CompanyId, { sender, list }: ListOrigin) {
    const row = await this.db
      .selectFrom('blacklist_import')
      .innerJoin('blacklist', 'blacklist.id', 'blacklist_import.blacklist_id')
      .selectAll('blacklist_import')
      .where((eb) =>
        eb.and({ 'blacklist_import.company_id': company, sender, origin_blacklist: list, reverted_at: null }),
      )
      .orderBy('exported_at', 'desc')
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { id, package_id, blacklist_id, exported_at } = row;
    return { id, packageId: package_id, blacklistId: blacklist_id, exportedAt: isoTime(exported_at) };
  }

  /** Faces that imports of a list brought and that are still here. */
  async brought(
    company: CompanyId,
    { sender, list }: ListOrigin,
  ): Promise<{ faceId: FaceId; name: string }[]> {
    return this.db
      .selectFrom('blacklist_import')
      .innerJoin('import_membership', 'import_membership.import_id', 'blacklist_import.id')
      .innerJoin('face', 'face.id', 'import_membership.face_id')
      .select(['face.id as faceId', 'face.name'])
      .distinct()
      .where((eb) =>
        eb.and({ 'blacklist_import.company_id': company, sender, origin_blacklist: list, reverted_at: null }),
      )
      .orderBy('face.id')
      .execute();
  }

  /** One transaction: the list where it is new, faces, images, and the import itself. */
  async apply(company: CompanyId, change: NewImport, act: AuditContext) {
    const applied = await applyImport(this.db, this.audit, company, change, act);
    this.parts.images.settled(applied.images);
    return applied;
  }

  /** Newest first. */
  async imports(company: CompanyId): Promise<ImportView[]> {
    const rows = await this.db
      .selectFrom('blacklist_import')
      .leftJoin('blacklist', 'blacklist.id', 'blacklist_import.blacklist_id')
      .selectAll('blacklist_import')
      .select('blacklist.name as blacklist_name')
      .select((eb) =>
        eb
          .selectFrom('import_membership')
          .select((count) => count.fn.countAll<number>().as('count'))
          .where('import_membership.company_id', '=', company)
          .whereRef('import_membership.import_id', '=', 'blacklist_import.id')
          .as('holds'),
      )
      .where('blacklist_import.company_id', '=', company)
      .orderBy('blacklist_import.id', 'desc')
      .execute();
    return rows.map((row) => ({
      id: row.id,
      sender: row.sender_name,
      blacklist: { id: row.blacklist_id, name: row.blacklist_name },
      exportedAt: isoTime(row.exported_at),
      importedAt: isoTime(row.imported_at),
      added: row.added,
      renamed: row.renamed,
      holds: row.holds ?? 0,
      undoneAt: isoTime(row.reverted_at),
    }));
  }

  /** The changes that {@link undo} would make now; reads only. */
  foreseeUndo(company: CompanyId, id: number, listInUse: (list: BlacklistId) => boolean) {
    return foreseeUndo(this.db, company, { id, listInUse });
  }

  /**
   * One transaction: what the import alone brought is gone, names are what they were.
   * @param listInUse a Trust Flow screens against its list
   * @throws {CodedError} NOT_FOUND; IMPORT_UNDONE: it was reverted completely before
   */
  undo(company: CompanyId, id: number, listInUse: (list: BlacklistId) => boolean, act: AuditContext) {
    return writing(this.db, company, (trx) => undoImport(trx, this.audit, company, { id, listInUse }, act));
  }
}
