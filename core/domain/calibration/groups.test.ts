import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_CALIBRATION } from '../../../test/support/fakes.ts';
import { inventedPeople } from '../../../test/support/inventedPeople.ts';
import { TIMER } from '../../platform/platform.ts';
import { measureCompany, type LabelledTemplate } from './measure.ts';

const distance = (p: Float32Array, q: Float32Array) => Math.hypot(...p.map((value, i) => value - q[i]!));

/** People of a group, whose photos stray from them by `noise`. */
function peopleOf(group: string, people: number, photosEach: number, noise: number, seed: number) {
  return inventedPeople(people, photosEach, noise, seed).map(({ person, vector }) => ({
    person: `${group} ${person}`,
    vector,
  }));
}

function measured(...groups: readonly (readonly LabelledTemplate[])[]) {
  const templates = groups.flat();
  const groupOf = new Map(
    templates
      .map(({ person }) => [person, person.split(' ')[0]!] as const)
      .filter(([, group]) => group !== 'none'),
  );
  return measureCompany(TIMER, templates, TEST_CALIBRATION, groupOf);
}

test('a folder whose name spells an accent by two characters has the group of its name', async () => {
  const templates = peopleOf('gate', 40, 3, 0.1, 1).map((each) => ({ ...each, person: `é ${each.person}` }));
  const groupOf = new Map(templates.map(({ person }) => [person, 'gate'] as const));
  const decomposed = templates.map((each) => ({ ...each, person: each.person.normalize('NFD') }));
  const { groups } = await measureCompany(TIMER, decomposed, TEST_CALIBRATION, groupOf);
  assert.deepEqual([groups?.ungrouped, groups?.rates[0]?.groups[0]?.people], [0, 40]);
});

test('a group has the errors of its own pairs at the threshold of all people', async () => {
  const [steady, blurred] = [peopleOf('steady', 40, 3, 0.1, 1), peopleOf('blurred', 30, 3, 0.5, 2)];
  const { groups, points, people } = await measured(steady, blurred, peopleOf('none', 4, 2, 0.1, 3));
  assert.equal(people, 74);
  assert.equal(groups?.ungrouped, 4);
  assert.deepEqual(
    groups.rates.map(({ fmr }) => fmr),
    [1e-2, 1e-4],
    'the rarest that was measured, and the default',
  );
  for (const { fmr, groups: rows, worstFnmr } of groups.rates) {
    assert.deepEqual(
      rows.map((row) => [row.group, row.people, row.fnmr.of]),
      [
        ['blurred', 30, 90],
        ['steady', 40, 120],
      ],
    );
    assert.deepEqual(worstFnmr, { group: 'blurred', isClear: true });
    const at = points.find((point) => point.fmr === fmr)!.distance;
    for (const [index, own] of [blurred, steady].entries()) {
      let [misses, matches] = [0, 0];
      for (const [i, a] of own.entries())
        for (const b of own.slice(0, i)) {
          const isNear = Math.fround(distance(a.vector, b.vector)) <= at;
          if (a.person === b.person) misses += isNear ? 0 : 1;
          else matches += isNear ? 1 : 0;
        }
      const row = rows[index]!;
      assert.deepEqual([row.fnmr.errors, row.fmr.errors], [misses, matches], `${row.group} at ${fmr}`);
      for (const { rate, low, high } of [row.fmr, row.fnmr])
        assert.ok(low <= rate && rate <= high && high > low, 'no rate without an interval');
    }
  }
});

test('a group without an error can still have some: its interval counts people', async () => {
  const { groups } = await measured(peopleOf('one', 40, 3, 0.02, 1), peopleOf('other', 12, 4, 0.02, 2));
  const { fnmr } = groups!.rates[0]!.groups[1]!;
  assert.deepEqual([fnmr.errors, fnmr.of, fnmr.low], [0, 72, 0]);
  assert.ok(Math.abs(fnmr.high - 0.2425) < 1e-3, 'Wilson with 12 people, not with 72 pairs');
  assert.equal(groups!.rates[0]!.worstFnmr, null, 'two groups without errors');
});

test('a small group has no rates and no worst place; without groups there are none', async () => {
  const { groups } = await measured(peopleOf('large', 60, 3, 0.1, 1), peopleOf('few', 9, 4, 0.5, 2));
  assert.deepEqual(groups?.tooSmall, [{ group: 'few', people: 9, matedPairs: 54 }]);
  for (const { groups: rows, worstFmr, worstFnmr } of groups.rates)
    assert.deepEqual([rows.map(({ group }) => group), worstFmr, worstFnmr], [['large'], null, null]);
  const single = await measured(peopleOf('large', 60, 3, 0.1, 1), peopleOf('once', 40, 1, 0.1, 2));
  assert.deepEqual(single.groups?.tooSmall, [{ group: 'once', people: 40, matedPairs: 0 }]);
  const plain = await measureCompany(TIMER, peopleOf('a', 60, 3, 0.1, 1), TEST_CALIBRATION);
  assert.equal(plain.groups, null);
});
