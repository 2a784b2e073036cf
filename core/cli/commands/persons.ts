import { Argument, Option, type Command } from 'commander';
import { certaintyPercent } from '../../contracts/dashboard/duplicates.ts';
import type { TerminalGroup } from '../../contracts/admin/identity.ts';
import { csvLine } from '../../contracts/csv.ts';
import {
  GROUP_STATES,
  PERSON_DECISIONS,
  type PersonDecision,
  type GroupState,
} from '../../contracts/dashboard/duplicates.ts';
import { sendAdminCommand } from '../client/adminClient.ts';
import { COMPANY, countFrom1, wholeNumber } from '../terminal/arguments.ts';
import { writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { printTable } from '../terminal/output.ts';
import { addSpecimenCommands } from './personSpecimens.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Groups that an export reads at once. */
const EXPORT_PAGE = 200;

/** `vouch duplicates list|export|decide`: the groups that a search proposed. */
export function addGroupCommands(duplicates: Command, terminal: Terminal): void {
  const state = () =>
    new Option('--state <state>', 'groups in this state (default: the open ones)').choices(GROUP_STATES);
  duplicates
    .command('list')
    .description('list the groups of possible duplicates, the most certain first')
    .requiredOption(...COMPANY)
    .addOption(state())
    .option('--limit <count>', 'maximum number of groups', countFrom1, 50)
    .action(async (options: { company: string; state?: GroupState; limit: number }) => {
      const { groups } = await sendAdminCommand(terminal.home(), 'duplicates.list', options);
      terminal.show(
        terminal.isJson() ? groups : groups.map(lineOf),
        'No group of possible duplicates has this state. Choose another one with --state, or start a search: vouch duplicates find',
      );
    });
  duplicates
    .command('export')
    .description('save the groups as comma-separated values, one line for each face; the export is logged')
    .requiredOption(...COMPANY)
    .requiredOption('--output <file>', 'new file')
    .addOption(state())
    .action(async ({ output, ...options }: { company: string; state?: GroupState; output: string }) => {
      const { bytes } = await writeAtomically(output, (partial) =>
        writeStream(partial, linesOf(terminal.home(), options)),
      );
      if (terminal.isJson()) terminal.show({ file: output, bytes });
      else console.log(`${output}: ${bytes} bytes`);
    });
  duplicates
    .command('decide')
    .description('decide whether all faces of a group show one person')
    .argument('<group>', 'number of the group', wholeNumber)
    .addArgument(new Argument('<decision>', 'what the photos of the group show').choices(PERSON_DECISIONS))
    .requiredOption(...COMPANY)
    .requiredOption('--version <number>', 'version of the group, as the list shows it', wholeNumber)
    .option('--reason <text>', 'reason of the decision')
    .action(
      async (
        group: number,
        decision: PersonDecision,
        { reason, ...options }: { company: string; version: number; reason?: string },
      ) => {
        const input = { ...options, group, decision, reason: reason ?? null };
        const decided = await sendAdminCommand(terminal.home(), 'duplicates.decide', input);
        if (terminal.isJson()) terminal.show(decided);
        else {
          const belongs = decided.person === null ? '' : ` The faces belong to person ${decided.person}.`;
          const waits = decided.awaitsConfirmation ? ' A different operator must confirm it.' : '';
          console.log(`Decision ${decided.decision} stored.${belongs}${waits}`);
        }
      },
    );
}

/** `vouch person …`: the persons that decisions made of enrolled faces. */
export function addPersonCommands(program: Command, terminal: Terminal): void {
  const person = program.command('person').description('list, merge and split persons');
  addSpecimenCommands(person, terminal);
  person
    .command('list')
    .description('list the persons of a company, the newest first')
    .requiredOption(...COMPANY)
    .option('--text <text>', 'part of the name, or the external ID')
    .option('--limit <count>', 'maximum number of persons', countFrom1, 50)
    .action(async (options: { company: string; text?: string; limit: number }) => {
      terminal.show(
        await sendAdminCommand(terminal.home(), 'person.list', options),
        'No person was found. A decision about a group creates a person: vouch duplicates decide',
      );
    });
  person
    .command('show')
    .description('show a person with the numbers of the photos')
    .argument('<id>', 'number of the person', wholeNumber)
    .requiredOption(...COMPANY)
    .action(async (id: number, options: { company: string }) => {
      const { photos, ...shown } = await sendAdminCommand(terminal.home(), 'person.show', { ...options, id });
      if (terminal.isJson()) terminal.show({ ...shown, photos });
      else {
        terminal.show(shown);
        printTable(
          photos.map(({ id: face, name, blacklist, enrolledAt }) => ({ face, name, blacklist, enrolledAt })),
        );
      }
    });
  person
    .command('merge')
    .description('move all photos of one person to another one, which keeps its name')
    .argument('<target>', 'number of the person that stays', wholeNumber)
    .argument('<source>', 'number of the person whose photos move', wholeNumber)
    .requiredOption(...COMPANY)
    .action(async (target: number, source: number, options: { company: string }) => {
      terminal.show(await sendAdminCommand(terminal.home(), 'person.merge', { ...options, target, source }));
    });
  person
    .command('split')
    .description('make photos of a person a new person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<faces...>', 'numbers of the photos')
    .requiredOption(...COMPANY)
    .requiredOption('--name <name>', 'name of the new person')
    .action(async (id: number, faces: string[], options: { company: string; name: string }) => {
      const input = { ...options, id, faces: faces.map(wholeNumber) };
      terminal.show(await sendAdminCommand(terminal.home(), 'person.split', input));
    });
  person
    .command('move')
    .description('move a photo to another person, or to no person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<face>', 'number of the photo', wholeNumber)
    .requiredOption(...COMPANY)
    .option('--to <id>', 'number of the other person (default: no person)', wholeNumber)
    .action(async (id: number, face: number, { to, ...options }: { company: string; to?: number }) => {
      const input = { ...options, id, face, to: to ?? null };
      terminal.show(await sendAdminCommand(terminal.home(), 'person.move', input));
    });
}

function lineOf({ id, version, state, identical, certainty, size, faces }: TerminalGroup) {
  const { percent, isMore } = certaintyPercent(certainty);
  return {
    group: id,
    version,
    state,
    photos: size,
    certainty: identical ? 'identical photos' : `${isMore ? 'more than ' : ''}${percent}%`,
    names: faces.map(({ name }) => name).join(', '),
  };
}

async function* linesOf(
  home: string,
  options: { company: string; state?: GroupState },
): AsyncIterable<Buffer> {
  const head = [
    'group',
    'state',
    'certainty',
    'identicalPhotos',
    'face',
    'name',
    'list',
    'enrolled',
    'person',
  ];
  yield Buffer.from(`\ufeff${csvLine(head)}`);
  for (let after: { value: number; size: number; id: number } | undefined; ;) {
    const page = await sendAdminCommand(home, 'duplicates.list', {
      ...options,
      export: true,
      limit: EXPORT_PAGE,
      after,
    });
    const lines = page.groups.flatMap(({ id, state, certainty, identical, faces }) =>
      faces.map(({ id: face, name, blacklist, enrolledAt, person }) =>
        csvLine([
          ...[String(id), state, certainty.toFixed(4), String(identical)],
          ...[String(face), name, blacklist ?? '', enrolledAt, String(person ?? '')],
        ]),
      ),
    );
    yield Buffer.from(lines.join(''));
    if (page.next === null) return;
    after = page.next;
  }
}
