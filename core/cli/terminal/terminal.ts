import type { Command } from 'commander';
import { homeFromOptions } from './home.ts';
import { printTable } from './output.ts';

/** What is said once for all commands of a line, and how they answer. */
export interface Terminal {
  /** The folder that holds everything. */
  home(): string;
  isJson(): boolean;
  /** One JSON value for programs, a table for people. */
  show(value: object): void;
}

/** @param program has the options `--home` and `--json`; they are read when a command runs, so after its line was. */
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
