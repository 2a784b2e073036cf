import { localApi } from '../../contracts/local.ts';
import { sentenceOf } from '../../contracts/errors/problem.ts';
import { resolve } from 'node:path';
import type { Command } from 'commander';
import { AUDIT_ACTIONS, auditAnchor, type AuditAction, type NamedAuditRow } from '../../contracts/audit.ts';
import { countFrom1, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { ask } from '../client/localClient.ts';
import { answersYes, type Terminal } from '../terminal/terminal.ts';

/** `vouch audit …`: the entries of the audit log and its integrity. */
export function addAuditCommands(program: Command, terminal: Terminal): void {
  const audit = subcommand(program, 'audit', 'read and verify the audit log');
  subcommand(audit, 'list', 'list audit entries, newest first')
    .option('--company <name>', 'entries of this company (default: of the installation)')
    .option('--action <name>', 'entries of this action only, e.g. session.refused')
    .option('--before-entry <number>', 'entries older than this one', wholeNumber)
    .option('--limit <number>', 'maximum number of entries', countFrom1, 50)
    .action(async (options: { company?: string; action?: string; beforeEntry?: number; limit: number }) => {
      const { action: wanted, beforeEntry, ...rest } = options;
      const action = wanted === undefined ? undefined : actionNamed(wanted);
      const query = { ...rest, action, before: beforeEntry };
      const page = await ask(terminal.home(), localApi.audit, { query });
      terminal.print(page, () => {
        printTable(page.items.map(line));
        console.log(`${page.items.length} of ${page.total} entries.`);
      });
    });
  subcommand(audit, 'verify', 'check the audit log and name the first invalid entry')
    .option('--anchors <file>', 'compare with the anchors in this file, kept elsewhere')
    .action(async (options: { anchors?: string }) => {
      const anchors = options.anchors === undefined ? [] : readAnchorFile(options.anchors);
      const verdict = await ask(terminal.home(), localApi.verifyAudit, { body: { anchors } });
      terminal.print(
        verdict,
        `${verdict.entries} entries read. External anchors: ${verdict.anchors}, up to entry ${verdict.anchoredUpTo}.`,
      );
      if (verdict.firstBad === null) return;
      const { sequence, problem } = verdict.firstBad;
      throw new CliError(
        `The audit log is damaged. First invalid entry: ${sequence}. ${sentenceOf(problem)}`,
        EXIT.failed,
      );
    });
  subcommand(audit, 'anchor', 'write an anchor of the audit log outside the database and print it').action(
    async () => {
      const { anchor } = await ask(terminal.home(), localApi.anchorAudit);
      console.log(JSON.stringify(anchor));
    },
  );
  audit
    .command('accept')
    .description(
      'continue with a log that contradicts its anchors, after the database was put back to an earlier state',
    )
    .action(async () => {
      const accepted = await ask(terminal.home(), localApi.acceptAudit);
      terminal.print(
        accepted,
        `The service can start with this log. Its earlier anchors are kept in ${accepted.kept}. Withdraw what was withdrawn since: tokens, signing keys, operators, passphrases.`,
      );
    });
  addAcceptRowsCommand(audit, terminal);
  addAnchorFileCommand(audit, terminal);
}

function addAcceptRowsCommand(audit: Command, terminal: Terminal): void {
  audit
    .command('accept-rows')
    .description(
      'continue with rows that were deleted or put back on the PostgreSQL server, after you know why',
    )
    .option('--yes', 'continue without a question')
    .action(async ({ yes }: { yes?: true }) => {
      const { rows } = await ask(terminal.home(), localApi.changedRows);
      if (rows.length > 0) {
        console.error(`These rows are not those that Vouch wrote:\n${rows.join('\n')}`);
        if (yes === undefined && !process.stdin.isTTY)
          throw new CliError(
            'Nothing was changed. To continue without a terminal, run the command with --yes.',
          );
        if (yes === undefined && !(await answersYes('Continue with the rows that are there?')))
          throw new CliError('Nothing was changed.');
      }
      const accepted = await ask(terminal.home(), localApi.acceptRows);
      terminal.print(
        accepted,
        'Vouch now takes the rows that are there for its own. Enter again what is missing: faces, lists, operators. Withdraw again what was withdrawn: tokens, signing keys, passphrases.',
      );
    });
}

function addAnchorFileCommand(audit: Command, terminal: Terminal): void {
  audit
    .command('anchor-file [folder]')
    .description('append every anchor to a new file in a folder outside the data directory')
    .option('--off', 'stop using an external anchor file')
    .action(async (folder: string | undefined, { off }: { off?: true }) => {
      if ((folder === undefined) === (off === undefined))
        throw new CliError('Name a folder for the external anchor file, or give --off.');
      const body = { folder: folder === undefined ? null : resolve(folder) };
      const external = await ask(terminal.home(), localApi.setAnchorFile, { body });
      terminal.print(
        external,
        external.file === null
          ? 'No external anchor file is used.'
          : `Every anchor is now appended to ${external.file}.\nOn Linux, root can make the file append-only: chattr +a ${external.file}`,
      );
    });
}

function actionNamed(name: string): AuditAction {
  if (Object.hasOwn(AUDIT_ACTIONS, name)) return name as AuditAction;
  throw new CliError(`Unknown action "${name}". Actions: ${Object.keys(AUDIT_ACTIONS).join(', ')}`);
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
    .flatMap((written, index) => {
      if (written.trim() === '') return [];
      try {
        return [auditAnchor.parse(JSON.parse(written))];
      } catch (cause) {
        throw new CliError(`Line ${index + 1} of ${file} is not an audit log anchor: ${String(cause)}`);
      }
    });
}
