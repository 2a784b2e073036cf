import { test } from 'node:test';
import assert from 'node:assert/strict';
import { repeatable } from '../calibration/repeatable.ts';
import { measureSignatures, type ComparedSignatures } from './measure.ts';
import { planPairs, type LabelledImage } from './pairs.ts';
import { scaleThrough } from './matching.ts';

/** Normal scores on a logit scale: of different writers around −2 + shift, forgeries around 0 + shift, genuine around 2 + shift. */
function invented(writers: number, shift: number, forgeries = true): ComparedSignatures[] {
  const random = repeatable(5);
  const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
  const similarity = (mean: number) => 100 / (1 + Math.exp(-(mean + shift + 0.6 * normal())));
  const pairs: ComparedSignatures[] = [];
  for (let one = 0; one < writers; one++) {
    for (let i = 0; i < 20; i++)
      pairs.push({ kind: 'genuine', writers: [one, one], similarity: similarity(2) });
    for (let i = 0; forgeries && i < 20; i++)
      pairs.push({ kind: 'forgery', writers: [one, one], similarity: similarity(0) });
    for (let other = 0; other < one; other++)
      for (let i = 0; i < 8; i++)
        pairs.push({ kind: 'differentWriters', writers: [one, other], similarity: similarity(-2) });
  }
  return pairs;
}

test('the own scale gives both fixed points their rates where scores are shifted', () => {
  const compared = invented(30, 1);
  const { fixedPoints, rates, tooFew } = measureSignatures(compared, 30);
  assert.equal(tooFew, null);
  const rate = (score: number, of: string) => rates.find((each) => each.score === score && each.of === of)!;
  const shipped = rate(40, 'differentWriters').shipped;
  assert.ok(shipped.share > 0.1, `the shipped scale lets ${shipped.share} pass`);
  const own = rate(40, 'differentWriters').own!;
  assert.ok(own.low <= 0.01 && own.high >= 0.01, JSON.stringify(own));
  assert.ok(Math.abs(own.share - 0.01) < 0.01, JSON.stringify(own));
  const forged = rate(70, 'forgery').own!;
  assert.ok(Math.abs(forged.share - 0.1) < 0.04, JSON.stringify(forged));
  assert.deepEqual(
    fixedPoints.map(({ statement }) => statement),
    ['measured', 'measured'],
  );
  const scale = scaleThrough(fixedPoints);
  const passing = compared.filter(
    ({ kind, similarity }) => kind === 'differentWriters' && scale(similarity) >= 40,
  );
  const share = passing.length / compared.filter(({ kind }) => kind === 'differentWriters').length;
  assert.ok(share <= 0.01 && share > 0.005, String(share));
});

test('without forgeries the upper point moves along with the lower one', () => {
  const { fixedPoints, rates } = measureSignatures(invented(30, 1, false), 30);
  assert.deepEqual(
    fixedPoints.map(({ statement }) => statement),
    ['measured', 'shifted'],
  );
  assert.ok(rates.every(({ of }) => of !== 'forgery'));
  assert.ok(fixedPoints[1]!.similarity > fixedPoints[0]!.similarity);
});

test('too few writers or pairs give rates of the shipped scale and no recommendation', () => {
  const few = measureSignatures(invented(9, 0), 9);
  assert.deepEqual([few.tooFew, few.fixedPoints], ['WRITERS', []]);
  assert.ok(few.rates.length > 0 && few.rates.every(({ own }) => own === null));
  const unlike = invented(12, 0).filter(({ kind }, i) => kind !== 'differentWriters' || i % 4 === 0);
  assert.equal(measureSignatures(unlike, 12).tooFew, 'DIFFERENT_WRITERS_PAIRS');
});

test('a scale keeps the order of similarities, the ends and both fixed points', () => {
  const { fixedPoints } = measureSignatures(invented(30, 1), 30);
  const scale = scaleThrough(fixedPoints);
  const [at40, at70] = fixedPoints.map(({ similarity }) => similarity);
  assert.deepEqual([0, at40!, at70!, 100].map(scale), [0, 40, 70, 100]);
  const all = Array.from({ length: 10_001 }, (_, i) => scale(i / 100));
  assert.ok(all.every((each, i) => i === 0 || each >= all[i - 1]!));
});

test('pairs are planned by their labels, bounded, and the same each time', () => {
  const image = new Uint8Array();
  const images: LabelledImage[] = [];
  for (let writer = 0; writer < 40; writer++)
    for (let i = 0; i < 15; i++)
      images.push({ writer: `w${writer}`, file: `${writer}-${i}`, forgery: i >= 11, image });
  const pairs = planPairs(images);
  assert.deepEqual(planPairs(images), pairs);
  const count = (kind: string) => pairs.filter((pair) => pair.kind === kind).length;
  assert.deepEqual(
    [count('genuine'), count('forgery'), count('differentWriters')],
    [40 * 45, 40 * 44, 3_000],
  );
  for (const { kind, first, second, writers } of pairs) {
    const [one, other] = [images[first]!, images[second]!];
    assert.equal(one.forgery, false);
    assert.equal(other.forgery, kind === 'forgery');
    assert.deepEqual(
      [one.writer, other.writer],
      writers.map((writer) => `w${writer}`),
    );
    assert.equal(one.writer === other.writer, kind !== 'differentWriters');
  }
});
