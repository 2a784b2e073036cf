import { test } from 'node:test';
import assert from 'node:assert/strict';
import { AnswerInvalid } from '../../workers/workerAnswers.ts';
import { partedAnswer, preparedAnswer, scoredAnswer } from './answers.ts';
import type { PartJob, PrepareJob, ScoreJob } from './jobs.ts';

const prepare: PrepareJob = { kind: 'prepare', image: new Uint8Array(), pictures: false };
const signature = {
  points: {
    count: 2,
    x: Float64Array.of(0, 1),
    y: Float64Array.of(0, 1),
    angle: Float64Array.of(0, 0),
    stroke: Int32Array.of(0, 0),
  },
  bends: { bulge: Float64Array.of(1), turn: Float64Array.of(1) },
  frame: { centreX: 10, centreY: 10, unit: 4 },
};

const stroke = Float64Array.of(0, 0, 1, 1);

test('a prepared signature of a worker is taken as it is', () => {
  const answer = { kind: 'prepared', signature, strokes: [stroke], otherInk: 'NONE', isSimple: false };
  assert.deepEqual(preparedAnswer(answer, prepare), answer);
});

test('strokes of a prepared signature have finite pairs of numbers', () => {
  const rest = { kind: 'prepared', signature, otherInk: 'NONE', isSimple: false };
  for (const strokes of [[Float64Array.of(1)], [Float64Array.of(NaN, 1)], [[0, 1]]])
    assert.throws(() => preparedAnswer({ ...rest, strokes }, prepare), AnswerInvalid);
});

test('a worker compares few parts, each with every signature it was asked for', () => {
  const job: PartJob = { kind: 'part', strokes: [stroke], wholes: [signature, signature] };
  const part = { otherInk: 'APART', scores: [1, 2] };
  const answer = (parts: unknown) => partedAnswer({ kind: 'parted', parts }, job);
  assert.deepEqual(answer([part, part, part]).parts, [part, part, part]);
  const tooMany = Array.from({ length: 4 }, () => part);
  for (const parts of [[{ ...part, scores: [1] }], [{ ...part, otherInk: 'NONE' }], tooMany])
    assert.throws(() => answer(parts), AnswerInvalid);
});

const broken = {
  'numbers that are not finite': { points: { ...signature.points, x: Float64Array.of(NaN, 1) } },
  'fewer numbers than points': { points: { ...signature.points, y: Float64Array.of(1) } },
  'a point on no stroke': { points: { ...signature.points, stroke: Int32Array.of(-1, 0) } },
  'bends of two lengths': { bends: { bulge: Float64Array.of(), turn: Float64Array.of(1) } },
  'a unit of zero': { frame: { ...signature.frame, unit: 0 } },
};
for (const [name, wrong] of Object.entries(broken))
  test(`a prepared signature with ${name} is refused`, () => {
    const answer = {
      kind: 'prepared',
      signature: { ...signature, ...wrong },
      strokes: [],
      otherInk: 'NONE',
      isSimple: false,
    };
    assert.throws(() => preparedAnswer(answer, prepare), AnswerInvalid);
  });

test('a worker answers every pair it was asked for, and sends no picture unasked', () => {
  const job: ScoreJob = { kind: 'score', signatures: [signature, signature], pairs: [[1, 0]] };
  const pair = { score: 1, within: 1, alignment: [1, 0, 0, 0, 1, 0] };
  assert.equal(scoredAnswer({ kind: 'scored', pairs: [pair] }, job).pairs.length, 1);
  for (const pairs of [[], [pair, pair], [{ ...pair, score: NaN }], [{ ...pair, within: NaN }]])
    assert.throws(() => scoredAnswer({ kind: 'scored', pairs }, job), AnswerInvalid);
  const png = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
  const drawn = {
    kind: 'prepared',
    signature,
    strokes: [],
    otherInk: 'NONE',
    isSimple: false,
    picture: { png, width: 1, height: 1 },
  };
  assert.throws(() => preparedAnswer(drawn, prepare), AnswerInvalid);
  assert.throws(
    () =>
      preparedAnswer(
        { kind: 'prepared', signature, strokes: [stroke], otherInk: 'NONE', isSimple: false },
        { ...prepare, pictures: true },
      ),
    AnswerInvalid,
  );
});
