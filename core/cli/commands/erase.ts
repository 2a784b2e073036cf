import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import type { AdminOutput } from '../../contracts/admin/commands.ts';
import {
  COPY_FATES,
  erasureChoice,
  signedReceipt,
  UNREACHED,
  type CopyFate,
  type ErasureCandidate,
  type ErasureChoice,
  type SignedReceipt,
} from '../../contracts/erasure.ts';
import { RETENTION_KINDS, type RetentionKind, type RetentionRules } from '../../contracts/retention.ts';
import { receiptText } from '../../contracts/erasureText.ts';
import { wholeNumber } from '../terminal/arguments.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { withAdminSocketOrHome } from '../client/adminClient.ts';
import { writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ChoiceOptions {
  company: string;
  validation?: number[];
  face?: number[];
  photo?: { uploadId: string; index: number }[];
  comparison?: number[];
}

/** `vouch erase …`: everything of a person, with a receipt. */
export function addEraseCommands(program: Command, terminal: Terminal): void {
  const erase = program.command('erase').description('erase a person, with a receipt that proves it');
  addLookingCommands(erase, terminal);
  chosen(erase.command('run'))
    .description('erase what the plan of this code lists; it cannot be undone')
    .requiredOption('--code <code>', 'as the plan showed it')
    .addOption(
      new Option('--copies <fate>', 'copies of the home from before a restore or an update')
        .choices(COPY_FATES)
        .makeOptionMandatory(),
    )
    .option('--receipt <file>', 'write the signed receipt there')
    .action(async (options: ChoiceOptions & { code: string; copies: CopyFate; receipt?: string }) => {
      const { company, code, copies, receipt: file } = options;
      // Before anything is erased: the receipt is shown again at any time, but a typing error helps nobody.
      if (file !== undefined && existsSync(file))
        throw new CliError(`${file} exists already. Name another file.`);
      const input = { company, code, copies, choice: choiceOf(options) };
      const done = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.run', input),
      );
      if (terminal.isJson()) terminal.show(done);
      else if (done.signed !== null) console.log(receiptText(done.signed));
      // Last: they are erased whether or not it can be written there, and it is shown again at any time.
      if (done.signed !== null && file !== undefined) await writeReceipt(file, done.signed);
      if (done.signed === null)
        throw new CliError(
          `Erased, and nobody is matched by it any more; something reads the database at this moment, so the receipt follows: vouch erase receipt ${done.id}`,
          EXIT.someImagesFailed,
        );
    });
  addReceiptCommands(erase, terminal);
}

function addLookingCommands(erase: Command, terminal: Terminal): void {
  erase
    .command('find')
    .description('what may be of a person, by a name or a photo; a person decides what is')
    .requiredOption('--company <name>')
    .option(
      '--name <text>',
      'part of a name, a file name, metadata, or a reference of a signature comparison',
    )
    .option('--photo <file>', 'a JPEG or PNG: enrolled faces that resemble it')
    .action(async (options: { company: string; name?: string; photo?: string }) => {
      const { company, name, photo } = options;
      if ((name === undefined) === (photo === undefined))
        throw new CliError('Give either --name or --photo.');
      const input = {
        company,
        ...(name !== undefined && { name }),
        ...(photo !== undefined && { photo: readGiven(photo).toString('base64') }),
      };
      const found = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.find', input),
      );
      if (terminal.isJson()) terminal.show(found);
      else if (found.length === 0) console.log('Nothing was found.');
      else printTable(found.map(candidateRow));
    });
  chosen(erase.command('plan'))
    .description('everything that would go, and the code that confirms it; changes nothing')
    .action(async (options: ChoiceOptions) => {
      const input = { company: options.company, choice: choiceOf(options) };
      const plan = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.plan', input),
      );
      if (terminal.isJson()) terminal.show(plan);
      else console.log(planText(plan));
    });
}

