import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FaceId } from '../contracts/ids.ts';
import { CandidateRows } from './candidates.ts';
import { squaredDistance } from './distance.ts';
import type { KernelVariant } from './kernel/kernel.ts';
import { encodeProbes, fitScale, shapeOf } from './quantiser.ts';
import { atOnce } from './portions.ts';
import { Scanner, scratchBytes } from './scan.ts';
import { Segment } from './segment.ts';
import { Slabs } from './slab.ts';

/** Unit vectors of any shape: spread out, with a few large components, or all nearly the same. */
const vectors = (dimensions: number, count: number) =>
  fc
    .tuple(fc.integer({ min: 1, max: 2 ** 30 }), fc.constantFrom(0, 0.9, 0.999), fc.constantFrom(1, 5, 30))
    .map(([seed, common, power]) => {
      let state = seed;
      const random = () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
      const base = Array.from({ length: dimensions }, () => random() - 0.5);
      return Array.from({ length: count }, () => {
        const raw = base.map((each) => {
          const own = random() - 0.5;
          return common * each + (1 - common) * Math.sign(own) * Math.abs(own) ** power;
        });
        const length = Math.hypot(...raw);
        return Float32Array.from(raw, (each) => each / length);
      });
    });

/** All rows with their bounds, as the kernel reports them when nothing is beyond the threshold. */
function boundsOf(
  rows: readonly Float32Array[],
  probe: Float32Array,
  options: { variant: KernelVariant; primaryLength: number; fitTo: number | undefined },
): CandidateRows {
  const shape = shapeOf(probe.length, options.primaryLength);
  const slabs = new Slabs(scratchBytes(shape, 1), () => undefined);
  const segment = new Segment(shape, 128, slabs);
  const scale =
    options.fitTo === undefined ? undefined : atOnce(fitScale(rows.slice(0, options.fitTo), shape));
  if (scale === undefined) segment.keepExact();
  else segment.keepCodes();
  for (const [i, row] of rows.entries()) segment.append((i + 1) as FaceId, row, scale);
  const scanner = new Scanner(slabs.all[0]!.memory, options.variant, shape, 0);
  const coded = scale === undefined ? undefined : encodeProbes(scale, shape, [probe])[0];
  const found = new CandidateRows(rows.length + 1, 9, 1);
  scanner.load([{ exact: probe, coded }], found);
  scanner.scan(0, segment.toScan(undefined), [found]);
  return found;
}

const cases = fc.tuple(fc.constantFrom(3, 64, 128, 150), fc.boolean()).chain(([dimensions, split]) =>
  fc.record({
    rows: vectors(dimensions, 100),
    primaryLength: fc.constant(split ? Math.ceil(dimensions / 3) : dimensions),
    // A scale that was fitted to one row only meets rows that it cannot express.
    fitTo: fc.constantFrom(undefined, 1, 50),
    probe: fc.oneof(fc.integer({ min: 0, max: 99 }), vectors(dimensions, 1)),
  }),
);

test("the exact squared distance lies within every kernel's bounds at any scale", () => {
  fc.assert(
    fc.property(
      cases,
      fc.constantFrom('adding' as const, 'relaxed' as const, 'plain' as const),
      (given, variant) => {
        const probe = typeof given.probe === 'number' ? given.rows[given.probe]! : given.probe[0]!;
        const found = boundsOf(given.rows, probe, { ...given, variant });
        assert.equal(found.count, given.rows.length);
        for (let i = 0; i < found.count; i++) {
          const exact = squaredDistance(probe, given.rows[found.rows[i]!]!);
          assert.ok(found.lower[i]! <= exact, `${found.lower[i]!} <= ${exact}`);
          assert.ok(found.upper[i]! >= exact, `${found.upper[i]!} >= ${exact}`);
        }
      },
    ),
    { numRuns: 200 },
  );
});

test('all kernels give the same bounds to the last bit where rows are coded', () => {
  fc.assert(
    fc.property(cases, ({ rows, primaryLength, fitTo = 50 }) => {
      const [plain, ...others] = (['plain', 'relaxed', 'adding'] as const).map((variant) =>
        boundsOf(rows, rows[0]!, { variant, primaryLength, fitTo }),
      );
      for (const { lower, upper } of others) {
        assert.deepEqual(lower, plain!.lower);
        assert.deepEqual(upper, plain!.upper);
      }
    }),
    { numRuns: 50 },
  );
});
