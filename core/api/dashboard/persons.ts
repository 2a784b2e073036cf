import { existing, ApiError } from '../http/errors.ts';
import {
  ALIKE_LISTED,
  type alikePersons,
  personApi,
  personsAnswer,
  type PersonDetail,
  type PersonEvent,
  type PersonRow,
} from '../../contracts/dashboard/persons.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { FaceId, PersonId } from '../../contracts/ids.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { barsOf } from '../../domain/duplicates/component.ts';
import { SEARCH, searchCoverage } from '../../domain/search/coverage.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { SIDE } from '../../domain/ports/persons.ts';
import type { DecisionRecord, Person } from '../../storage/persons/personRows.ts';
import { serve } from './access/guard.ts';
import { listedFaces, readings } from './duplicateGroups.ts';
import { personCursorOf, personPositionOf } from '../http/personParts.ts';
import { cursorAfter } from '../http/paging.ts';
import { placeholderFace, faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { specimenApi, SPECIMEN_LIMITS } from '../../contracts/persons.ts';
import { invalidSpecimen } from '../../domain/persons/specimens.ts';
import { takeJson } from '../http/fieldForm.ts';
import { readSignatureImage } from '../http/sentImage.ts';

/** Photos of a person, the newest, by which the most similar persons are searched: each is one pass through the gallery. */
const MAX_PROBES = 20;

/** Persons per page by default. */
const PAGE = 50;

/** Persons: the list, one of them with photos and history, and changes. */
export function personRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { persons, personService } = ports;
  serve(app, personApi.list, async ({ operator, query: { text, order, cursor, limit = PAGE } }) => {
    const after = cursor === undefined ? undefined : personPositionOf(cursor);
    const [found, total] = await Promise.all([
      persons.list(operator.companyId, { order, limit, text, after }),
      persons.count(operator.companyId, { text }),
    ]);
    return {
      items: await personRows(ports, operator, found),
      nextCursor: cursorAfter(found, limit, personCursorOf),
      total,
    };
  });
  serve(app, personApi.read, ({ operator, params }) => detailOf(ports, operator, params.id));
  // Name, note, external id and cover.
  serve(app, personApi.change, async ({ operator, act, params, body: { version, ...to } }) => {
    const seen = { id: params.id, version };
    await ports.personService.change(operator.companyId, seen, to, act);
    return rowOf(ports, operator, seen.id);
  });
  // Which photos belong to which person.
  serve(app, personApi.merge, async ({ operator, act, params, body: { version, sourceVersion, reason } }) => {
    const target = { id: params.id, version };
    const source = { id: params.source, version: sourceVersion };
    const merged = await personService.merge(operator.companyId, { target, source }, reason, act);
    return answerOf(ports, operator, merged.decision, [target.id]);
  });
  serve(app, personApi.split, async ({ operator, act, params, body: { version, ...split } }) => {
    const from = { id: params.id, version };
    const done = await personService.split(operator.companyId, from, split, act);
    return answerOf(ports, operator, done.decision, [from.id, done.person]);
  });
  serve(app, personApi.move, async ({ operator, act, params, body: { version, ...move } }) => {
    const from = { id: params.id, version };
    const moved = await personService.move(operator.companyId, from, move, act);
    return answerOf(ports, operator, moved.decision, [from.id, move.to?.id ?? null]);
  });
  serve(app, personApi.alike, ({ operator, params }) => alikeOf(ports, operator, params.id));
}

/** The persons most similar to one, by the faces that can be matched, without those that a decision has parted from it. */
async function alikeOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: PersonId,
): Promise<z.infer<typeof alikePersons>> {
  const { companyId } = operator;
  existing(await ports.persons.find(companyId, id));
  const own = await ports.persons.facesOf(companyId, id);
  const { searched } = await searchCoverage(ports, companyId, { ...SEARCH, inactiveLists: true });
  const near = await ports.duplicateSearch.nearestTo(
    companyId,
    own.slice(-MAX_PROBES),
    searched.flatMap((list) => list.id ?? []),
  );
  const [persons, standing] = await Promise.all([
    ports.persons.ofFaces(companyId, [...near.keys()]),
    ports.persons.standing(companyId, [...own, ...near.keys()]),
  ]);
  const bars = barsOf(standing, new Map());
  const parted = new Set<PersonId>([id]);
  const nearest = new Map<PersonId, number>();
  for (const [face, distance] of near) {
    const person = persons.get(face)?.id;
    if (person === undefined) continue;
    if (own.some((its) => bars.between(its, face) !== undefined)) parted.add(person);
    if (!nearest.has(person)) nearest.set(person, distance);
  }
  const listed = [...nearest].filter(([person]) => !parted.has(person)).slice(0, ALIKE_LISTED);
  if (listed.length === 0) return { items: [] };
  const [found, read] = await Promise.all([
    Promise.all(listed.map(([person]) => rowOf(ports, operator, person))),
    // These distances are of the pipeline that serves now; the last run may have used another.
    readings(ports, companyId, ports.recognition.pipelineOf(companyId)),
  ]);
  return { items: listed.map(([, distance], index) => ({ person: found[index]!, reading: read(distance) })) };
}

