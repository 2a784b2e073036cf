import {
  erasureApi,
  erasureList,
  COPY_POLICIES,
  erasureChoice,
  erasurePlan,
  erasureSummary,
  signedReceipt,
  UNREACHED,
  type CopyPolicy,
  type ErasureCandidate,
  type ErasureChoice,
  type SignedReceipt,
} from '../../contracts/erasure.ts';
import { localApi } from '../../contracts/local.ts';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { InvalidArgumentError, Option, type Command } from 'commander';
import { z } from 'zod';
import {
  RETENTION_KINDS,
  SOON_DAYS,
  type RetentionKind,
  type RetentionPreview,
  type RetentionRules,
} from '../../contracts/retention.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { receiptText } from '../../contracts/erasureText.ts';
import { COMPANY, companyCommand, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { readPicture } from '../client/picture.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { CliError, EXIT, printTable } from '../terminal/output.ts';
import { ask, insteadOf, mustBeHome, withLocalApi } from '../client/localClient.ts';
import { writeAtomically } from '../terminal/atomicWrite.ts';
import type { Terminal } from '../terminal/terminal.ts';

interface ChoiceOptions {
  company: string;
  validation?: number[];
  face?: number[];
  photo?: { uploadId: string; index: number }[];
  comparison?: number[];
}

/** `vouch erase …`: erases the records of a person and signs a receipt. */
export function addEraseCommands(program: Command, terminal: Terminal): void {
  const erase = subcommand(program, 'erase', 'erase the records of a person, with a signed receipt');
  addPreviewCommands(erase, terminal);
  chosen(erase.command('run'))
    .description('erase the records of a plan permanently')
    .requiredOption('--code <code>', 'confirmation code that the plan showed')
    .addOption(
      new Option(
        '--home-copies <policy>',
        'copies of the data directory from before a restore, an update or a migration',
      )
        .choices(COPY_POLICIES)
        .makeOptionMandatory(),
    )
    .option('--output <file>', 'write the signed receipt to this file')
    .action(async (options: ChoiceOptions & { code: string; homeCopies: CopyPolicy; output?: string }) => {
      const { company, code, homeCopies: copies, output: file } = options;
      // Checked before the erasure: afterwards a mistyped file name would only cost a second command.
      if (file !== undefined && existsSync(file))
        throw new CliError(`${file} exists already. Name another file. Nothing was erased.`);
      const body = { code, copies, choice: choiceOf(options) };
      const done = await ask(terminal.home(), erasureApi.erase, { company, body })
        .catch(unknownChoice(company))
        .catch(insteadOf('PLAN_CHANGED', problem('ERASURE_CODE_WRONG')));
      if (terminal.isJson()) terminal.show(done);
      else if (done.signed !== null) console.log(receiptText(done.signed));
      // Last, because the erasure is final whether or not this file can be written. `vouch erase receipt` writes it later.
      if (done.signed !== null && file !== undefined) await writeReceipt(file, done.signed);
      if (done.signed === null)
        throw new CliError(
          `The records were erased and are no longer matched. Another reader holds the database, so the receipt follows shortly: vouch erase receipt ${done.id} --company ${JSON.stringify(company)}`,
          EXIT.someImagesFailed,
        );
    });
  addReceiptCommands(erase, terminal);
}

function addPreviewCommands(erase: Command, terminal: Terminal): void {
  companyCommand(erase, 'find', 'find records that might belong to a person, by a name or a photo')
    .option('--name <text>', 'part of a name, a file name, metadata, or the reference of a comparison')
    .option('--photo <file>', 'photo or face record of the person: finds similar enrolled faces')
    .action(async (options: { company: string; name?: string; photo?: string }) => {
      const { company, name, photo } = options;
      if ((name === undefined) === (photo === undefined))
        throw new CliError('Give either --name or --photo.');
      const found =
        photo === undefined
          ? await ask(terminal.home(), erasureApi.find, { company, query: { name } })
          : await ask(terminal.home(), erasureApi.findByPhoto, {
              company,
              body: await readPicture(terminal.home(), company, photo),
            });
      if (terminal.isJson()) terminal.show(found);
      else if (found.length === 0) console.log('No matching records.');
      else printTable(found.map(candidateRow));
    });
  chosen(erase.command('plan'))
    .description('preview an erasure and show its confirmation code')
    .action(async (options: ChoiceOptions) => {
      const { company } = options;
      const asked = { company, body: { choice: choiceOf(options) } };
      const plan = await ask(terminal.home(), erasureApi.plan, asked).catch(unknownChoice(company));
      terminal.print(plan, planText(plan));
    });
}

function addReceiptCommands(erase: Command, terminal: Terminal): void {
  companyCommand(erase, 'list', 'list the erasures of a company, newest first').action(
    async (options: { company: string }) => {
      const { items } = await ask(terminal.home(), { ...erasureApi.list, answer: erasures }, options);
      terminal.show(items);
    },
  );
  companyCommand(erase, 'receipt <id>', 'show the receipt of an erasure')
    .option('--output <file>', 'write the signed receipt to this file')
    .action(async (id: string, { company, output }: { company: string; output?: string }) => {
      const signed = await ask(terminal.home(), erasureApi.receipt, {
        company,
        params: { id },
      }).catch(insteadOf('NOT_FOUND', problem('RECEIPT_UNKNOWN', { company, receipt: id })));
      if (output !== undefined) await writeReceipt(output, signed);
      terminal.print(signed, output === undefined ? receiptText(signed) : `${output}: the signed receipt.`);
    });
  erase
    .command('verify <receipt>')
    .description('check that this installation signed a receipt, and that the receipt is unchanged')
    .action(async (file: string) => {
      const body = readReceipt(file);
      const { ours } = await ask(terminal.home(), erasureApi.verify, { body });
      if (terminal.isJson()) terminal.show({ ours });
      else if (ours) console.log('Valid: signed by this installation, unchanged.');
      if (!ours)
        throw new CliError(
          'Invalid: the receipt was changed, or another installation signed it.',
          EXIT.failed,
        );
    });
  erase
    .command('replay [receipt]')
    .description('repeat an erasure, or all erasures, after an older backup restored their records')
    .action(async (file?: string) => {
      const receipts = file === undefined ? await keptReceipts(terminal.home()) : [readReceipt(file)];
      const repeated: { receipt: string; repeatedAs: string | null }[] = [];
      for (const signed of receipts) {
        const { id } = await ask(terminal.home(), erasureApi.replay, { body: signed });
        if (file !== undefined || id !== null) repeated.push({ receipt: signed.receipt.id, repeatedAs: id });
      }
      if (terminal.isJson()) terminal.show(repeated);
      else if (repeated.every(({ repeatedAs }) => repeatedAs === null))
        console.log('No record of an erased person exists here.');
      else
        for (const { repeatedAs } of repeated)
          if (repeatedAs !== null)
            console.log(
              `Erased again. To show the receipt: vouch erase receipt ${repeatedAs} --company NAME`,
            );
    });
}

/** The receipts of finished erasures of this installation that the data directory keeps. */
async function keptReceipts(home: string): Promise<SignedReceipt[]> {
  mustBeHome(home);
  const { readReceipts } = await import('../../storage/index.ts');
  const own: SignedReceipt[] = [];
  for (const { signature, ...kept } of await readReceipts(home)) {
    if (signature === null) continue;
    const signed = { ...kept, signature };
    const { ours } = await ask(home, erasureApi.verify, { body: signed });
    if (ours) own.push(signed);
  }
  return own;
}

/** `vouch retention …`: how long a company keeps records of people. */
export function addRetentionCommands(program: Command, terminal: Terminal): void {
  const retention = subcommand(program, 'retention', 'manage how long records of people are kept');
  const shown = (preview: RetentionPreview) => {
    terminal.print(preview, () => printTable(previewRows(preview)));
  };
  companyCommand(
    retention,
    'show',
    'show the retention rules of a company, and how many records are due',
  ).action(async (options: { company: string }) => {
    shown(await ask(terminal.home(), erasureApi.retention, options));
  });
  ruled(retention.command('preview'))
    .description('preview other rules: how many records are due, and their confirmation code')
    .action(async (options: RuleOptions) => {
      const { company } = options;
      const preview = await withLocalApi(terminal.home(), async (api) => {
        const { rules } = await api.ask(erasureApi.retention, { company });
        const body = { rules: { ...rules, ...rulesOf(options) } };
        return api.ask(erasureApi.previewRetention, { company, body });
      });
      shown(preview);
      if (!terminal.isJson())
        console.log(
          `\nTo set these rules: vouch retention set, with the same options and --code ${preview.code}`,
        );
    });
  ruled(retention.command('set'))
    .description('set the rules of a preview; they are applied once a day')
    .requiredOption('--code <code>', 'confirmation code that the preview showed')
    .action(async (options: RuleOptions & { code: string }) => {
      const { company, code } = options;
      const set = await withLocalApi(terminal.home(), async (api) => {
        const { rules } = await api.ask(erasureApi.retention, { company });
        const body = { code, rules: { ...rules, ...rulesOf(options) } };
        return api
          .ask(erasureApi.setRetention, { company, body })
          .catch(insteadOf('PLAN_CHANGED', problem('RETENTION_CODE_WRONG')));
      });
      shown(set);
    });
  companyCommand(retention, 'run', 'apply the rules now').action(async (options: { company: string }) => {
    terminal.show(await ask(terminal.home(), localApi.runRetention, options));
  });
}

type RuleOptions = { company: string } & Partial<RetentionRules>;

const FLAGS: Record<RetentionKind, string> = {
  enrolled: '--enrolled',
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
    command.option(
      `${FLAGS[kind]} <days|keep>`,
      `${RETENTION_KINDS[kind]}: days until erasure, or keep`,
      daysOrKeep,
    );
  return command.requiredOption(...COMPANY);
}

function rulesOf(options: RuleOptions): Partial<RetentionRules> {
  const given = KINDS.filter((kind) => options[kind] !== undefined);
  return Object.fromEntries(given.map((kind) => [kind, options[kind]]));
}

function daysOrKeep(text: string): number | null {
  if (text === 'keep') return null;
  const days = wholeNumber(text);
  if (days < 1) throw new InvalidArgumentError('It must be a number of days (1 or more), or keep.');
  return days;
}

function previewRows({ rules, stored, due, dueSoon }: RetentionPreview) {
  return KINDS.map((kind) => ({
    records: RETENTION_KINDS[kind],
    days: rules[kind] ?? 'keep',
    stored: stored[kind],
    'due now': due[kind],
    [`due in ${SOON_DAYS} days`]: dueSoon[kind],
  }));
}

function chosen(command: Command): Command {
  return command
    .requiredOption(...COMPANY)
    .option('--validation <id>', 'Trust Validation; can be repeated', gathered(wholeNumber))
    .option('--face <id>', 'Blacklist Face Upload ID; can be repeated', gathered(wholeNumber))
    .option('--photo <upload:index>', 'photo of an upload; can be repeated', gathered(photoOf))
    .option('--comparison <id>', 'comparison of faces or signatures; can be repeated', gathered(wholeNumber));
}

function gathered<T>(read: (text: string) => T) {
  return (text: string, before: T[] = []): T[] => [...before, read(text)];
}

function photoOf(text: string): { uploadId: string; index: number } {
  const [uploadId = '', index = ''] = text.split(':');
  return { uploadId, index: wholeNumber(index === '' ? 'none' : index) };
}

/** The terminal shows no names of operators. */
const erasures = erasureList.extend({ items: z.array(erasureSummary) });

/** Names the chosen records that the company does not have. */
function unknownChoice(company: string): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof CodedError) || error.problem.code !== 'NOT_FOUND') throw error;
    const { ids } = z.object({ ids: z.string() }).parse(error.problem.parameters);
    throw new CliError(problem('ERASURE_CHOICE_UNKNOWN', { company, ids }));
  };
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

