import type { Command } from 'commander';
import { CliError, printTable } from './output.ts';
import { createInterface } from 'node:readline/promises';

/** The options of all commands, and their output. */
export interface Terminal {
  /** The data directory. @throws {CliError} it is not known */
  home(): string;
  isJson(): boolean;
  /**
   * Prints one JSON value with `--json`, else a table.
   * @param none what standard error gets where the table has no row: that there is none, and what to do
   */
  show(value: object, none?: string): void;
  /** Prints one JSON value with `--json`, else a text, or what a function prints. */
  print<T extends object>(value: T, inWords: string | ((value: T) => void)): void;
}

/** @param program with the options `--home` and `--json`, which are read after the command line was parsed */
export function terminalOf(program: Command): Terminal {
  const given = () => program.opts<{ home: string; json?: boolean }>();
  const isJson = () => given().json === true;
  return {
    home: () => {
      const { home } = given();
      if (home === '')
        throw new CliError(
          'The data directory is not known, because HOME is empty or not an absolute path. Name the directory with --home or VOUCH_HOME.',
        );
      return home;
    },
    isJson,
    print: (value, inWords) => {
      if (isJson()) console.log(JSON.stringify(value, null, 2));
      else if (typeof inWords === 'string') console.log(inWords);
      else inWords(value);
    },
    show: (value, none = 'The list is empty.') => {
      const rows = Array.isArray(value) ? value : [value];
      if (isJson()) console.log(JSON.stringify(value, null, 2));
      else if (rows.length === 0) console.error(none);
      else printTable(rows as Record<string, string | number | boolean | null>[]);
    },
  };
}

/** Asks a person at the terminal. @throws {CliError} the answer is neither yes nor no */
export async function answersYes(question: string): Promise<boolean> {
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    const answer = (await lines.question(`${question} (yes/no) `)).trim().toLowerCase();
    if (answer === 'yes' || answer === 'no') return answer === 'yes';
    throw new CliError('The answer must be yes or no. Nothing was changed.');
  } finally {
    lines.close();
  }
}
