import { CodedError, problem, type Problem } from '../../contracts/errors/problem.ts';
import type { InstallationStatus } from '../../contracts/local.ts';

/** Control characters, line and paragraph separators, and characters that change the direction of the text around them. */
const UNPRINTABLE = /[\p{Cc}\u2028\u2029\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A file name on one line of a terminal: unprintable characters are written as `\n` or `\u{202e}`. */
export function escapeUnprintable(name: string): string {
  return name.replaceAll(UNPRINTABLE, (character) =>
    character === '\n' ? '\\n' : `\\u{${character.codePointAt(0)!.toString(16)}}`,
  );
}

/** The exit codes of the terminal's programs; docs/reference/terminal.md has the same table. */
export const EXIT = {
  ok: 0,
  /** A failure that the caller did not cause. */
  failed: 1,
  /** The command line is wrong, or the service rejected the command. */
  usage: 2,
  /** The work was done, but not for every image. */
  someImagesFailed: 3,
  /** The service cannot be reached. */
  unreachable: 4,
} as const;

const CODES: Readonly<Record<number, 'COMMAND_FAILED' | 'IMAGES_FAILED' | 'SERVICE_UNREACHABLE'>> = {
  [EXIT.failed]: 'COMMAND_FAILED',
  [EXIT.someImagesFailed]: 'IMAGES_FAILED',
  [EXIT.unreachable]: 'SERVICE_UNREACHABLE',
};

/** Ends a program with a message and an exit code instead of a stack trace. */
export class CliError extends CodedError {
  override name = 'CliError';
  readonly exitCode: number;

  /** @param reason a problem of the catalogue, or a message, which gets the code of its exit code */
  constructor(reason: string | Problem, exitCode: number = EXIT.usage) {
    super(
      typeof reason === 'string'
        ? problem(CODES[exitCode] ?? 'COMMAND_LINE_INVALID', { sentence: reason })
        : reason,
    );
    this.exitCode = exitCode;
  }
}

/** Prints rows as aligned columns. Every row has the columns of the first. */
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

/** A warning for each company whose pipeline is not installed. */
export function missingWarnings({ companies }: Pick<InstallationStatus, 'companies'>): string[] {
  return companies
    .filter(({ installed }) => !installed)
    .map(
      ({ company, pipeline }) =>
        `No face of "${company}" can be compared: its pipeline ${pipeline} is not installed. Run vouch doctor for the remedy.`,
    );
}