function addReceiptCommands(erase: Command, terminal: Terminal): void {
  erase
    .command('list')
    .description('the erasures of a company, newest first')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) => administrate('erase.list', options)),
      );
    });
  erase
    .command('receipt <id>')
    .description('a receipt once more')
    .requiredOption('--company <name>')
    .option('--to <file>', 'write it there, signed')
    .action(async (id: string, options: { company: string; to?: string }) => {
      const input = { company: options.company, id };
      const signed = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.receipt', input),
      );
      if (options.to !== undefined) await writeReceipt(options.to, signed);
      if (terminal.isJson()) terminal.show(signed);
      else
        console.log(options.to === undefined ? receiptText(signed) : `${options.to}: the receipt, signed.`);
    });
  erase
    .command('verify <receipt>')
    .description('whether this installation signed a receipt, and nobody changed it')
    .action(async (file: string) => {
      const { ours } = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.verify', readReceipt(file)),
      );
      if (terminal.isJson()) terminal.show({ ours });
      else if (ours) console.log('The receipt is as this installation signed it.');
      if (!ours)
        throw new CliError(
          'The receipt was not signed by this installation, or it was changed.',
          EXIT.failed,
        );
    });
  erase
    .command('again <receipt>')
    .description('erase once more whom a receipt names, after an older backup brought them back')
    .action(async (file: string) => {
      const { id } = await withAdminSocketOrHome(terminal.home(), (administrate) =>
        administrate('erase.again', readReceipt(file)),
      );
      if (terminal.isJson()) terminal.show({ id });
      else console.log(id === null ? 'Nothing of it is here.' : `Erased again: vouch erase receipt ${id}`);
    });
}

/** `vouch retention …`: how long a company keeps what it knows of people. */
export function addRetentionCommands(program: Command, terminal: Terminal): void {
  const retention = program.command('retention').description('how long things of people are kept');
  const shown = (preview: AdminOutput<'retention.show'>) => {
    if (terminal.isJson()) terminal.show(preview);
    else printTable(previewRows(preview));
  };
  retention
    .command('show')
    .description('the rules of a company, and how many things they take now')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      shown(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('retention.show', options),
        ),
      );
    });
  ruled(retention.command('preview'))
    .description(
      'how many things other rules would take now, and the code that confirms them; changes nothing',
    )
    .action(async (options: RuleOptions) => {
      const preview = await withAdminSocketOrHome(terminal.home(), async (administrate) => {
        const { rules } = await administrate('retention.show', { company: options.company });
        const input = { company: options.company, rules: { ...rules, ...rulesOf(options) } };
        return administrate('retention.preview', input);
      });
      shown(preview);
      if (!terminal.isJson()) console.log(`\nTo set these rules: --code ${preview.code}`);
    });
  ruled(retention.command('set'))
    .description('set the rules that a preview showed; they are applied once a day')
    .requiredOption('--code <code>', 'as the preview showed it')
    .action(async (options: RuleOptions & { code: string }) => {
      const { company, code } = options;
      const set = await withAdminSocketOrHome(terminal.home(), async (administrate) => {
        const { rules } = await administrate('retention.show', { company });
        return administrate('retention.set', { company, code, rules: { ...rules, ...rulesOf(options) } });
      });
      shown(set);
    });
  retention
    .command('run')
    .description('apply the rules now')
    .requiredOption('--company <name>')
    .action(async (options: { company: string }) => {
      terminal.show(
        await withAdminSocketOrHome(terminal.home(), (administrate) =>
          administrate('retention.run', options),
        ),
      );
    });
}

type RuleOptions = { company: string } & Partial<RetentionRules>;

const FLAGS: Record<RetentionKind, string> = {
  verified: '--verified',
  rejected: '--rejected',
  reviewNeeded: '--review-needed',
  incomplete: '--incomplete',
  blacklistFaces: '--blacklist-faces',
  failedPhotos: '--failed-photos',
  comparisons: '--comparisons',
};
const KINDS = Object.keys(FLAGS) as RetentionKind[];

function ruled(command: Command): Command {
  for (const kind of KINDS)
    command.option(`${FLAGS[kind]} <days|keep>`, `days, or keep: ${RETENTION_KINDS[kind]}`, daysOrKeep);
  return command.requiredOption('--company <name>');
}

function rulesOf(options: RuleOptions): Partial<RetentionRules> {
  const given = KINDS.filter((kind) => options[kind] !== undefined);
  return Object.fromEntries(given.map((kind) => [kind, options[kind]]));
}

function daysOrKeep(text: string): number | null {
  if (text === 'keep') return null;
  const days = wholeNumber(text);
  if (days < 1) throw new InvalidArgumentError('It must be a number of days from 1, or keep.');
  return days;
}