async function personRows(
  { views }: DashboardRoutePorts,
  operator: SignedIn,
  persons: readonly Person[],
): Promise<PersonRow[]> {
  const covers = persons.flatMap(({ cover }): FaceId[] => (cover === null ? [] : [cover]));
  const images = new Map(
    (await views.faceImages(operator.companyId, covers)).map((image) => [image.faceId, image]),
  );
  return persons.map(({ cover, ...person }) => {
    const image = cover === null ? undefined : images.get(cover);
    return {
      ...person,
      cover: image === undefined ? placeholderFace(person.name) : faceImageBody(operator, image),
    };
  });
}

async function rowOf(ports: DashboardRoutePorts, operator: SignedIn, person: PersonId): Promise<PersonRow> {
  const found = existing(await ports.persons.find(operator.companyId, person));
  return (await personRows(ports, operator, [found]))[0]!;
}

async function answerOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  decision: number,
  concerned: readonly (PersonId | null)[],
): Promise<z.infer<typeof personsAnswer>> {
  const ids = [...new Set(concerned)].filter((person) => person !== null);
  const found = await Promise.all(ids.map((person) => ports.persons.find(operator.companyId, person)));
  const persons = await personRows(
    ports,
    operator,
    found.filter((person) => person !== undefined),
  );
  return { decisionId: decision, persons };
}

async function detailOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  person: PersonId,
): Promise<PersonDetail> {
  const { companyId } = operator;
  await ports.groups.refresh(companyId);
  const row = await rowOf(ports, operator, person);
  const faces = await ports.persons.facesOf(companyId, person);
  const [shown, records, groups, actors] = await Promise.all([
    listedFaces(ports, operator, faces),
    ports.persons.history(companyId, person),
    ports.duplicateGroups.groupsOf(companyId, faces),
    actorNames(ports, companyId),
  ]);
  const others = records.map((record) => otherOf(record, person)).filter((other) => other !== null);
  const names = await ports.persons.named(companyId, others);
  const open = [...groups.values()].filter(({ state }) => state !== 'accepted').map((group) => group.id);
  return {
    ...row,
    faces: shown,
    history: records.map((record): PersonEvent => {
      const other = otherOf(record, person);
      const name = other === null ? undefined : names.get(other);
      return {
        kind: eventOf(record),
        at: record.at,
        by: record.by,
        byName: actors.get(record.by) ?? null,
        faces: concernedFaces(record),
        other: other === null || name === undefined ? null : { id: other, name },
        reason: record.reason,
        decisionId: record.faces.length === 0 || record.undoneAt !== null ? null : record.id,
        undoneAt: record.undoneAt,
        awaitsConfirmation: record.awaitsConfirmation,
      };
    }),
    openGroups: [...new Set(open)],
  };
}

function otherOf({ person, otherPerson }: DecisionRecord, of: PersonId): PersonId | null {
  return person === of ? otherPerson : person;
}

function concernedFaces({ kind, faces }: DecisionRecord): number {
  const changesPersons = kind === 'merge' || kind === 'split' || kind === 'move';
  return changesPersons ? faces.filter(({ side }) => side === SIDE.chosen).length : faces.length;
}

function eventOf({ kind }: DecisionRecord): PersonEvent['kind'] {
  switch (kind) {
    case 'merge':
      return 'merged';
    case 'split':
      return 'split';
    case 'move':
      return 'moved';
    case 'change':
      return 'changed';
    case 'dissolve':
      return 'deleted';
    case 'undo':
      return 'undone';
    case 'named':
      return 'named';
    case 'same':
    case 'choose':
      return 'accepted';
    case 'different':
    case 'unsure':
      return kind;
  }
}

/** One image as base64, four bytes for three. */
const BODY_LIMIT = 1.5 * SPECIMEN_LIMITS.bytes;

/** The signature specimens of a person. Each view of an image and each use in a comparison is recorded before the answer. */
export function personSpecimenRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { specimenService, companies, persons } = ports;
  serve(app, specimenApi.list, async ({ companyId, params: { id } }) => {
    if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
    const company = await companies.find(companyId);
    const items = await ports.signatureSpecimens.of(companyId, id);
    return { stored: company?.settings.signatureSpecimens === true, items };
  });
  serve(app, specimenApi.image, async ({ companyId, act, params: { id, specimen }, reply }) => {
    const viewed = existing(await specimenService.view(companyId, id, specimen, act));
    return reply.type(`image/${viewed.format}`).send(Buffer.from(viewed.content));
  });
  serve(app, specimenApi.use, async ({ companyId, act, params: { id } }) => {
    if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
    const used = await specimenService.use(companyId, id, act);
    return {
      items: used.map((specimen) => ({
        ...specimen,
        image: `data:image/${specimen.format};base64,${Buffer.from(specimen.content).toString('base64')}`,
      })),
    };
  });
  serve(app, specimenApi.erase, async ({ companyId, act, params: { id, specimen } }) => {
    if (!(await specimenService.erase(companyId, id, specimen, act))) throw new ApiError('NOT_FOUND');
  });
  serve(
    app,
    { ...specimenApi.add, takes: (scope) => takeJson(scope, () => BODY_LIMIT) },
    async ({ companyId, act, params: { id }, body: { image } }) => {
      if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
      const read = readSignatureImage(image, SPECIMEN_LIMITS.bytes);
      if (read.kind === 'fault') throw invalidSpecimen(read.fault);
      return specimenService.add(companyId, id, read.bytes, act);
    },
  );
}
