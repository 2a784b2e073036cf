/** Persons of the interface that answers browser tests. */
import {
  alikePersons,
  personChange,
  personDetail,
  personMerge,
  personMove,
  personPage,
  personQuery,
  personRow,
  personsAnswer,
  personSplit,
  type PersonDetail,
  type PersonEvent,
  type PersonRow,
} from '../../core/contracts/dashboard/persons.ts';
import {
  loadedSpecimens,
  personSpecimens,
  type SignatureSpecimenBody,
} from '../../core/contracts/persons.ts';
import { faceOf } from './fixtureDuplicates.ts';
import { at, readingOf, FIRST_PERSON, personName, PERSONS, faceImageOf } from './fixtures.ts';

/** One white pixel. */
const SMALLEST_PNG =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC';

type Answer = [status: number, body: unknown];

/** The state that changes while a test uses the persons. */
export interface PersonState {
  /** Changes that arrived: the route, and what was sent. */
  changes: { route: string; sent: unknown }[];
  changed: Map<number, Partial<PersonRow>>;
  /** Ids of the specimens of every person. */
  specimens: number[];
}
export const newPersonState = (): PersonState => ({ changes: [], changed: new Map(), specimens: [1, 2, 3] });

const FIRST = FIRST_PERSON;

function rowOf({ changed }: PersonState, id: number): PersonRow {
  return {
    id,
    version: 1,
    name: personName(id),
    externalId: id % 3 === 0 ? `HR-${4_000 + id}` : null,
    note: id === FIRST ? 'Two enrolments in one week, at both gates' : null,
    cover: faceImageOf(id),
    faces: 2 + (id % 3),
    createdAt: at(-600 + id),
    changedAt: at(-500 + id),
    ...changed.get(id),
  };
}

function detailOf(state: PersonState, id: number): PersonDetail {
  const row = rowOf(state, id);
  const person = { id, name: row.name };
  const event = (facts: Partial<PersonEvent>): PersonEvent => ({
    kind: 'accepted',
    at: at(-500),
    by: 'operator:1',
    byName: 'Maren Holt',
    faces: row.faces,
    other: null,
    reason: null,
    undoneAt: null,
    awaitsConfirmation: false,
    decisionId: 90,
    ...facts,
  });
  return {
    ...row,
    faces: Array.from({ length: row.faces }, (_, photo) => ({ ...faceOf(id, photo), person })),
    history: [
      event({
        kind: 'merged',
        at: at(-400),
        other: null,
        reason: 'Same document.',
        decisionId: null,
        undoneAt: at(-300),
      }),
      event({}),
      event({ kind: 'created', at: at(-600), decisionId: null }),
    ],
    openGroups: id === FIRST ? [302] : [],
  };
}

export function answerPersons(
  site: { behaviour: { rows: number }; persons: PersonState },
  route: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  const state = site.persons;
  if (route === 'GET /persons') {
    const text = personQuery.parse(Object.fromEntries(query)).text?.toLowerCase() ?? '';
    const all = Array.from({ length: PERSONS }, (_, index) => rowOf(state, FIRST + index));
    const items =
      site.behaviour.rows === 0 ? [] : all.filter(({ name }) => name.toLowerCase().includes(text));
    return [200, personPage.parse({ items, nextCursor: null, total: items.length })];
  }
  const specimens = answerSpecimens(state, route);
  if (specimens !== undefined) return specimens;
  const one = /^(GET|PATCH|POST) \/persons\/(\d+)(?:\/(merge|split|move|alike))?(?:\/(\d+))?$/.exec(route);
  const id = Number(one?.[2]);
  if (one === null || id < FIRST || id >= FIRST + PERSONS) return undefined;
  if (one[3] === 'alike') {
    const others = [FIRST, FIRST + 3].filter((other) => other !== id);
    const items = others.map((other, place) => ({
      person: rowOf(state, other),
      // The second one is another person without doubt.
      reading: readingOf(place === 0 ? 88.4 : 41.2),
    }));
    return [200, alikePersons.parse({ items })];
  }
  if (one[1] === 'GET') return [200, personDetail.parse(detailOf(state, id))];
  const sent: unknown = JSON.parse(body.toString());
  state.changes.push({ route, sent });
  if (one[1] === 'PATCH') {
    const { cover, version, ...change } = personChange.parse(sent);
    const held = state.changed.get(id) ?? {};
    state.changed.set(id, {
      ...held,
      ...(change as Partial<PersonRow>),
      ...(cover !== undefined && { cover: faceImageOf(id, cover % 10) }),
      version: version + 1,
    });
    return [200, personRow.parse(rowOf(state, id))];
  }
  const shape = { merge: personMerge, split: personSplit, move: personMove }[
    one[3] as 'merge' | 'split' | 'move'
  ];
  shape.parse(sent);
  return [200, personsAnswer.parse({ decisionId: 92, persons: [rowOf(state, id)] })];
}

const specimenOf = (id: number): SignatureSpecimenBody => ({
  id,
  sha256: id.toString(16).padStart(64, '0'),
  format: 'png',
  bytes: 24_000,
  addedAt: at(-300 + id),
  addedBy: 'operator:1',
});

/** The specimens of a person. Their images are drawn. */
function answerSpecimens(state: PersonState, route: string): Answer | undefined {
  const asked = /^(GET|POST|DELETE) \/persons\/\d+\/specimens(?:\/(use|\d+))?$/.exec(route);
  if (asked === null) return undefined;
  const [, method, which] = asked;
  if (which === 'use') {
    const items = state.specimens.map((id) => ({ ...specimenOf(id), image: SMALLEST_PNG }));
    return [200, loadedSpecimens.parse({ items })];
  }
  if (method === 'GET')
    return [200, personSpecimens.parse({ stored: true, items: state.specimens.map(specimenOf) })];
  if (method === 'DELETE') {
    state.specimens = state.specimens.filter((id) => String(id) !== which);
    return [204, null];
  }
  const added = Math.max(0, ...state.specimens) + 1;
  state.specimens.push(added);
  return [200, specimenOf(added)];
}
