import {
  type FaceListing,
  LISTING_TEXT_NAMES,
  ofTexts,
  type ListingText,
} from '../../contracts/faceListing.ts';
import type { ExtractedFace } from '../../contracts/faces.ts';
import {
  trusted,
  type BlacklistId,
  type CompanyId,
  type FaceId,
  type ImageId,
  type PipelineId,
  type TrustValidationId,
} from '../../contracts/ids.ts';
import type { FaceRange, GalleryEntry, Watchlist } from '../../domain/ports/gallery.ts';
import { cellsOf, type Cells } from '../engine/cells.ts';
import { newCode, recoded, uncount } from '../engine/codedRows.ts';
import { CODED, type CodedRow, type Place } from '../engine/cellTables.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import { listed, newIds } from '../engine/dialect.ts';
import { send, type Database, type Transaction } from '../engine/database.ts';
import { joinedFaces, matchableFaces, type MatchableFaces } from './gallerySnapshots.ts';
import { knownDimensions, writeTemplates, claimPipeline } from './templates.ts';
import { matchableVector, vectorOf } from '../engine/vectorBytes.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { Rows, rowsWith, deleteRows, changeRows } from '../engine/rows.ts';

// The listing of a face of a blacklist as columns of its row. Worker threads load this file, so it opens no database.

type SnakeCase<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${SnakeCase<Rest>}`
  : Name;
type TextColumn = SnakeCase<ListingText>;
/** The typed fields of a listing as columns of a face, or of a match with it. */
export type TextColumns = Record<TextColumn, Sealed | null>;

const columnOf = (field: ListingText) =>
  field.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`) as TextColumn;
export const TEXT_COLUMNS = LISTING_TEXT_NAMES.map(columnOf);
export const LISTING_COLUMNS = ['severity', ...TEXT_COLUMNS, 'expires_at'] as const;

/** @param seal for the row that gets the columns */
export function textColumns(
  texts: Record<ListingText, string | null>,
  seal: (column: TextColumn, text: string | null) => Sealed | null,
): TextColumns {
  return Object.fromEntries(
    LISTING_TEXT_NAMES.map((field) => [columnOf(field), seal(columnOf(field), texts[field])]),
  ) as TextColumns;
}

/** @param shown the text of a column */
export function textsOf(shown: (column: TextColumn) => string | null): Record<ListingText, string | null> {
  return ofTexts((field) => shown(columnOf(field)));
}

interface ListingColumns extends TextColumns {
  severity: FaceListing['severity'] | null;
  expires_at: number | null;
}

/** A listing as columns of its face; null for a face that is in no blacklist. */
export function listingColumns(
  cells: Cells,
  face: Place<'face'>,
  listing: FaceListing | null,
): ListingColumns {
  return {
    severity: listing?.severity ?? null,
    ...textColumns(listing ?? ofTexts(() => null), (column, text) =>
      cells.sealText('face', column, face, text),
    ),
    expires_at: listing?.expiresAt == null ? null : Date.parse(listing.expiresAt),
  };
}

export function toListing(cells: Cells, row: ListingColumns & Place<'face'>): FaceListing | null {
  if (row.severity === null) return null;
  const expiresAt = row.expires_at === null ? null : new Date(row.expires_at).toISOString();
  const texts = textsOf((column) => cells.shownText('face', column, row));
  return { severity: row.severity, ...texts, expiresAt };
}

/** Templates read at a time while the gallery is filled, and ids: a page takes some milliseconds, and nothing else runs meanwhile. */
const PAGE = 500;
const IDS_PAGE = 5_000;

const ALL_FACES = { after: trusted.face(0), upTo: trusted.face(Number.MAX_SAFE_INTEGER) };

export class Faces extends Rows {
  /** Components of a template, of every pipeline that the store knows. */
  readonly dimensions = knownDimensions.bind(undefined, this.db);

