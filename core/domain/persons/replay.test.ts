/** Persons that follow from decisions, and groups that follow from distances. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf, SEED } from '../../../test/support/seed.ts';
import { trusted, type FaceId, type PersonDecisionId } from '../../contracts/ids.ts';
import { groupFaces } from '../duplicates/grouping.ts';
import type { StandingDecision } from '../ports/persons.ts';
import { replay } from './replay.ts';

const ROUNDS = Number(process.env.VOUCH_RUNS ?? 50);
const FACES = 8;

function decision(
  id: number,
  kind: StandingDecision['kind'],
  ...sides: readonly (readonly number[])[]
): StandingDecision {
  const faces = sides.flatMap((ids, side) => ids.map((face) => ({ face: trusted.face(face), side })));
  return { id: id as PersonDecisionId, kind, faces };
}

const partition = (decisions: readonly StandingDecision[]) =>
  replay(decisions).persons.map(({ faces }) => faces);

test('same decisions form the connected components, whichever are undone', (t) => {
  t.diagnostic(`VOUCH_SEED=${SEED}`);
  for (let round = 0; round < ROUNDS; round += 1) {
    const random = randomOf(SEED, round);
    const face = () => 1 + Math.floor(random() * FACES);
    const standing = Array.from({ length: 6 }, (_, id) => decision(id + 1, 'same', [face(), face()])).filter(
      () => random() < 0.7,
    );
    const label = Array.from({ length: FACES + 1 }, (_, id) => id);
    for (const { faces } of standing) {
      const [one, other] = [label[faces[0]!.face]!, label[faces.at(-1)!.face]!];
      for (let id = 1; id <= FACES; id += 1) if (label[id] === other) label[id] = one;
    }
    const named = [...new Set(standing.flatMap(({ faces }) => faces.map(({ face: id }) => id as number)))];
    const expected = [
      ...Map.groupBy(
        named.toSorted((a, b) => a - b),
        (id) => label[id],
      ).values(),
    ];
    const found = partition(standing).toSorted((a, b) => a[0]! - b[0]!);
    assert.deepEqual(found, expected);
  }
});

test('faces that were added after a merge stay when the merge is undone', () => {
  const [one, two] = [decision(1, 'same', [1, 2]), decision(2, 'same', [3, 4])];
  const merge = decision(3, 'merge', [1, 2], [3, 4]);
  const later = decision(4, 'same', [1, 5]);
  assert.deepEqual(partition([one, two, merge, later]), [[1, 2, 3, 4, 5]]);
  assert.deepEqual(partition([one, two, later]), [
    [1, 2, 5],
    [3, 4],
  ]);
  const moved = decision(5, 'move', [1, 2], [5], [3, 4]);
  assert.deepEqual(partition([one, two, later, moved]), [
    [1, 2],
    [3, 4, 5],
  ]);
  const different = decision(6, 'different', [2], [3]);
  assert.equal(replay([one, two, different]).contradicted, undefined);
  assert.equal(replay([one, two, different, merge]).contradicted, 6);
});

test('a chain of look-alikes joins no far faces, and barred pairs stay apart', () => {
  const link = 0.3;
  const chain = Array.from({ length: 300 }, (_, step) => step * 0.01);
  const vectors = new Map<FaceId, Float32Array>(
    chain.map((angle, index) => [trusted.face(index + 1), Float32Array.of(Math.cos(angle), Math.sin(angle))]),
  );
  const pairs = chain.slice(1).map((_, index) => ({
    first: trusted.face(index + 1),
    second: trusted.face(index + 2),
    distance: 0.01,
  }));
  const input = {
    vectors,
    pairs,
    link,
    cap: link,
    strong: 0,
    strongCap: 0,
    persons: [],
    barred: () => false,
  };
  const groups = groupFaces(input);
  for (const { faces } of groups) assert.ok((faces.at(-1)! - faces[0]!) * 0.01 <= link * 1.01);
  assert.deepEqual(groupFaces({ ...input, pairs: pairs.toReversed() }), groups, 'the order does not matter');
  const barred = (one: FaceId, other: FaceId) => one % 2 !== other % 2;
  for (const { faces } of groupFaces({ ...input, barred }))
    assert.equal(new Set(faces.map((face) => face % 2)).size, 1);
});

test('a photo between two people of 200 photos joins one of them at most', () => {
  const [link, cap, photos] = [0.3, 0.6, 200];
  const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
  // The bridge is face 401, 0.25 from both people, who are 0.5 apart: within the cap, so the average alone separates them.
  const angles = [...Array<number>(photos).fill(0), ...Array<number>(photos).fill(0.5), 0.25];
  const vectors = new Map(angles.map((angle, index) => [trusted.face(index + 1), at(angle)]));
  const bridge = trusted.face(2 * photos + 1);
  const pairs = angles
    .slice(0, -1)
    .flatMap((_, index) => [
      { first: trusted.face(index + 1), second: bridge, distance: 0.25 },
      ...(index % photos === 0
        ? []
        : [{ first: trusted.face(index), second: trusted.face(index + 1), distance: 0 }]),
    ]);
  const groups = groupFaces({
    vectors,
    pairs,
    link,
    cap,
    strong: 0,
    strongCap: 0,
    persons: [],
    barred: () => false,
  });
  assert.deepEqual(groups.map(({ faces }) => faces.length).toSorted(), [photos, photos + 1]);
  for (const { faces } of groups)
    assert.ok(!(faces.includes(trusted.face(1)) && faces.includes(trusted.face(photos + 1))));
});

test('faces that a strong pair links are in one group, unless they are barred', () => {
  const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
  // Two photos each of one person at two ages: only the second and the third resemble each other strongly.
  const angles = [0, 0.25, 0.5, 0.75];
  const vectors = new Map(angles.map((angle, index) => [trusted.face(index + 1), at(angle)]));
  const pair = (first: number, second: number, distance: number) => ({
    first: trusted.face(first),
    second: trusted.face(second),
    distance,
  });
  const pairs = [pair(1, 2, 0.2), pair(3, 4, 0.2), pair(2, 3, 0.25)];
  const input = {
    vectors,
    pairs,
    link: 0.3,
    cap: 0.5,
    strong: 0.25,
    strongCap: 0.7,
    persons: [],
    barred: () => false,
  };
  assert.deepEqual(
    groupFaces(input).map(({ faces }) => faces),
    [[1, 2, 3, 4]],
  );
  const apart = groupFaces({ ...input, strong: 0 }).map(({ faces }) => faces);
  assert.ok(apart.length > 1 || apart[0]!.length < 4, 'without a strong pair the limits part them');
  const barred = (one: FaceId, other: FaceId) => one + other === 5;
  for (const { faces } of groupFaces({ ...input, barred }))
    assert.ok(!(faces.includes(trusted.face(2)) && faces.includes(trusted.face(3))));
  assert.ok(groupFaces({ ...input, strongCap: 0.4 }).length > 1, 'groups that are too far apart stay apart');
});

test('a copy of a photo joins its person, up to the limit for strong pairs', () => {
  const at = (angle: number) => Float32Array.of(Math.cos(angle), Math.sin(angle));
  const [known, other, copy] = [trusted.face(1), trusted.face(2), trusted.face(3)];
  // The two nearest pairs are 0 and 0.495 apart, so the copy is 0.350 from the person.
  const input = {
    vectors: new Map([
      [known, at(0)],
      [other, at(0.5)],
      [copy, at(0)],
    ]),
    pairs: [{ first: known, second: copy, distance: 0 }],
    link: 0.16,
    cap: 0.26,
    strong: 0,
    strongCap: 0.356,
    persons: [[known, other]],
    barred: () => false,
  };
  const [group] = groupFaces(input);
  assert.deepEqual(group?.faces, [known, other, copy]);
  assert.ok(Math.abs(group.link - 0.35) < 1e-3);
  assert.deepEqual(groupFaces({ ...input, strongCap: 0.34 }), [{ faces: [known, other], link: 0 }]);
});
