/** Searches the pages of a database for pieces of what was erased, and ends. */
import { parentPort, workerData } from 'node:worker_threads';
import type { ErasureResidue } from '../../domain/ports/erasure.ts';
import { openRaw } from '../engine/sqliteFile.ts';
import { plainPages } from './databasePages.ts';

const { file, key, traces } = workerData as { file: string; key: Uint8Array; traces: ErasureResidue };

/** Where people type, or name, something: a name that stands there is another's too. */
const TEXTS = [
  ['trust_validation', ['name', 'metadata', 'search_key']],
  ['face', ['name', 'reason', 'search_key']],
  ['person', ['name', 'note', 'external_id', 'search_key']],
  ['identity_decision', ['reason']],
  ['upload_item', ['file_name', 'person_name', 'person_external_id', 'search_key']],
  ['enrolment_run', ['name']],
  ['screening_match', ['full_name', 'blacklist_name', 'reason']],
  ['screening', ['facts']],
  ['validation_history', ['note']],
  ['comparison', ['template_id', 'verification_id']],
  ['blacklist', ['name', 'name_key', 'description']],
  ['trust_flow', ['name', 'draft']],
  ['trust_flow_version', ['settings', 'blacklist_names']],
  ['operator', ['name', 'name_key']],
  ['api_token', ['name']],
  ['hmac_key', ['name', 'user_id']],
  ['company', ['name', 'storage_folder']],
  ['trusted_installation', ['name', 'name_key']],
  ['blacklist_import', ['sender_name']],
  ['import_membership', ['name_before', 'name_after']],
] as const;

/** Of the very same photo, enrolled twice, the other one has the very same bytes. */
const BLOBS = [
  ['template', ['vector']],
  ['face_thumbnail', ['jpeg']],
] as const;

const pieces = new Set(traces.bytes.map((piece) => Buffer.from(piece)));
const names = new Set(traces.names.map((name) => Buffer.from(name)));
const onPages = { pieces: [] as Buffer[], names: [] as Buffer[] };
let pages = 0;
for await (const page of plainPages(file, key)) {
  pages += 1;
  move(page, pieces, onPages.pieces);
  move(page, names, onPages.names);
}

const db = openRaw(file, key, { readonly: true });
const sharedPieces = onPages.pieces.filter((piece) => standsInRows(BLOBS, piece)).length;
const sharedNames = onPages.names.filter((name) => standsInRows(TEXTS, name.toString())).length;
db.close();
parentPort?.postMessage({
  pages,
  found: onPages.pieces.length - sharedPieces + onPages.names.length - sharedNames,
  shared: sharedPieces + sharedNames,
});

/** A text that the page holds whole is not searched for across the boundary to the next page. */
function move(page: Buffer, sought: Set<Buffer>, found: Buffer[]): void {
  for (const piece of sought)
    if (page.includes(piece)) {
      found.push(piece);
      sought.delete(piece);
    }
}

function standsInRows(
  places: readonly (readonly [string, readonly string[]])[],
  value: string | Uint8Array,
): boolean {
  return places.some(([table, columns]) =>
    columns.some(
      (column) =>
        db.prepare(`select 1 from ${table} where instr(${column}, ?) > 0 limit 1`).all([value]).length > 0,
    ),
  );
}