  /** Every matchable face (of a range), to fill the gallery at start; by rising ids. */
  async *all(
    company: CompanyId,
    pipeline: PipelineId,
    range: FaceRange = ALL_FACES,
  ): AsyncIterable<readonly GalleryEntry[]> {
    let { after } = range;
    for (;;) {
      const entries = await this.#entries(company, pipeline, (query) =>
        query.where('face.id', '>', after).where('face.id', '<=', range.upTo).limit(PAGE),
      );
      const last = entries.at(-1);
      if (last === undefined) return;
      yield entries;
      after = last.faceId;
    }
  }

  /** Of these faces (by rising ids) those that can be matched; missing ones are left out. */
  async *these(
    company: CompanyId,
    pipeline: PipelineId,
    faces: readonly FaceId[],
  ): AsyncIterable<readonly GalleryEntry[]> {
    for (let start = 0; start < faces.length; start += PAGE) {
      const page = faces.slice(start, start + PAGE);
      yield await this.#entries(company, pipeline, (query) => query.where('face.id', 'in', page));
    }
  }

  /** The matchable faces that `chosen` leaves, by rising ids. */
  async #entries(
    company: CompanyId,
    pipeline: PipelineId,
    chosen: (query: MatchableFaces) => MatchableFaces,
  ): Promise<GalleryEntry[]> {
    const rows = await chosen(joinedFaces(this.db, company, pipeline))
      .select(CODED_COLUMNS.map((column) => `face.${column}` as const))
      .select(['template.face_id', 'template.pipeline_id', 'template.vector'])
      .orderBy('face.id')
      .execute();
    return rows.map((row) => ({
      faceId: row.id,
      watchlist: toWatchlist(row),
      template: { pipelineId: pipeline, vector: matchableVector(cellsOf(this.db), row) },
    }));
  }

  /** All that {@link Faces.all} gives, without the templates, by rising ids, page by page. */
  async *matchable(
    company: CompanyId,
    pipeline: PipelineId,
  ): AsyncIterable<readonly Pick<GalleryEntry, 'faceId' | 'watchlist'>[]> {
    let { after } = ALL_FACES;
    for (;;) {
      const rows = await matchableFaces(this.db, company, pipeline, { ...ALL_FACES, after }, IDS_PAGE);
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({ faceId: row.id, watchlist: toWatchlist(row) }));
      after = last.id;
    }
  }

  /** The templates of these faces, for what the gallery does not keep in memory; missing ones are left out. */
  async vectors(
    company: CompanyId,
    pipeline: PipelineId,
    faces: readonly FaceId[],
  ): Promise<ReadonlyMap<FaceId, Float32Array>> {
    const rows = await rowsWith(this.db, 'template', { pipeline_id: pipeline, company_id: company })
      .selectAll()
      .where('face_id', 'in', faces)
      .execute();
    return new Map(rows.map((row) => [row.face_id, vectorOf(this.db, row)]));
  }

  /**
   * Facts of these faces for a list of candidates, in no particular order; missing ones are left out.
   * @throws {RowDamaged} one of them was changed without the key
   */
  async summaries(company: CompanyId, faces: readonly FaceId[]) {
    if (faces.length === 0) return [];
    const rows = await rowsWith(this.db, 'face', { company_id: company })
      .select([...CODED_COLUMNS, 'name', 'enrolled_at', 'quality_score', ...TEXT_COLUMNS])
      .where('id', 'in', listed(faces))
      .execute();
    const cells = cellsOf(this.db);
    return rows.map((row) => ({
      faceId: cells.checked('face', row).id,
      name: row.name,
      watchlist: toWatchlist(row),
      trustValidationId: row.trust_validation_id,
      imageId: row.image_id,
      enrolledAt: new Date(row.enrolled_at),
      quality: row.quality_score,
      listing: toListing(cells, row),
    }));
  }
}

interface NewFace {
  watchlist: Watchlist;
  trustValidationId: TrustValidationId | null;
  name: string;
  imageId: ImageId;
  face: Pick<ExtractedFace, 'box' | 'eyes' | 'confidence' | 'quality'>;
  enrolledAt: Date;
  matchable: boolean;
  /** True: a photo of an examination alone, which no list of enrolled photos has. */
  superseded?: boolean;
  /** null: the face is in no blacklist. */
  listing: FaceListing | null;
}

/** The row of a new face, without its company, template and thumbnail. */
function faceColumns(entry: NewFace) {
  const { watchlist, face } = entry;
  const { box, eyes, confidence, quality } = face;
  return {
    kind: watchlist.kind,
    blacklist_id: watchlist.kind === 'blacklist' ? watchlist.blacklistId : null,
    trust_validation_id: entry.trustValidationId,
    name: entry.name,
    ...keyOf('face', entry),
    image_id: entry.imageId,
    geometry: JSON.stringify({ box, eyes, confidence }),
    quality_score: quality.score,
    quality_measures: JSON.stringify(quality.measures),
    enrolled_at: entry.enrolledAt.getTime(),
    matchable: entry.matchable ? 1 : 0,
  } as const;
}

