import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FaceId } from '../contracts/ids.ts';
import { CandidateRows } from './candidates.ts';
import { BLOCK_ROWS } from './layout.ts';
import { squaredDistance } from './distance.ts';
import type { KernelVariant } from './kernel/kernel.ts';
import { atOnce } from './portions.ts';
import { encodeProbes, fitScale, shapeOf } from './quantiser.ts';
import { Scanner, scratchBytes } from './scan.ts';
import { Segment } from './segment.ts';
import { SIFTED_FROM, SIFTED_ROWS } from './sift.ts';
import { Slabs } from './slab.ts';

const DIMENSIONS = 64;
const FEWEST = SIFTED_FROM + 1;
/** More than the kernel lowers thresholds for by itself: only then it compares in sixteen bits. */
const LIMIT = 5_000;

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647 - 0.5;
}

function unit(raw: readonly number[]): Float32Array {
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (each) => each / length);
}

/** Templates of photos: each is that of one of `people`, moved by up to `spread`. */
function photos(seed: number, people: number, count: number, spread: number): Float32Array[] {
  const next = random(seed);
  const components = () => Array.from({ length: DIMENSIONS }, (_, i) => next() / Math.sqrt(1 + i / 4));
  const templates = Array.from({ length: people }, components);
  return Array.from({ length: count }, (_, i) => {
    const own = components();
    return unit(templates[i % people]!.map((each, k) => each + spread * own[k]!));
  });
}

interface Searched {
  rows: readonly Float32Array[];
  wiped?: ReadonlySet<number>;
  /** How many rows the steps of the codes are fitted to. */
  fitTo: number;
  primaryLength: number;
  variant: KernelVariant;
}

/** The rows that are reported for each probe, where all are searched for together and where each is alone. */
function search(
  { rows, wiped = new Set(), fitTo, primaryLength, variant }: Searched,
  probes: Float32Array[],
  threshold: number,
) {
  const shape = shapeOf(DIMENSIONS, primaryLength);
  const scale = atOnce(fitScale(rows.slice(0, fitTo), shape));
  const slabs = new Slabs(scratchBytes(shape, 1), () => undefined);
  const segment = new Segment(shape, BLOCK_ROWS * Math.ceil(rows.length / BLOCK_ROWS), slabs);
  segment.keepCodes();
  for (const [i, row] of rows.entries()) segment.append((i + 1) as FaceId, row, scale);
  for (const row of wiped) {
    segment.forget(row);
    segment.wipe(row);
  }
  const scanner = new Scanner(slabs.all[0]!.memory, variant, shape, 0);
  const codes = encodeProbes(scale, shape, probes);
  const coded = probes.map((exact, i) => ({ exact, coded: codes[i] }));
  const of = (searched: typeof coded) => {
    const found = searched.map(() => new CandidateRows(LIMIT, threshold, 1));
    scanner.load(searched, found[0]!);
    scanner.scan(0, segment.toScan(undefined), found);
    return found.map((list) => {
      const bounds = Array.from({ length: list.count }, (_, i) => [list.lower[i]!, list.upper[i]!]);
      return new Map(bounds.map((each, i) => [list.rows[i]!, each]));
    });
  };
  // Of the last four of the fewest one is left.
  const [together, fewest] = [of(coded), of(coded.slice(0, FEWEST))];
  return { together, fewest, alone: coded.flatMap((probe) => of([probe])) };
}

const cases = fc.record({
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
  // More rows than are laid out at a time, or fewer than a block of them.
  count: fc.constantFrom(40, 500, SIFTED_ROWS + 70),
  spread: fc.constantFrom(0, 0.1, 0.5),
  // A scale that was fitted to one row meets rows that it cannot express.
  fitTo: fc.constantFrom(1, 30),
  probes: fc.integer({ min: FEWEST, max: 13 }),
  primaryLength: fc.constantFrom(32, DIMENSIONS),
  // That of a row from a probe, which the sums then tell from a farther one by their errors alone; the last is too large for
  // sums of sixteen bits.
  distance: fc.constantFrom('of a row' as const, 0, 0.05, 0.6, 2),
  variant: fc.constantFrom('adding' as const, 'relaxed' as const, 'plain' as const),
});

test('probes that are searched for together find what each finds alone', () => {
  let near = 0;
  let far = 0;
  fc.assert(
    fc.property(cases, ({ seed, count, spread, fitTo, primaryLength, probes: wanted, distance, variant }) => {
      const rows = photos(seed, 25, count, spread);
      const wiped = new Set([3, 17, count - 2]);
      const probes = rows.slice(0, wanted);
      const squared = distance === 'of a row' ? squaredDistance(rows[0]!, rows[30]!) : distance ** 2;
      const threshold = Math.fround(squared * (1 + 2 ** -22));
      const { together, fewest, alone } = search(
        { rows, wiped, fitTo, primaryLength, variant },
        probes,
        threshold,
      );
      for (const [i, probe] of probes.entries()) {
        for (const [row, bounds] of together[i]!) assert.deepEqual(bounds, alone[i]!.get(row) ?? bounds);
        for (const [row, vector] of rows.entries()) {
          const isNear = !wiped.has(row) && squaredDistance(probe, vector) <= threshold;
          if (isNear)
            for (const found of [together, fewest])
              assert.ok(found[i]?.has(row) !== false, `probe ${i} finds row ${row}`);
          if (isNear) near++;
          else if (!together[i]!.has(row)) far++;
        }
        for (const row of wiped) assert.equal(together[i]!.has(row), false, `row ${row} was wiped`);
      }
    }),
    { numRuns: 250 },
  );
  assert.ok(near > 1_000 && far > 100_000, `${near} near pairs were found and ${far} others left out`);
});
