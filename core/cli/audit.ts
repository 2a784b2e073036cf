import { readFileSync } from 'node:fs';
import type { Command } from 'commander';
import { auditAnchor } from '../contracts/audit.ts';
import { CliError, EXIT } from './output.ts';
import { asOwner } from './owner.ts';

interface Terminal {
  home(): string;
  isJson(): boolean;
  show(value: object): void;
}

/** `vouch audit …`: whether the record is as it was written. */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('the record of who did what');
  audit
    .command('verify')
    .description('name the first entry that is not as it was written, if there is one')
    .option('--anchors <file>', 'compare with anchors that were kept elsewhere too')
    .action(async (options: { anchors?: string }) => {
      const anchors = options.anchors === undefined ? [] : readAnchorFile(options.anchors);
      const verdict = await asOwner(terminal.home(), (administrate) =>
        administrate('audit.verify', { anchors }),
      );
      if (terminal.isJson()) terminal.show(verdict);
      else
        console.log(
          `${verdict.entries} entries read, anchored outside the database up to entry ${verdict.anchoredUpTo} (${verdict.anchors} anchors).`,
        );
      if (verdict.firstBad === null) return;
      const { sequence, problem } = verdict.firstBad;
      throw new CliError(`The record is not whole. First bad entry: ${sequence}. ${problem}`, EXIT.failed);
    });
  audit
    .command('anchor')
    .description('write the head of the record outside the database; print it, to be kept elsewhere')
    .action(async () => {
      const { anchor } = await asOwner(terminal.home(), (administrate) => administrate('audit.anchor', {}));
      console.log(JSON.stringify(anchor));
    });
}

function readAnchorFile(file: string) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return [];
      try {
        return [auditAnchor.parse(JSON.parse(line))];
      } catch (cause) {
        throw new CliError(`Line ${index + 1} of ${file} is not an anchor of an audit log: ${String(cause)}`);
      }
    });
}