/**
 * Writes a face with its template and its thumbnail, inside the caller's transaction.
 * @throws {PipelineChanged} another pipeline serves the company by now
 */
export async function insertFace(
  trx: Transaction,
  company: CompanyId,
  entry: NewFace & { face: ExtractedFace },
): Promise<FaceId> {
  const [id] = await insertFaces(trx, company, [entry]);
  if (id === undefined) throw new Error('A written face has no id.');
  return id;
}

/**
 * Writes faces as {@link insertFace} does, in few statements: a database on another machine answers each of them late.
 * @returns the ids, in their order @throws {PipelineChanged} another pipeline serves the company by now
 */
export async function insertFaces(
  trx: Transaction,
  company: CompanyId,
  entries: readonly (NewFace & { face: ExtractedFace })[],
): Promise<FaceId[]> {
  if (entries.length === 0) return [];
  const newRows = await newFaceRows(trx, company, entries);
  await send(trx, trx.insertInto('face').values(newRows));
  const written = newRows.map(({ id }, index) => ({ id, face: entries[index]!.face }));
  for (const [pipeline, faces] of Map.groupBy(written, ({ face }) => face.template.pipelineId)) {
    await claimPipeline(trx, company, pipeline);
    const templates = faces.map(({ id, face }) => ({ faceId: id, vector: face.template.vector }));
    await writeTemplates(trx, company, pipeline, templates);
  }
  const thumbnails = written.map(({ id, face }) => thumbnailRow(trx, company, id, face.thumbnail));
  await send(trx, trx.insertInto('face_thumbnail').values(thumbnails));
  return written.map(({ id }) => id);
}

/** The columns of new faces, in their order, with ids that rise. */
export async function newFaceRows(trx: Transaction, company: CompanyId, entries: readonly NewFace[]) {
  const ids = await newIds(trx, 'face', entries.length);
  const cells = cellsOf(trx);
  return entries.map((entry, index) => {
    const place = { id: trusted.face(ids[index]!), company_id: company };
    const row = {
      ...place,
      superseded: entry.superseded === true ? 1 : 0,
      ...faceColumns(entry),
      ...listingColumns(cells, place, entry.listing),
    };
    return { ...row, code: newCode(trx, 'face', row) };
  });
}

/** The columns that the code of a face covers, with the code. */
export const CODED_COLUMNS = [...CODED.face, 'code'] as const;

/**
 * Changes columns that decide whether and where faces match. PostgreSQL receives the statements without a wait for their answers.
 * @param rows of the faces as the transaction sees them, with the columns of {@link CODED_COLUMNS}
 * @throws {RowDamaged} one of them was changed without the key; then nothing was written
 */
export async function changeFaces(
  trx: Transaction,
  rows: readonly CodedRow<'face'>[],
  change: Partial<Pick<CodedRow<'face'>, 'blacklist_id' | 'matchable' | 'superseded'>>,
): Promise<void> {
  const changes = rows.map((row) => ({ row, columns: recoded(trx, 'face', row, change) }));
  for (const { row, columns } of changes)
    await send(trx, changeRows(trx, 'face', { company_id: row.company_id, id: row.id }).set(columns));
}

/** Deletes the rows of faces, and by them the templates, thumbnails and what else belongs to a face. */
export async function deleteFaceRows(
  trx: Transaction,
  company: CompanyId,
  faces: readonly FaceId[],
): Promise<void> {
  const rows = await deleteRows(trx, 'face', { company_id: company })
    .where('id', 'in', listed(faces))
    .returning(['company_id', 'code'])
    .execute();
  uncount(trx, 'face', rows);
}

/** @param jpeg the aligned face */
export function thumbnailRow(db: Database, company: CompanyId, face: FaceId, jpeg: Uint8Array) {
  const place = { company_id: company, face_id: face };
  return { ...place, jpeg: cellsOf(db).seal('face_thumbnail', 'jpeg', place, jpeg) };
}

export function toWatchlist(row: { blacklist_id: BlacklistId | null }): Watchlist {
  return row.blacklist_id === null
    ? { kind: 'duplicate' }
    : { kind: 'blacklist', blacklistId: row.blacklist_id };
}
