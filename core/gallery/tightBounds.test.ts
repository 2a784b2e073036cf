import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FaceId } from '../contracts/ids.ts';
import { CandidateRows } from './candidates.ts';
import { squaredDistance } from './distance.ts';
import { atOnce } from './portions.ts';
import { encodeProbes, scaleOf, shapeOf, type ProbePart, type Scale } from './quantiser.ts';
import { Scanner, scratchBytes } from './scan.ts';
import { SIFTED_FROM } from './sift.ts';
import { Segment } from './segment.ts';
import { Slabs } from './slab.ts';

const DIMENSIONS = 64;
const LARGEST_CODE = 63;

/** So many probes, and so many rows for each, are searched for in sixteen bits. */
const MANY = { probes: SIFTED_FROM + 1, limit: 1_000 };

/** Which part of the bound a row is made to reach: the probe's codes leave out |f|, the row's |e|. */
type Against = 'codes of the probe' | 'codes of the row';

/**
 * Components y of a row for which a part of the bound is reached: codes along what the probe's leave out; or no codes at all, and
 * a rest along the probe.
 * @param x the probe's components. @param sign 1: the sum over codes promises too great a distance, -1: too small a one.
 */
function worstRow(
  x: Float64Array,
  steps: Float32Array,
  { codes, step }: ProbePart,
  against: Against,
  sign: number,
): Float64Array {
  const left = x.map((each, i) => each * steps[i]! - step * codes[i]!);
  const along = against === 'codes of the row' ? x : left;
  const most = Math.max(...along.map(Math.abs), Number.MIN_VALUE);
  return along.map((each, i) => {
    const share = (sign * each) / most;
    return steps[i]! * (against === 'codes of the row' ? 0.49 * share : Math.round(LARGEST_CODE * share));
  });
}

/** Scales without a centre whose axes are the coordinates, so that parts can be made component by component. */
function plainScale(primaryLength: number, steps: Float32Array): Scale {
  const whole = primaryLength === DIMENSIONS;
  const axes = new Float32Array(whole ? 0 : DIMENSIONS * DIMENSIONS);
  if (!whole) for (let i = 0; i < DIMENSIONS; i++) axes[i * DIMENSIONS + i] = 1;
  const centre = new Float32Array(DIMENSIONS);
  return atOnce(
    scaleOf({
      centre,
      primaryStep: steps.slice(0, primaryLength),
      residualStep: steps.slice(primaryLength),
      axes,
    }),
  );
}

const cases = fc.record({
  primaryLength: fc.constantFrom(DIMENSIONS, 32),
  sign: fc.constantFrom(1, -1),
  against: fc.constantFrom<Against>('codes of the probe', 'codes of the row'),
  /** Of a row: all of it against the codes, or its residual code along the probe's, where the primary code alone bounds least. */
  residual: fc.constantFrom('against its codes' as const, 'along the probe' as const),
  probe: fc.array(fc.integer({ min: -1000, max: 1000 }), {
    minLength: DIMENSIONS,
    maxLength: DIMENSIONS,
  }),
  variant: fc.constantFrom('adding' as const, 'relaxed' as const, 'plain' as const),
});

test('rows placed against a probe lie within their bounds and at their exact distance', () => {
  const tightest: Record<Against, number> = { 'codes of the probe': 0, 'codes of the row': 0 };
  fc.assert(
    fc.property(cases, ({ primaryLength, sign, against, residual, probe: raw, variant }) => {
      const length = Math.hypot(...raw);
      fc.pre(length > 1);
      const probe = Float32Array.from(raw, (each) => each / length);
      const steps = new Float32Array(DIMENSIONS).fill(1 / (70 * Math.sqrt(DIMENSIONS)));
      const shape = shapeOf(DIMENSIONS, primaryLength);
      const scale = plainScale(primaryLength, steps);
      const coded = encodeProbes(scale, shape, [probe])[0]!;
      const x = Float64Array.from(probe);
      const y = new Float64Array(DIMENSIONS);
      y.set(worstRow(x.subarray(0, primaryLength), steps, coded.primary, against, sign));
      if (residual === 'along the probe')
        y.set(
          x.subarray(primaryLength).map((each) => 0.9 * each),
          primaryLength,
        );
      else
        y.set(
          worstRow(x.subarray(primaryLength), steps.subarray(primaryLength), coded.residual, against, sign),
          primaryLength,
        );
      const row = Float32Array.from(y);
      const exact = squaredDistance(probe, row);

      const slabs = new Slabs(scratchBytes(shape, 1), () => undefined);
      const segment = new Segment(shape, 64, slabs);
      segment.keepCodes();
      segment.append(1 as FaceId, row, scale);
      const scanner = new Scanner(slabs.all[0]!.memory, variant, shape, 0);
      const search = (threshold: number, { probes, limit }: { probes: number; limit: number }) => {
        const found = Array.from({ length: probes }, () => new CandidateRows(limit, threshold, 1));
        scanner.load(Array(probes).fill({ exact: probe, coded }), found[0]!);
        scanner.scan(0, segment.toScan(undefined), found);
        return found.at(-1)!;
      };
      const one = { probes: 1, limit: 2 };
      const all = search(9, one);
      assert.equal(all.count, 1);
      const [lower, upper] = [all.lower[0]!, all.upper[0]!];
      assert.ok(lower <= exact && exact <= upper, `${lower} <= ${exact} <= ${upper}`);
      const atRow = Math.fround(exact * (1 + 2 ** -22));
      assert.equal(search(atRow, one).count, 1, 'a row at the threshold is reported');
      assert.equal(search(atRow, MANY).count, 1, 'and where many probes are compared in sixteen bits');
      const reached = Math.abs(exact - (lower + upper) / 2) / ((upper - lower) / 2);
      // With a primary code of part and a residual code along the probe, other terms have their share.
      if (primaryLength === DIMENSIONS) tightest[against] = Math.max(tightest[against], reached);
    }),
    { numRuns: 200 },
  );
  // Or the rows would be no trial: at 1 the bound is reached.
  for (const [against, reached] of Object.entries(tightest))
    assert.ok(reached > 0.98, `${against}: of the bound ${reached} is reached at most`);
});
