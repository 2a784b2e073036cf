import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AUDIT_ACTIONS, auditAnchor, type AuditAction, type NamedAuditRow } from '../../contracts/audit.ts';
import { countFrom1, wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch audit …`: what was done, and whether the record is as it was written. */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = program.command('audit').description('the record of who did what');
  audit
    .command('list')
    .description('what was done, newest first: in a company, or to the installation itself')
    .option('--company <name>', 'of this company; without it, of the installation')
    .option('--action <name>', 'this alone, e.g. session.refused')
    .option('--before <number>', 'older than this entry', wholeNumber)
    .option('--limit <number>', 'at most so many', countFrom1, 50)
    .action(async (options: { company?: string; action?: string; before?: number; limit: number }) => {
      const { action: wanted, ...rest } = options;
      const action = wanted === undefined ? undefined : actionNamed(wanted);
      const page = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('audit.list', { ...rest, ...(action && { action }) }),
      );
      if (terminal.isJson()) terminal.show(page);
      else {
        printTable(page.items.map(line));
        console.log(`${page.items.length} of ${page.total} entries.`);
      }
    });
  audit
    .command('verify')
    .description('name the first entry that is not as it was written, if there is one')
    .option('--anchors <file>', 'compare with anchors that were kept elsewhere too')
    .action(async (options: { anchors?: string }) => {
      const anchors = options.anchors === undefined ? [] : readAnchorFile(options.anchors);
      const verdict = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('audit.verify', { anchors }),
      );
      if (terminal.isJson()) terminal.show(verdict);
      else
        console.log(
          `${verdict.entries} entries read, anchored outside the database up to entry ${verdict.anchoredUpTo} (${verdict.anchors} anchors).`,
        );
      if (verdict.firstBad === null) return;
      const { sequence, problem } = verdict.firstBad;
      throw new CliError(
        `The audit log is not intact. First bad entry: ${sequence}. ${problem}`,
        EXIT.failed,
      );
    });
  audit
    .command('anchor')
    .description('write the head of the record outside the database; print it, to be kept elsewhere')
    .action(async () => {
      const { anchor } = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('audit.anchor', {}),
      );
      console.log(JSON.stringify(anchor));
    });
  addWitnessCommand(audit, terminal);
}

function addWitnessCommand(audit: Command, terminal: Terminal): void {
  audit
    .command('witness [folder]')
    .description('send every anchor to a new file in a folder outside the home, and compare with it')
    .option('--off', 'use no witness')
    .action(async (folder: string | undefined, { off }: { off?: true }) => {
      if ((folder === undefined) === (off === undefined))
        throw new CliError('Name a folder for the witness file, or use --off.');
      const witness = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('audit.witness', { folder: folder === undefined ? null : resolve(folder) }),
      );
      if (terminal.isJson()) terminal.show(witness);
      else if (witness.file === null) console.log('No witness is used.');
      else
        console.log(
          `Every anchor is now appended to ${witness.file}.\nOn Linux, root can let the file only grow: chattr +a ${witness.file}`,
        );
    });
}

function actionNamed(name: string): AuditAction {
  if (Object.hasOwn(AUDIT_ACTIONS, name)) return name as AuditAction;
  throw new CliError(`There is no action "${name}". There are: ${Object.keys(AUDIT_ACTIONS).join(', ')}`);
}

function line({
  sequence,
  at,
  actor,
  actorName,
  action,
  object,
  objectName,
  outcome,
  details,
}: NamedAuditRow) {
  const named = (number: string | null, name: string | null) =>
    name === null ? (number ?? '') : `${number ?? ''} (${name})`;
  return {
    entry: sequence,
    at,
    by: named(actor, actorName),
    action,
    to: named(object, objectName),
    outcome,
    details: Object.keys(details).length === 0 ? '' : JSON.stringify(details),
  };
}

function readAnchorFile(file: string) {
  return readGiven(file)
    .toString()
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
