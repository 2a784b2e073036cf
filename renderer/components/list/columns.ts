import type { ReactNode } from 'react';

/** A column of a list. Widths are CSS pixels. */
export interface Column<T> {
  key: string;
  label: string;
  /** Narrower than this the column is dropped. */
  minWidth: number;
  /** Its share of the remaining width; without it the column keeps its minimum width. */
  grow?: number;
  /**
   * Where not all columns fit, the one with the highest number is dropped first; the default is its position. The panel
   * beside the list shows the dropped ones.
   */
  dropOrder?: number;
  cell: (row: T) => ReactNode;
  /** The list can be sorted by it, under this name. */
  sort?: string;
  /** A column of pictures: its label is for assistive technology alone. */
  iconOnly?: boolean;
}

/** Between two columns, and beside the first and the last; as in rows.css. */
const GAP = 12;
const EDGES = 40;

/** Width of the column of check boxes. */
export const SELECT_WIDTH = 20;

/** The columns that fit a list of this width, in their order; at least one. @param width CSS pixels */
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

/** The columns as a value of `grid-template-columns`. */
export function gridTemplateOf(columns: readonly { minWidth: number; grow?: number }[]): string {
  return columns
    .map(({ minWidth, grow }) => (grow === undefined ? `${minWidth}px` : `minmax(${minWidth}px, ${grow}fr)`))
    .join(' ');
}
