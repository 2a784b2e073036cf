import assert from 'node:assert/strict';
import { test } from 'node:test';
import { overstatesSupport, supportOf } from '../../contracts/knownSignatures.ts';
import { measureKnownSets, planKnownSets, type ComparedKnownSet } from './knownSets.ts';
import type { LabelledImage } from './pairs.ts';

const image = new Uint8Array();
function labelled(writers: number, signatures: number, imitations = 0): LabelledImage[] {
  return Array.from({ length: writers }, (_, writer) =>
    Array.from({ length: signatures + imitations }, (_each, i) => ({
      writer: `w${writer}`,
      file: `w${writer}/${i}.png`,
      forgery: i >= signatures,
      image,
    })),
  ).flat();
}

const ratio = (log10: number) => ({ log10, bounds: { lowest: -2, highest: 2 }, support: supportOf(log10) });
const set = (of: ComparedKnownSet['of'], writer: number, log10: number, known = 3): ComparedKnownSet => ({
  of,
  writer,
  known,
  ratios: { imitation: ratio(log10), stranger: ratio(log10) },
});

test('a drawn set has one writer, and never its own questioned signature', () => {
  const images = labelled(12, 6, 2);
  const sets = planKnownSets(images);
  assert.deepEqual(sets, planKnownSets(images), 'the same sets for the same images');
  assert.deepEqual([...new Set(sets.map(({ known }) => known.length))], [3, 5]);
  for (const { of, writer, known, questioned } of sets) {
    assert.equal(new Set([...known, questioned]).size, known.length + 1);
    assert.ok(known.every((place) => images[place]!.writer === `w${writer}` && !images[place]!.forgery));
    const { forgery, writer: by } = images[questioned]!;
    assert.deepEqual([forgery, by === `w${writer}`], [of === 'imitation', of !== 'stranger']);
  }
  const kinds = (kind: ComparedKnownSet['of']) => sets.filter(({ of }) => of === kind).length;
  assert.equal(kinds('genuine'), 12 * 4 * 2);
  assert.equal(kinds('imitation'), kinds('stranger'));
});

test('a size without ten writers that have enough signatures is not drawn', () => {
  assert.deepEqual(planKnownSets(labelled(9, 8)), []);
  assert.ok(planKnownSets(labelled(10, 5)).every(({ known }) => known.length === 3));
  assert.ok(planKnownSets(labelled(400, 6)).length <= 2 * 3 * 120, 'many writers take minutes, not hours');
});

test('rates count findings for the wrong proposition, with an interval over writers', () => {
  const writers = Array.from({ length: 20 }, (_, writer) => writer);
  const compared = writers.flatMap((writer) => [
    set('genuine', writer, writer < 2 ? -0.4 : 1),
    // A finding of no support either way is no error.
    set('stranger', writer, writer < 5 ? 0.2 : -1),
    // Too few writers have imitations.
    ...(writer < 9 ? [set('imitation', writer, 1)] : []),
  ]);
  const measured = measureKnownSets(compared, 'v1');
  assert.ok(measured !== null);
  assert.deepEqual(
    measured.rates.map(({ of, known, writers: count }) => [of, known, count]),
    [['stranger', 3, 20]],
  );
  const [rate] = measured.rates;
  assert.ok(rate !== undefined);
  const { genuine, other } = rate;
  assert.equal(genuine.share, 0.1);
  assert.ok(genuine.low < 0.1 && genuine.high > 0.1 && genuine.high < 0.4);
  assert.deepEqual(other, { share: 0, low: 0, high: 3 / 20 }, 'the rule of three of the writers');
  assert.equal(measureKnownSets(compared.slice(0, 12), 'v1'), null);
});

test('a stated ratio from 1 to 3 overstates, those beside it do not', () => {
  assert.deepEqual([-0.1, 0, Math.log10(2), Math.log10(3), Math.log10(3.1), 1].map(overstatesSupport), [
    false,
    true,
    true,
    true,
    false,
    false,
  ]);
});
