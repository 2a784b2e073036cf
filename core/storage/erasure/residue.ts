import { foldText } from '../../contracts/searchKey.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { ErasureResidue } from '../../domain/ports/erasure.ts';
import type { Database } from '../engine/database.ts';
import type { PersonRecords } from './personRecords.ts';
import { reasonsAbout } from './personsOfFaces.ts';

/** Bytes of a piece: long enough to stand nowhere by chance, short enough to lie on one page. */
const PIECE = 24;
/** Shorter names stand in other words. */
const SHORTEST_NAME = 8;

/** Pieces of everything that is about to go. */
export async function residueOf(
  db: Database,
  company: CompanyId,
  rows: PersonRecords,
): Promise<ErasureResidue> {
  const faces = rows.faces.map(({ id }) => id);
  const templates = await db
    .selectFrom('template')
    .select('vector')
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .execute();
  const thumbnails = await db
    .selectFrom('face_thumbnail')
    .select('jpeg')
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .execute();
  const matched = await db
    .selectFrom('screening_match')
    .select('reason')
    .distinct()
    .where('company_id', '=', company)
    .where('face_id', 'in', faces)
    .execute();
  const names = new Set([
    ...matched.map(({ reason }) => reason ?? ''),
    ...rows.validations.flatMap(({ name, metadata }) => [name, metadata ?? '']),
    ...rows.faces.flatMap(({ name, reason }) => [name, reason ?? '']),
    ...rows.photos.flatMap((photo) => [
      photo.file_name,
      photo.person_name ?? '',
      photo.person_external_id ?? '',
    ]),
    ...rows.persons
      .filter(({ left }) => left === 0)
      .flatMap(({ name, note, external_id: externalId }) => [name, note ?? '', externalId ?? '']),
    ...(await reasonsAbout(db, company, faces)),
  ]);
  return {
    bytes: [
      ...rows.images.map(({ key }) => key),
      ...templates.flatMap(({ vector }) => piecesOf(vector)),
      ...thumbnails.flatMap(({ jpeg }) => piecesOf(jpeg)),
    ],
    names: [...new Set([...names, ...[...names].map(foldText)])].filter(
      (name) => Buffer.byteLength(name) >= SHORTEST_NAME,
    ),
  };
}

/** From the beginning, the middle and the end; what is the same byte throughout says nothing. */
function piecesOf(blob: Uint8Array): Uint8Array[] {
  return [0.2, 0.5, 0.8]
    .map((part) => Math.max(0, Math.floor((blob.length - PIECE) * part)))
    .map((from) => Uint8Array.from(blob.subarray(from, from + PIECE)))
    .filter((piece) => piece.length === PIECE && new Set(piece).size > 4);
}
