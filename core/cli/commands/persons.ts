import {
  duplicateApi,
  certaintyPercent,
  GROUP_STATES,
  PERSON_DECISIONS,
  type GroupRow,
  type GroupState,
  type PersonDecision,
  type ListedFace,
} from '../../contracts/dashboard/duplicates.ts';
import { personApi, personPage, personRow, personsAnswer } from '../../contracts/dashboard/persons.ts';
import { specimenApi, type SignatureSpecimenBody } from '../../contracts/persons.ts';
import { Argument, Option, type Command } from 'commander';
import { z } from 'zod';
import { ask, withLocalApi, type LocalApi } from '../client/localClient.ts';
import { COMPANY, companyCommand, countFrom1, subcommand, wholeNumber } from '../terminal/arguments.ts';
import { writeAtomically, writeStream } from '../terminal/atomicWrite.ts';
import { readGiven } from '../terminal/inputFile.ts';
import { printTable } from '../terminal/output.ts';
import type { Terminal } from '../terminal/terminal.ts';

/** Rows of one page of a list. */
const PAGE = 200;

/** `vouch duplicates list|export|decide`: the groups that a search proposed. */
export function addGroupCommands(duplicates: Command, terminal: Terminal): void {
  const state = () =>
    new Option('--state <state>', 'groups in this state (default: the open ones)').choices(GROUP_STATES);
  companyCommand(duplicates, 'list', 'list the groups of possible duplicates, the most certain first')
    .addOption(state())
    .option('--limit <count>', 'maximum number of groups', countFrom1, 50)
    .action(async (options: { company: string; state?: GroupState; limit: number }) => {
      const groups = await withLocalApi(terminal.home(), (api) => groupsOf(api, options));
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
    .action(
      async ({ output, company, state: wanted }: { company: string; state?: GroupState; output: string }) => {
        const asked = { company, body: { filter: { state: wanted } } };
        const { bytes } = await writeAtomically(output, (partial) =>
          withLocalApi(terminal.home(), async (api) => {
            const { body } = await api.open('POST /duplicates/export', asked);
            await writeStream(partial, body);
          }),
        );
        terminal.print({ file: output, bytes }, `${output}: ${bytes} bytes`);
      },
    );
  companyCommand(duplicates, 'decide', 'decide whether all faces of a group show one person')
    .argument('<group>', 'number of the group', wholeNumber)
    .addArgument(new Argument('<decision>', 'what the photos of the group show').choices(PERSON_DECISIONS))
    .requiredOption('--version <number>', 'version of the group, as the list shows it', wholeNumber)
    .option('--reason <text>', 'reason of the decision')
    .action(
      async (
        group: number,
        decision: PersonDecision,
        { company, version, reason }: { company: string; version: number; reason?: string },
      ) => {
        const body = { version, about: { kind: 'group' }, decision, reason };
        const answer = await ask(terminal.home(), duplicateApi.decide, {
          company,
          params: { id: group },
          body,
        });
        const decided = {
          decision: answer.decisionId,
          person: answer.person?.id ?? null,
          awaitsConfirmation: answer.group?.state === 'awaitingConfirmation',
        };
        terminal.print(decided, () => {
          const belongs = decided.person === null ? '' : ` The faces belong to person ${decided.person}.`;
          const waits = decided.awaitsConfirmation ? ' A different operator must confirm it.' : '';
          console.log(`Decision ${decided.decision} stored.${belongs}${waits}`);
        });
      },
    );
}

/** `vouch person …`: the persons that decisions made of enrolled faces. */
export function addPersonCommands(program: Command, terminal: Terminal): void {
  const person = subcommand(program, 'person', 'list, merge and split persons');
  addSpecimenCommands(person, terminal);
  companyCommand(person, 'list', 'list the persons of a company, the newest first')
    .option('--text <text>', 'part of the name, or the external ID')
    .option('--limit <count>', 'maximum number of persons', countFrom1, 50)
    .action(async (options: { company: string; text?: string; limit: number }) => {
      terminal.show(
        await withLocalApi(terminal.home(), (api) => personsOf(api, options)),
        'No person was found. A decision about a group creates a person: vouch duplicates decide',
      );
    });
  companyCommand(person, 'show', 'show a person with the numbers of the photos')
    .argument('<id>', 'number of the person', wholeNumber)
    .action(async (id: number, { company }: OfCompany) => {
      const { faces, ...row } = await ask(terminal.home(), personApi.read, { company, params: { id } });
      const shown = shownPerson.parse({ ...row, faces: faces.length });
      const photos = faces.map(photoOf);
      terminal.print({ ...shown, photos }, () => {
        terminal.show(shown);
        printTable(
          photos.map(({ id: face, name, blacklist, enrolledAt }) => ({ face, name, blacklist, enrolledAt })),
        );
      });
    });
  addPhotoCommands(person, terminal);
}

interface OfCompany {
  company: string;
}

/** Merging, splitting and moving. Each change names the versions of the persons that it has just read. */
function addPhotoCommands(person: Command, terminal: Terminal): void {
  const changed = (
    work: (api: LocalApi) => Promise<z.infer<typeof personsAnswer>>,
    whose: number | null = 0,
  ) =>
    withLocalApi(terminal.home(), work).then(({ decisionId, persons }) => {
      terminal.show({ decision: decisionId, person: whose === null ? null : (persons[whose]?.id ?? null) });
    });
  companyCommand(person, 'merge', 'move all photos of one person to another one, which keeps its name')
    .argument('<target>', 'number of the person that stays', wholeNumber)
    .argument('<source>', 'number of the person whose photos move', wholeNumber)
    .action(async (target: number, source: number, { company }: OfCompany) => {
      await changed(async (api) => {
        const body = {
          version: await versionOf(api, company, target),
          sourceVersion: await versionOf(api, company, source),
        };
        return api.ask(personApi.merge, { company, params: { id: target, source }, body });
      });
    });
  companyCommand(person, 'split', 'make photos of a person a new person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<faces...>', 'numbers of the photos')
    .requiredOption('--name <name>', 'name of the new person')
    .action(async (id: number, faces: string[], { company, name }: OfCompany & { name: string }) => {
      const chosen = faces.map(wholeNumber);
      await changed(async (api) => {
        const body = { version: await versionOf(api, company, id), faces: chosen, name };
        return api.ask(personApi.split, { company, params: { id }, body });
      }, 1);
    });
  companyCommand(person, 'move', 'move a photo to another person, or to no person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<face>', 'number of the photo', wholeNumber)
    .option('--to <id>', 'number of the other person (default: no person)', wholeNumber)
    .action(async (id: number, face: number, { company, to }: OfCompany & { to?: number }) => {
      await changed(
        async (api) => {
          const version = await versionOf(api, company, id);
          const target = to === undefined ? null : { id: to, version: await versionOf(api, company, to) };
          const body = { version, faces: [face], to: target };
          return api.ask(personApi.move, { company, params: { id }, body });
        },
        to === undefined ? null : 1,
      );
    });
}

async function versionOf(api: LocalApi, company: string, person: number): Promise<number> {
  return (
    await api.ask(
      { ...personApi.read, answer: personRow.pick({ version: true }) },
      { company, params: { id: person } },
    )
  ).version;
}

/** The fields of a person that the terminal shows. */
const shownPerson = personRow.pick({
  id: true,
  name: true,
  externalId: true,
  note: true,
  faces: true,
  changedAt: true,
});
const shownPersons = personPage.extend({ items: z.array(shownPerson) });

function personsOf(
  api: LocalApi,
  { company, text, limit }: { company: string; text?: string; limit: number },
): Promise<z.infer<typeof shownPerson>[]> {
  return firstOf(limit, (page) =>
    api.ask({ ...personApi.list, answer: shownPersons }, { company, query: { text, ...page } }),
  );
}

/** The first rows of a list that is read in pages. */
async function firstOf<T>(
  count: number,
  read: (page: { limit: number; cursor?: string }) => Promise<{ items: T[]; nextCursor: string | null }>,
): Promise<T[]> {
  const rows: T[] = [];
  for (let cursor: string | undefined; rows.length < count;) {
    const limit = Math.min(PAGE, count - rows.length);
    const page = await read({ limit, ...(cursor !== undefined && { cursor }) });
    rows.push(...page.items);
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  return rows;
}

/** Groups with all their photos: a list has the first ones only. */
async function groupsOf(
  api: LocalApi,
  { company, state, limit }: { company: string; state?: GroupState; limit: number },
) {
  const rows = await firstOf(limit, (page) =>
    api.ask(duplicateApi.groups, { company, query: { state, ...page } }),
  );
  return Promise.all(
    rows.map(async ({ id, version, state: now, identical, certainty, size, faces }) => {
      const all =
        faces.length < size ? (await api.ask(duplicateApi.group, { company, params: { id } })).faces : faces;
      return { id, version, state: now, identical, certainty, size, faces: all.map(photoOf) };
    }),
  );
}

function photoOf({ id, name, blacklist, enrolledAt, person }: ListedFace) {
  return { id, name, blacklist: blacklist?.name ?? null, enrolledAt, person: person?.id ?? null };
}

function lineOf({
  id,
  version,
  state,
  identical,
  certainty,
  size,
  faces,
}: Omit<GroupRow, 'faces' | 'reading' | 'createdAt' | 'changedAt'> & { faces: { name: string }[] }) {
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

/** `vouch person specimens …`: the known signatures that are stored with a person. */
export function addSpecimenCommands(person: Command, terminal: Terminal): void {
  const specimens = person
    .command('specimens')
    .description('manage the known signatures that are stored with a person');
  companyCommand(specimens, 'list', 'list the signature specimens of a person')
    .argument('<id>', 'number of the person', wholeNumber)
    .action(async (id: number, { company }: OfCompany) => {
      const { items: found } = await ask(terminal.home(), specimenApi.list, { company, params: { id } });
      terminal.show(
        terminal.isJson() ? found : found.map(rowOf),
        'This person has no signature specimens. Add one with: vouch person specimens add',
      );
    });
  companyCommand(specimens, 'add', 'store images as signature specimens of a person')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<images...>', 'JPEG or PNG, one signature each')
    .action(async (id: number, images: string[], { company }: OfCompany) => {
      const read = images.map((image) => readGiven(image).toString('base64'));
      const added: SignatureSpecimenBody[] = [];
      try {
        await withLocalApi(terminal.home(), async (api) => {
          for (const [index, image] of read.entries()) {
            const asked = { company, body: { image: `data:image/png;base64,${image}` } };
            const one = await api.ask(specimenApi.add, { ...asked, params: { id } });
            added.push(one);
            if (!terminal.isJson()) console.log(`${images[index] ?? ''}: specimen ${one.id}`);
          }
        });
      } finally {
        // Also where a later image was refused: the specimens before it are stored.
        if (terminal.isJson()) terminal.show(added);
      }
    });
  companyCommand(specimens, 'remove', 'erase a signature specimen of a person; this cannot be undone')
    .argument('<id>', 'number of the person', wholeNumber)
    .argument('<specimen>', 'number of the specimen', wholeNumber)
    .action(async (id: number, specimen: number, { company }: OfCompany) => {
      await ask(terminal.home(), specimenApi.erase, { company, params: { id, specimen } });
      terminal.print({ erased: true }, `Specimen ${specimen} erased.`);
    });
}

function rowOf({ id, addedAt, addedBy, bytes, sha256 }: SignatureSpecimenBody) {
  return { specimen: id, addedAt, addedBy, bytes, sha256 };
}
