import { after, before, test } from 'node:test';
import assert from 'node:assert/strict';
import { encoded, paint, signings } from '../../../test/signatures/specimens.ts';
import type { SignatureReason } from '../../contracts/signatures.ts';
import type { ComparedKnownSet, KnownSetComparison, OfEach } from '../../domain/ports/knownSignatures.ts';
import type { Doubted } from '../doubts.ts';
import type { ScoredPart } from '../parts.ts';
import { createSignatures } from '../signatures.ts';
import { runPartJob, runPrepareJob, runScoreJob } from './jobs.ts';
import { compareKnownSet, type Crew } from './knownSet.ts';
import { trusted } from '../../contracts/ids.ts';

const COMPANY = trusted.company(1);

const signatures = createSignatures({ workers: 2 });
let own: Buffer[];
let stranger: Buffer;

before(async () => {
  own = await Promise.all(signings(31, 4).map((picture) => encoded(picture)));
  stranger = await encoded(signings(32, 1)[0]!);
});
after(() => signatures.close());

function compared(result: KnownSetComparison): ComparedKnownSet {
  assert.equal(result.kind, 'compared');
  return result;
}

test('workers compare a known set as they compare its pairs', async () => {
  const [questioned, ...known] = own as [Buffer, ...Buffer[]];
  const result = compared(
    await signatures.compareKnown({ questioned, known }, { pictures: true, company: COMPANY }),
  );
  const pair = await signatures.compare(known[1]!, questioned, { pictures: false, company: COMPANY });
  assert.ok(pair.kind === 'compared');
  assert.equal(result.known[1]?.similarity, pair.similarity);
  assert.deepEqual(result.known[1].alignment, pair.alignment);
  assert.equal(result.pictures?.known.length, 3);
  const other = compared(
    await signatures.compareKnown(
      { questioned: stranger, known: [...known, known[0]!] },
      { pictures: false, company: COMPANY },
    ),
  );
  assert.ok(other.ratios!.stranger.log10 < result.ratios!.stranger.log10);
  assert.ok(other.warnings.includes('KNOWN_ARE_COPIES'));
  assert.equal(other.pictures, undefined);
});

test('images and pairs are spread over all workers', async () => {
  const [questioned, ...known] = own as [Buffer, ...Buffer[]];
  const jobs: { prepared: number; pairs: string[][] } = { prepared: 0, pairs: [] };
  let release: () => void = () => undefined;
  const allBegun = new Promise<void>((resolve) => (release = resolve));
  const crew: Crew = {
    size: 3,
    prepare: async (job) => {
      jobs.prepared += 1;
      // No image waits for another one.
      if (jobs.prepared === own.length) release();
      await allBegun;
      return runPrepareJob(job);
    },
    score: (job) => {
      jobs.pairs.push(job.pairs.map((pair) => pair.join()));
      return Promise.resolve(runScoreJob(job));
    },
    part: (job) => Promise.resolve(runPartJob(job)),
  };
  const spread = compared(await compareKnownSet(crew, { questioned, known }, { pictures: false }));
  assert.deepEqual(
    jobs.pairs.map(({ length }) => length),
    [2, 2, 2],
  );
  assert.equal(new Set(jobs.pairs.flat()).size, 6, 'each pair once');
  const alone = await compareKnownSet({ ...crew, size: 1 }, { questioned, known }, { pictures: false });
  assert.deepEqual(spread, alone);
});

test('each image that cannot be compared is named', async () => {
  const [questioned, first] = own as [Buffer, Buffer];
  const blank = await encoded(paint(300, 150, () => [250, 250, 250]));
  const small = await encoded(paint(30, 30, () => [0, 0, 0]));
  const compare = (known: Buffer[]) =>
    signatures.compareKnown({ questioned, known }, { pictures: false, company: COMPANY });
  const inconclusive = await compare([first, blank]);
  assert.ok(inconclusive.kind === 'inconclusive');
  assert.deepEqual([...inconclusive.reasons.known], [[1, 'BLANK']]);
  const refused = await compare([small, blank]);
  assert.ok(refused.kind === 'refused');
  assert.deepEqual(refused.faults, { known: new Map([[0, 'TOO_SMALL']]) });
});

const PREPARED = {
  kind: 'prepared',
  signature: {
    points: {
      count: 1,
      x: Float64Array.of(0),
      y: Float64Array.of(0),
      angle: Float64Array.of(0),
      stroke: Int32Array.of(0),
    },
    bends: { bulge: Float64Array.of(), turn: Float64Array.of() },
    frame: { centreX: 0, centreY: 0, unit: 1 },
  },
  otherInk: 'NONE',
  isSimple: false,
} as const;
const FULL = { ...PREPARED.signature, points: { ...PREPARED.signature.points, count: 2 } };
const ALIGNMENT = [1, 0, 0, 0, 1, 0] as const;
/** Scores of two people, and of one. */
const [APART, ALIKE] = [-20, 20];
const ONLY_LOW = ['NO_MATCH'];
const LOW = ['NO_MATCH', 'POSSIBLE_MATCH'];