function previewRows({ rules, due }: AdminOutput<'retention.show'>) {
  return KINDS.map((kind) => ({
    what: RETENTION_KINDS[kind],
    days: rules[kind] ?? 'keep',
    'due now': due[kind],
  }));
}

function chosen(command: Command): Command {
  return command
    .requiredOption('--company <name>')
    .option('--validation <id>', 'a Trust Validation; may be repeated', gathered(wholeNumber))
    .option('--face <id>', 'a Blacklist Face Upload ID; may be repeated', gathered(wholeNumber))
    .option('--photo <upload:index>', 'a photo of an upload; may be repeated', gathered(photoOf))
    .option('--comparison <id>', 'a signature comparison; may be repeated', gathered(wholeNumber));
}

function gathered<T>(read: (text: string) => T) {
  return (text: string, before: T[] = []): T[] => [...before, read(text)];
}

function photoOf(text: string): { uploadId: string; index: number } {
  const [uploadId = '', index = ''] = text.split(':');
  return { uploadId, index: wholeNumber(index === '' ? 'none' : index) };
}

function choiceOf({ validation, face, photo, comparison }: ChoiceOptions): ErasureChoice {
  const choice = {
    validations: validation ?? [],
    faces: face ?? [],
    photos: photo ?? [],
    comparisons: comparison ?? [],
  };
  const parsed = erasureChoice.safeParse(choice);
  if (!parsed.success) throw new CliError(parsed.error.issues.map(({ message }) => message).join('\n'));
  return parsed.data;
}

function planText(plan: AdminOutput<'erase.plan'>): string {
  const { validations, faces, photos, comparisons, images } = plan;
  const listed = <T>(title: string, things: readonly T[], line: (thing: T) => string) =>
    things.length === 0
      ? []
      : ['', `${title} (${things.length}):`, ...things.map((thing) => `  ${line(thing)}`)];
  return [
    'This would be erased, and cannot be brought back:',
    ...listed(
      'Trust Validations',
      validations,
      ({ id, name, entries, notes }) => `${id}  ${name}  (${entries} entries, ${notes} notes)`,
    ),
    ...listed(
      'Faces',
      faces,
      ({ id, name, watchlist, templates }) => `${id}  ${name}  (${watchlist}, ${templates} templates)`,
    ),
    ...listed('Faces that are gone already, with the name they left', plan.goneFaces, String),
    ...listed(
      'Photos of uploads',
      photos,
      ({ uploadId, index, fileName }) => `${uploadId}:${index}  ${fileName}`,
    ),
    ...listed('Signature comparisons', comparisons, ({ id, at }) => `${id}  ${at}`),
    '',
    `Images: ${images.count}, ${images.bytes} bytes.`,
    ...listed('The name goes from entries of these validations, which stay', plan.namedIn, String),
    ...listed(
      'The name is in notes or metadata of these validations, which are left to you',
      plan.mentionedIn,
      String,
    ),
    ...listed('Perhaps of the same person too: choose them or not', plan.candidates, (one) =>
      Object.values(candidateRow(one)).join('  '),
    ),
    ...listed(
      'Copies of the home with everything in it (--copies remove|keep)',
      plan.copies,
      ({ name }) => name,
    ),
    ...listed(UNREACHED.backup, plan.backups, ({ sequence, at }) => `entry ${sequence}, ${at}`),
    ...listed(UNREACHED.export, plan.exports, ({ sequence, at }) => `entry ${sequence}, ${at}`),
    ...listed(UNREACHED.source, plan.sources, ({ site, list }) => `list "${list}" of the site "${site}"`),
    '',
    `To erase it: vouch erase run, with the same options and --code ${plan.code}`,
  ].join('\n');
}

function candidateRow({ kind, id, name, why, score, at }: ErasureCandidate) {
  return { kind, id, name, why: score === null ? why : `${why} ${score.toFixed(0)}`, at };
}

function readReceipt(file: string): SignedReceipt {
  const text = readGiven(file).toString();
  try {
    return signedReceipt.parse(JSON.parse(text));
  } catch (cause) {
    throw new CliError(`${file} is not a receipt of an erasure: ${String(cause)}`);
  }
}

async function writeReceipt(file: string, signed: SignedReceipt): Promise<void> {
  const text = `${JSON.stringify(signed, null, 2)}\n`;
  await writeAtomically(file, (partial) => writeFile(partial, text, { mode: 0o600 }));
}
