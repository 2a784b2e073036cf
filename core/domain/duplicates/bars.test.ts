import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type PersonDecisionId, type PersonId } from '../../contracts/ids.ts';
import type { GroupingFacts } from '../../storage/persons/groups.ts';
import { SIDE, type StandingDecision } from '../ports/persons.ts';
import { barsOf } from './component.ts';

const [ONE, OTHER] = [trusted.face(1), trusted.face(2)];
const [ADA, BEN] = [11 as PersonId, 12 as PersonId];

/** Two faces of different photos that belong to no person, but for what is stated. */
function between(
  one: Partial<GroupingFacts>,
  other: Partial<GroupingFacts>,
  standing: readonly StandingDecision[] = [],
) {
  const plain = { person: null, externalId: null, x: 50, y: 50, width: 40 };
  const facts = new Map([
    [ONE, { ...plain, face: ONE, file: 'one', ...one }],
    [OTHER, { ...plain, face: OTHER, file: 'other', ...other }],
  ]);
  return barsOf(standing, facts).between(ONE, OTHER);
}

function decision(kind: StandingDecision['kind'], sides: readonly [number, number]): StandingDecision {
  const faces = [ONE, OTHER].map((face, index) => ({ face, side: sides[index]! }));
  return { id: 1 as PersonDecisionId, kind, faces };
}

test('two faces of one photo are parted, the same face enrolled twice is not', () => {
  const photo = { file: 'a group photo' };
  assert.equal(between({ ...photo, x: 10 }, { ...photo, x: 90 }), 'samePhoto');
  assert.equal(between(photo, { ...photo, x: 55 }), undefined, 'the identical photo, sent twice');
  assert.equal(between({ x: 10 }, { x: 90 }), undefined, 'two photos');
});

test('two persons are parted, by their external ids if they have them', () => {
  assert.equal(between({ person: ADA }, { person: BEN }), 'persons');
  const named = [
    { person: ADA, externalId: 'E-1' },
    { person: BEN, externalId: 'E-2' },
  ] as const;
  assert.equal(between(...named), 'externalIds');
  assert.equal(between({ person: ADA }, {}), undefined, 'a face without a person may join one');
  assert.equal(between({ person: ADA }, { person: ADA }), undefined);
});

test('faces on different sides of a decision are parted, those on one side are not', () => {
  assert.equal(between({}, {}, [decision('different', [0, 1])]), 'different');
  assert.equal(between({}, {}, [decision('different', [0, 0])]), undefined);
  assert.equal(between({}, {}, [decision('split', [SIDE.stays, SIDE.chosen])]), 'different');
  assert.equal(between({}, {}, [decision('unsure', [0, 0])]), undefined);
  const moved = [decision('move', [SIDE.chosen, SIDE.target])];
  assert.equal(between({}, {}, moved), undefined, 'a moved face joins the person that it came to');
});

test('a later decision that made two faces one person lifts an earlier bar', () => {
  const parted = [decision('split', [SIDE.stays, SIDE.chosen])];
  assert.equal(between({ person: ADA }, { person: ADA }, parted), undefined);
});