/** Doubts of a questioned image (0) and three known ones that do not resemble it. */
const DOUBTED: Record<
  string,
  {
    images: Record<number, Partial<Doubted>>;
    /** Images with far more ink, in which the other one lies. */
    full?: number[];
    parts: Record<number, ScoredPart[]>;
    expected: { verdicts: string[]; reasons: Record<number, string> }[];
  }
> = {
  'other ink that was taken out': {
    images: { 0: { otherInk: 'APART' } },
    parts: {},
    expected: [{ verdicts: ONLY_LOW, reasons: { 0: 'FOREIGN_INK' } }],
  },
  'mixed ink of a known one': {
    images: { 2: { otherInk: 'MIXED' } },
    parts: {},
    expected: [{ verdicts: LOW, reasons: { 2: 'FOREIGN_INK' } }],
  },
  'what may be two signatures': {
    images: { 1: { otherInk: 'PARTED' } },
    parts: {},
    expected: [{ verdicts: ONLY_LOW, reasons: { 1: 'SEVERAL_SIGNATURES' } }],
  },
  'simple forms of half of the images': {
    images: { 0: { isSimple: true }, 3: { isSimple: true } },
    parts: {},
    expected: [{ verdicts: ['MATCH'], reasons: { 0: 'TOO_SIMPLE', 3: 'TOO_SIMPLE' } }],
  },
  'a questioned signature beside another one': {
    images: {},
    parts: { 0: [{ otherInk: 'PARTED', scores: [ALIKE, ALIKE, ALIKE] }] },
    expected: [{ verdicts: ONLY_LOW, reasons: { 0: 'SEVERAL_SIGNATURES' } }],
  },
  'a questioned signature that is struck through': {
    images: {},
    parts: { 0: [{ otherInk: 'APART', scores: [ALIKE, ALIKE, ALIKE] }] },
    expected: [{ verdicts: ONLY_LOW, reasons: { 0: 'FOREIGN_INK' } }],
  },
  'most known ones lie beside another': {
    images: {},
    parts: Object.fromEntries([1, 2].map((i) => [i, [{ otherInk: 'PARTED', scores: [ALIKE] }]])),
    expected: [{ verdicts: ONLY_LOW, reasons: { 1: 'SEVERAL_SIGNATURES', 2: 'SEVERAL_SIGNATURES' } }],
  },
  'a questioned signature within far more ink': {
    images: {},
    full: [0],
    parts: {},
    expected: [{ verdicts: ONLY_LOW, reasons: { 0: 'FOREIGN_INK' } }],
  },
  'most known ones within far more ink': {
    images: {},
    full: [2, 3],
    parts: {},
    expected: [{ verdicts: ONLY_LOW, reasons: { 2: 'FOREIGN_INK', 3: 'FOREIGN_INK' } }],
  },
  'parts that resemble one known signature alone': {
    images: {},
    parts: {
      0: [{ otherInk: 'PARTED', scores: [ALIKE, APART, APART] }],
      1: [{ otherInk: 'PARTED', scores: [ALIKE] }],
    },
    expected: [],
  },
};

for (const [name, { images, full = [], parts, expected }] of Object.entries(DOUBTED))
  test(`a known set is doubted: ${name}`, async () => {
    const prepared = [0, 1, 2, 3].map((place) => ({
      ...PREPARED,
      signature: full.includes(place) ? FULL : PREPARED.signature,
      strokes: [Float64Array.of(place, 0)],
      ...images[place],
    }));
    const result = compared(
      await compareKnownSet(
        {
          size: 1,
          prepare: ({ image }) => Promise.resolve(prepared[image[0]!]!),
          score: ({ pairs }) =>
            Promise.resolve({
              kind: 'scored',
              pairs: pairs.map(([, other]) => ({
                score: other === 0 ? APART : 0,
                within: full.length > 0 ? ALIKE : APART,
                alignment: ALIGNMENT,
              })),
            }),
          part: ({ strokes }) => Promise.resolve({ kind: 'parted', parts: parts[strokes[0]![0]!] ?? [] }),
        },
        { questioned: Uint8Array.of(0), known: [1, 2, 3].map((place) => Uint8Array.of(place)) },
        { pictures: false },
      ),
    );
    const reasonsOf = ({ questioned, known }: OfEach<SignatureReason>) => ({
      ...(questioned && { 0: questioned }),
      ...Object.fromEntries([...known].map(([i, reason]) => [i + 1, reason])),
    });
    assert.deepEqual(
      result.doubts.map(({ verdicts, reasons }) => ({ verdicts, reasons: reasonsOf(reasons) })),
      expected,
    );
  });
