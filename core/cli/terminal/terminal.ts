import type { Command } from 'commander';
import { homeFromOptions } from './home.ts';
import { printTable } from './output.ts';

/** The options of all commands, and their output. */
export interface Terminal {
  /** The data directory. @throws {CliError} it is not known */
  home(): string;
  isJson(): boolean;
  /** Prints one JSON value with `--json`, else a table. */
  show(value: object): void;
}

/** @param program with the options `--home` and `--json`, which are read after the command line was parsed */
export function terminalOf(program: Command): Terminal {
  const given = () => program.opts<{ home: string; json?: boolean }>();
  const isJson = () => given().json === true;
  return {
    home: () => homeFromOptions(given().home),
    isJson,
    show: (value) => {
      if (isJson()) console.log(JSON.stringify(value, null, 2));
      else
        printTable(
          (Array.isArray(value) ? value : [value]) as Record<string, string | number | boolean | null>[],
        );
    },
  };
}
