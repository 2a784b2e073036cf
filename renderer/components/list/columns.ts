import type { ReactNode } from 'react';

/** A column of a list. Widths are CSS pixels. */
export interface Column<T> {
  key: string;
  label: string;
  /** Below this it says nothing. */
  minWidth: number;
  /** Its share of the room that is left; without one it stays as narrow as it may be. */
  grow?: number;
  /**
   * Where not all columns have room, the one that is spared most easily goes first; unless told, the last. What
   * opens beside the list has what was left out.
   */
  dropOrder?: number;
  cell: (row: T) => ReactNode;
  /** Says nothing in the head: a picture speaks for itself. */
  iconOnly?: boolean;
}

/** Between two columns, and beside the first and the last; as in rows.css. */
const GAP = 12;
const EDGES = 40;

/** The columns that a list of this width has room for, in their order; at least one. */
export function columnsThatFit<T>(columns: readonly Column<T>[], width: number): readonly Column<T>[] {
  const spared = columns
    .map((column, index) => ({ column, ease: column.dropOrder ?? index }))
    .sort((one, other) => other.ease - one.ease)
    .map(({ column }) => column);
  let shown = columns;
  const needed = () => shown.reduce((sum, { minWidth }) => sum + minWidth + GAP, EDGES - GAP);
  for (const column of spared) {
    if (shown.length === 1 || needed() <= width) break;
    shown = shown.filter((each) => each !== column);
  }
  return shown;
}

/** The CSS grid that lays them out. */
export function gridTemplateOf(columns: readonly { minWidth: number; grow?: number }[]): string {
  return columns
    .map(({ minWidth, grow }) => (grow === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${grow}fr)`))
    .join(' ');
}
