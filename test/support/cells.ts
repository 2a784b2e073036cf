/** Cells of a file of SQLite, where they are plain. */
import type { Sealed } from '../../core/storage/engine/migrations/table.ts';

export function plainBytes(cell: Sealed): Uint8Array {
  const bytes: unknown = cell;
  return bytes as Uint8Array;
}

export function plainCell(bytes: Uint8Array): Sealed {
  const cell: unknown = bytes;
  return cell as Sealed;
}
