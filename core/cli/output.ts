/** What the terminal's programs end with; the same table stands in docs/terminal.md. */
export const EXIT = {
  ok: 0,
  /** Something failed that is not the caller's doing. */
  failed: 1,
  /** The command line is wrong, or the service refused what was asked. */
  usage: 2,
  /** The work was done, but not for every image. */
  someImagesFailed: 3,
  /** The service cannot be reached. */
  unreachable: 4,
} as const;

/** Ends a program with a sentence and an exit code instead of a stack. */
export class CliError extends Error {
  override name = 'CliError';
  readonly exitCode: number;

  constructor(message: string, exitCode: number = EXIT.usage) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Rows as aligned columns; every row has the columns of the first. */
export function printTable(rows: readonly Record<string, string | number | boolean | null>[]): void {
  const first = rows[0];
  if (first === undefined) return;
  const columns = Object.keys(first);
  const cells = [columns, ...rows.map((row) => columns.map((column) => String(row[column] ?? '')))];
  const widths = columns.map((_, column) => Math.max(...cells.map((line) => line[column]!.length)));
  for (const line of cells)
    console.log(
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    );
}