function planText(plan: z.infer<typeof erasurePlan>): string {
  const { validations, faces, photos, comparisons, examinations, images } = plan;
  const listed = <T>(title: string, items: readonly T[], line: (item: T) => string) =>
    items.length === 0 ? [] : ['', `${title} (${items.length}):`, ...items.map((item) => `  ${line(item)}`)];
  return [
    'These records would be erased permanently:',
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
    ...listed('Deleted faces whose name is still stored', plan.goneFaces, String),
    ...listed(
      'Photos of uploads',
      photos,
      ({ uploadId, index, fileName }) => `${uploadId}:${index}  ${fileName}`,
    ),
    ...listed('Persons', plan.persons, ({ id, name, photosLeft }) =>
      photosLeft === 0 ? `${id}  ${name}` : `${id}  ${name}  (kept, photos: ${photosLeft})`,
    ),
    ...listed('Comparisons of faces or signatures', comparisons, ({ id, at }) => `${id}  ${at}`),
    ...listed(
      'Examinations of one of the faces or comparisons',
      examinations,
      ({ id, at }) => `${id}  ${at}`,
    ),
    ...listed('Case folders to check, with entries that are erased', plan.caseFolders, String),
    '',
    `Images: ${images.count}, ${images.bytes} bytes.`,
    ...listed('Name removed from matches in these validations, which are kept', plan.namedIn, String),
    ...listed(
      'Name also in notes or metadata of these validations: check them yourself',
      plan.mentionedIn,
      String,
    ),
    ...listed('Possibly the same person: add them to the options where they are', plan.candidates, (one) =>
      Object.values(candidateRow(one)).join('  '),
    ),
    ...listed('Copies of the data directory (--home-copies remove|keep)', plan.copies, ({ name }) => name),
    ...listed(UNREACHED.backup, plan.backups, ({ sequence, at }) => `entry ${sequence}, ${at}`),
    ...listed(UNREACHED.export, plan.exports, ({ sequence, at }) => `entry ${sequence}, ${at}`),
    ...listed(
      UNREACHED.source,
      plan.sources,
      ({ installation, list }) => `blacklist "${list}" of the installation "${installation}"`,
    ),
    '',
    `To erase these records: vouch erase run, with the same options and --code ${plan.code}`,
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
    throw new CliError(`${file} is not an erasure receipt: ${String(cause)}`);
  }
}

async function writeReceipt(file: string, signed: SignedReceipt): Promise<void> {
  const text = `${JSON.stringify(signed, null, 2)}\n`;
  await writeAtomically(file, (partial) => writeFile(partial, text, { mode: 0o600 }));
}
