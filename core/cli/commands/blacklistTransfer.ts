import {
  transferApi,
  importList as importViews,
  type ImportPlan,
  type ImportResult,
  type UndoResult,
} from '../../contracts/blacklistTransfer.ts';
import { LISTING_FIELDS, ofTexts } from '../../contracts/faceListing.ts';
import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import { problem } from '../../contracts/errors/problem.ts';
import { COMPANY, companyCommand, wholeNumber } from '../terminal/arguments.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { ask, insteadOf, withLocalApi } from '../client/localClient.ts';
import { installationNamed } from './installations.ts';
import { exists, writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch blacklist export|import|list-imports|revert-import`: blacklists for other installations, and from them. */
export function addBlacklistTransferCommands(blacklist: Command, terminal: Terminal): void {
  companyCommand(blacklist, 'export', 'sign a blacklist and encrypt it for another installation')
    .argument('<id>', 'number of the blacklist', wholeNumber)
    .requiredOption('--installation <name>', 'recipient, trusted by the company: vouch installation list')
    .requiredOption('--output <file>', 'new file for the encrypted blacklist')
    .option('--photos', 'include the photos (default: face thumbnails only)')
    .action(async (id: number, options: ExportOptions) => {
      await exportList(id, options, terminal);
    });
  blacklist
    .command('import <file>')
    .description('import a blacklist of another installation; shows the changes, can be reverted')
    .requiredOption(...COMPANY)
    .option(
      '--into <id>',
      'number of the blacklist to import into (default: that of its last import, else a new one)',
      wholeNumber,
    )
    .option('--dry-run', 'show the changes and make none')
    .action(async (file: string, options: ImportOptions) => {
      await importList(file, options, terminal);
    });
  companyCommand(blacklist, 'list-imports', 'list the imports of a company with their numbers').action(
    async (options: { company: string }) => {
      const { items: made } = await ask(
        terminal.home(),
        { ...transferApi.imports, answer: importViews },
        options,
      );
      terminal.print(made, () =>
        printTable(
          made.map(({ id, sender, blacklist: list, importedAt, added, holds, undoneAt }) => ({
            id,
            sender,
            list: list.name ?? `${list.id} (deleted)`,
            importedAt,
            added,
            holds,
            reverted: undoneAt ?? '',
          })),
        ),
      );
    },
  );
  companyCommand(blacklist, 'revert-import', 'revert exactly what an import changed')
    .argument('<number>', 'number of the import', wholeNumber)
    .action(async (id: number, { company }: { company: string }) => {
      const undone = await ask(terminal.home(), transferApi.undo, { company, params: { id } }).catch(
        insteadOf('NOT_FOUND', problem('IMPORT_UNKNOWN', { import: id, company })),
      );
      terminal.print(undone, undoText(undone));
      if (undone.inReview.count > 0)
        throw new CliError(
          `${undone.inReview.count} faces were kept, because validations that need review name them (${undone.inReview.names.join(', ')}). Decide on those, then run the command again.`,
          EXIT.someImagesFailed,
        );
    });
}

interface ExportOptions {
  company: string;
  installation: string;
  output: string;
  photos?: boolean;
}

async function exportList(id: number, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { company, installation, output: file, photos = false } = options;
  const { bytes } = await writeAtomically(file, (partial) =>
    withLocalApi(terminal.home(), async (api) => {
      const recipient = await installationNamed(api, company, installation);
      const body = { installation: recipient.id, photos };
      const { body: content } = await api.open(`POST /blacklists/${id}/export`, { company, body });
      await writeStream(partial, content);
    }),
  );
  terminal.print(
    { file, bytes, installation, photos },
    `${file}: ${bytes} bytes, signed by this installation. Only "${installation}" can open it.`,
  );
}

interface ImportOptions {
  company: string;
  into?: number;
  dryRun?: boolean;
}

async function importList(file: string, options: ImportOptions, terminal: Terminal): Promise<void> {
  if (!(await exists(file))) throw new CliError(`There is no file ${file}.`);
  const { company } = options;
  const into = options.into === undefined ? {} : { into: options.into };
  await withLocalApi(terminal.home(), async (api) => {
    const sent = { company, query: into, body: createReadStream(file) };
    const { packageId, plan } = await api.ask(transferApi.receive, sent);
    if (!terminal.isJson()) console.log(planText(plan));
    if (options.dryRun === true) {
      await api.ask(transferApi.discard, { company, params: { id: packageId } });
      terminal.print(plan, 'Nothing was changed.');
      return;
    }
    const result = await api
      .ask(transferApi.import, { company, params: { id: packageId }, body: into })
      .catch(insteadOf('NOT_FOUND', problem('PACKAGE_GONE')));
    terminal.print({ plan, result }, resultText(result));
    if (result.leftOut.length > 0)
      throw new CliError(
        result.leftOut.map(({ name, reason }) => `${name} was left out: ${reason}`).join('\n'),
        EXIT.someImagesFailed,
      );
  });
}

const LISTED = { ...ofTexts((field) => field), severity: 'severity', expiresAt: 'expiry' } as const;

function quoted(value: string | null): string {
  return value === null ? 'none' : `"${value}"`;
}

function planText(plan: ImportPlan): string {
  const { sender, list, target, counts, examples } = plan;
  const lines = [
    `From "${sender.name}" (${sender.fingerprint}), exported ${plan.exportedAt}: "${list.name}".`,
    target.id === null
      ? `A new blacklist "${target.name}" is made.`
      : `It goes into blacklist ${target.id}, "${target.name}".`,
    `${counts.added} new, ${counts.held} already here, ${counts.renamed} renamed, ${counts.elsewhere} in another list here, ${counts.own} from this installation, ${counts.gone} not in the package any more.`,
  ];
  if (plan.reextracted > 0)
    lines.push(
      `${plan.reextracted} templates are re-created from the photos, because another pipeline made them.`,
    );
  if (plan.withoutPhoto > 0)
    lines.push(`${plan.withoutPhoto} come without a photo, with a small picture only.`);
  for (const { change, name, before } of examples)
    if (change === 'renamed') lines.push(`  renamed: ${before} is ${name} now`);
    else if (change === 'gone')
      lines.push(
        `  deleted, moved or expired at the sender: ${name} (stays here; delete it where that is right)`,
      );
  const { listedOtherwise } = plan;
  if (listedOtherwise.count > 0)
    lines.push(
      `${listedOtherwise.count} faces are listed differently at the sender. They keep the severity, reason and expiry that they have here.`,
    );
  for (const { faceId, name, here, there } of listedOtherwise.faces) {
    const changed = LISTING_FIELDS.filter((field) => here[field] !== there[field]);
    const fields = changed.map(
      (field) => `${LISTED[field]} ${quoted(there[field])} at the sender, ${quoted(here[field])} here`,
    );
    lines.push(`  ${name} (face ${faceId}): ${fields.join('; ')}`);
  }
  return lines.join('\n');
}

function resultText({ id, target, counts }: ImportResult): string {
  if (id === null) return 'This package was already imported. Nothing was changed.';
  return `Done as import ${id}: ${counts.added} faces added to blacklist ${target.id}, "${target.name}". To revert it: vouch blacklist revert-import ${id}`;
}

function undoText({ removed, renamedBack, heldByOthers, list }: UndoResult): string {
  const lists = {
    stays: 'The list stays.',
    deleted: 'Its list, which the import had made, is gone.',
    'in-use': 'Its list is empty and stays, because a Trust Flow screens against it.',
    'not-empty': 'Its list stays, because it holds other faces.',
  };
  const held = heldByOthers === 0 ? '' : ` ${heldByOthers} stay, because another import brought them too.`;
  return `${removed} faces removed, ${renamedBack} named as before.${held} ${lists[list]}`;
}
