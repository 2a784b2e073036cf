import { createReadStream } from 'node:fs';
import type { Command } from 'commander';
import type { ImportPlan, ImportResult, UndoResult } from '../../contracts/blacklistTransfer.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { withAdminSocketOrHome, withTransferPort } from '../client/adminClient.ts';
import { exists, writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** `vouch blacklist export|import|imports|undo-import`: lists for other sites, and from them. */
export function addBlacklistTransferCommands(blacklist: Command, terminal: Terminal): void {
  blacklist
    .command('export')
    .description('seal a blacklist for another site, signed by this one')
    .argument('<id>', 'its number', wholeNumber)
    .requiredOption('--company <name>')
    .requiredOption('--for <site>', 'a site that the company trusts: vouch site list')
    .requiredOption('--out <file>')
    .option('--images', 'with the photos; without them only the small pictures of the faces go')
    .action(async (id: number, options: ExportOptions) => {
      await exportList(id, options, terminal);
    });
  blacklist
    .command('import <file>')
    .description('take in a blacklist of another site: says what changes, and can be undone')
    .requiredOption('--company <name>')
    .option(
      '--into <id>',
      'a list that is here (default: the one of its last import, else a new one)',
      wholeNumber,
    )
    .option('--dry-run', 'say what would change, and change nothing')
    .action(async (file: string, options: ImportOptions) => {
      await importList(file, options, terminal);
    });
  blacklist
    .command('imports')
    .description('the imports of a company, with the numbers by which they are undone')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      const made = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('blacklist.imports', options),
      );
      if (terminal.isJson()) terminal.show(made);
      else
        printTable(
          made.map(({ id, sender, blacklist: list, importedAt, added, holds, undoneAt }) => ({
            ...{ id, sender, list: list.name ?? `${list.id} (deleted)`, importedAt, added, holds },
            undone: undoneAt ?? '',
          })),
        );
    });
  blacklist
    .command('undo-import')
    .description('take back exactly what an import brought')
    .argument('<number>', 'of the import', wholeNumber)
    .requiredOption('--company <name>')
    .action(async (id: number, options: { company: string }) => {
      const undone = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('blacklist.undoImport', { ...options, id }),
      );
      if (terminal.isJson()) terminal.show(undone);
      else console.log(undoWords(undone));
      if (undone.inReview.count > 0)
        throw new CliError(
          `${undone.inReview.count} faces stay, because cases that wait for a decision name them (${undone.inReview.names.join(', ')}). Decide those, then run this again.`,
          EXIT.someImagesFailed,
        );
    });
}

interface ExportOptions {
  company: string;
  for: string;
  out: string;
  images?: boolean;
}

async function exportList(id: number, options: ExportOptions, terminal: Terminal): Promise<void> {
  const { company, for: site, out: file } = options;
  const photos = options.images === true;
  const { bytes } = await writeAtomically(file, (partial) =>
    withTransferPort(terminal.home(), async (door) => {
      await writeStream(partial, await door.export({ company, list: id, site, photos }));
    }),
  );
  if (terminal.isJson()) terminal.show({ file, bytes, site, photos });
  else console.log(`${file}: ${bytes} bytes, signed by this site; only "${site}" can open it.`);
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
  await withTransferPort(terminal.home(), async ({ receive, administrate }) => {
    const content = createReadStream(file) as AsyncIterable<Buffer>;
    const { bundle, plan } = await receive({ company, ...into }, content);
    if (!terminal.isJson()) console.log(planWords(plan));
    if (options.dryRun === true) {
      await administrate('blacklist.drop', { company, bundle });
      if (terminal.isJson()) terminal.show(plan);
      else console.log('Nothing was changed.');
      return;
    }
    const result = await administrate('blacklist.import', { company, bundle, ...into });
    if (terminal.isJson()) terminal.show({ plan, result });
    else console.log(resultWords(result));
    if (result.leftOut.length > 0)
      throw new CliError(
        result.leftOut.map(({ name, reason }) => `${name} was left out: ${reason}`).join('\n'),
        EXIT.someImagesFailed,
      );
  });
}

function planWords(plan: ImportPlan): string {
  const { sender, list, target, counts, examples } = plan;
  const lines = [
    `From "${sender.name}" (${sender.fingerprint}), exported ${plan.exportedAt}: "${list.name}".`,
    target.id === null
      ? `A new blacklist "${target.name}" is made.`
      : `It goes into blacklist ${target.id}, "${target.name}".`,
    `${counts.added} new, ${counts.held} already here, ${counts.renamed} renamed, ${counts.elsewhere} in another list here, ${counts.own} from this very site, ${counts.gone} not on the sender's list any more.`,
  ];
  if (plan.describedAgain > 0)
    lines.push(
      `${plan.describedAgain} are described again from their photos: another pipeline described them.`,
    );
  if (plan.withoutPhoto > 0)
    lines.push(`${plan.withoutPhoto} come without a photo, with a small picture only.`);
  for (const { change, name, before } of examples)
    if (change === 'renamed') lines.push(`  renamed: ${before} is ${name} now`);
    else if (change === 'gone')
      lines.push(`  gone at the sender: ${name} (stays here; delete it where that is right)`);
  return lines.join('\n');
}

function resultWords({ id, target, counts }: ImportResult): string {
  if (id === null) return 'This very bundle was imported already: nothing was changed.';
  return `Done as import ${id}: ${counts.added} faces added to blacklist ${target.id}, "${target.name}". To take it back: vouch blacklist undo-import ${id}`;
}

function undoWords({ removed, renamedBack, heldByOthers, list }: UndoResult): string {
  const lists = {
    stays: 'The list stays.',
    deleted: 'Its list, which the import had made, is gone.',
    'in use': 'Its list is empty and stays, because a Trust Flow screens against it.',
    'not empty': 'Its list stays: it holds other faces.',
  };
  const held = heldByOthers === 0 ? '' : ` ${heldByOthers} stay, because another import brought them too.`;
  return `${removed} faces removed, ${renamedBack} named as before.${held} ${lists[list]}`;
}
