/** Templates as the database has them: float32 components, one after the other. */

import type { CompanyId, FaceId, PipelineId } from '../../contracts/ids.ts';
import { cellsOf, type Cells } from './cells.ts';
import type { CodedRow } from './cellTables.ts';
import type { Database } from './database.ts';
import type { Sealed } from './migrations/table.ts';

/** Every platform the product ships for is little-endian, so the bytes are the vector. */
export function toBytes(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

/**
 * Copies, because the driver's buffer need not be aligned for floats. Bytes that are no whole number of components give
 * an empty vector, which no check accepts.
 */
export function toVector(bytes: Uint8Array): Float32Array {
  const whole = bytes.length % Float32Array.BYTES_PER_ELEMENT === 0;
  return whole ? new Float32Array(new Uint8Array(bytes).buffer) : new Float32Array();
}

interface TemplateRow {
  company_id: CompanyId;
  face_id: FaceId;
  pipeline_id: PipelineId;
  vector: Sealed;
}

/** The components of a stored template; none: its cell is damaged, and no check accepts it. */
export function vectorOf(db: Database, row: TemplateRow): Float32Array {
  return toVector(cellsOf(db).opened('template', 'vector', row) ?? new Uint8Array());
}

/** Of a face that can be matched; none: its template is damaged, or the face was changed without the key. */
export function matchableVector(cells: Cells, row: TemplateRow & CodedRow<'face'>): Float32Array {
  const isOurs = cells.isWritten('face', row);
  return toVector((isOurs ? cells.opened('template', 'vector', row) : undefined) ?? new Uint8Array());
}
