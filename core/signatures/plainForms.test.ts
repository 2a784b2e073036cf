/** The steps of cleaning that were made fast give exactly what their plain forms give. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillPinholes, label } from './components.ts';
import { atShare } from './inkColours.ts';
import { blurByOne, boxBlur, mask, plane, type Mask, type Plane } from './raster.ts';
import { toOneSize } from './resample.ts';
import { traceStrokes } from './strokes.ts';
import { AROUND, neighbourhood, thin } from './thinning.ts';
import { hysteresis } from './threshold.ts';

/** Numbers from 0 to 1 in a picture of any small size. */
const anyPlane: fc.Arbitrary<Plane> = fc
  .tuple(fc.integer({ min: 1, max: 24 }), fc.integer({ min: 1, max: 24 }))
  .chain(([width, height]) =>
    fc
      .uint8Array({ minLength: width * height, maxLength: width * height })
      .map((values) => ({ width, height, data: Float32Array.from(values, (value) => value / 255) })),
  );

/** Blots rather than dust: what thinning and tracing meet. */
const anyInk = anyPlane.map((values) => inkWhere(boxBlur(values, 1), (value) => value > 0.45));

function inkWhere({ width, height, data }: Plane, isInk: (value: number) => boolean): Mask {
  const out = mask(width, height);
  data.forEach((value, at) => (out.data[at] = isInk(value) ? 1 : 0));
  return out;
}

test('the blur by one, in place, is the mean of the nine', () => {
  fc.assert(
    fc.property(anyPlane, ({ width, height, data }) => {
      const blurred = { width, height, data: data.slice() };
      blurByOne(blurred);
      const valueAt = (x: number, y: number) =>
        x < 0 || y < 0 || x >= width || y >= height ? [] : [data[y * width + x]!];
      blurred.data.forEach((value, at) => {
        const [x, y] = [at % width, Math.floor(at / width)];
        const window = AROUND.flatMap(([dx, dy]) => valueAt(x + dx, y + dy)).concat(valueAt(x, y));
        const mean = window.reduce((sum, each) => sum + each, 0) / window.length;
        assert.ok(Math.abs(value - mean) < 1e-6, `${x},${y}: ${value} for ${mean}`);
      });
    }),
  );
});

test('hysteresis keeps what grows from the strong pixels through the weak ones', () => {
  fc.assert(
    fc.property(anyPlane, ({ width, height, data }) => {
      const grown = inkWhere({ width, height, data }, (value) => value >= 0.8);
      for (let changed = true; changed;) {
        changed = false;
        for (let at = 0; at < data.length; at++) {
          if (grown.data[at] === 1 || data[at]! < 0.6) continue;
          const [x, y] = [at % width, Math.floor(at / width)];
          const touches = AROUND.some(([dx, dy]) => {
            const [u, v] = [x + dx, y + dy];
            return u >= 0 && v >= 0 && u < width && v < height && grown.data[v * width + u] === 1;
          });
          if (touches) grown.data[at] = 1;
          changed ||= touches;
        }
      }
      assert.deepEqual(hysteresis({ width, height, data }, 0.6, 0.8).data, grown.data);
    }),
  );
});

test('the parts of the bare ground are those of the ink turned round', () => {
  fc.assert(
    fc.property(anyInk, fc.integer({ min: 1, max: 9 }), (ink, area) => {
      const bare = { ...ink, data: ink.data.map((value) => 1 - value) };
      const turned = label(bare, 'sides');
      const ground = label(ink, 'sides', 0);
      assert.deepEqual(ground, turned);
      const filled = ink.data.slice();
      for (let i = 0; i < turned.runs.count; i++) {
        if (turned.components[turned.runs.part[i]!]!.area >= area) continue;
        const start = turned.runs.row[i]! * ink.width;
        filled.fill(1, start + turned.runs.from[i]!, start + turned.runs.to[i]! + 1);
      }
      assert.deepEqual(fillPinholes(ink, area).data, filled);
    }),
  );
});

test('thinning takes out together what may go', () => {
  const plainly = (image: Mask): Uint8Array => {
    const { width, height } = image;
    const out = mask(width, height);
    out.data.forEach((_, at) => {
      const [x, y] = [at % width, Math.floor(at / width)];
      if (x > 0 && y > 0 && x < width - 1 && y < height - 1) out.data[at] = image.data[at]!;
    });
    for (let before = ''; before !== out.data.join('');) {
      before = out.data.join('');
      for (const half of [0, 1]) {
        const gone = [...out.data.keys()].filter((at) => out.data[at] === 1 && mayGo(out, at, half));
        for (const at of gone) out.data[at] = 0;
      }
    }
    return out.data;
  };
  /** The conditions as Zhang and Suen (1984) give them. */
  const mayGo = (image: Mask, at: number, half: number): boolean => {
    const on = AROUND.map((_, k) => (neighbourhood(image, at) >> k) & 1);
    const count = on.reduce((sum, value) => sum + value, 0);
    const rises = on.filter((value, k) => value === 0 && on[(k + 1) % 8] === 1).length;
    const [north, , east, , south, , west] = on as [number, number, number, number, number, number, number];
    const sides =
      half === 0 ? [north * east * south, east * south * west] : [north * east * west, north * south * west];
    return count >= 2 && count <= 6 && rises === 1 && sides[0] === 0 && sides[1] === 0;
  };
  fc.assert(fc.property(anyInk, (ink) => assert.deepEqual(thin(ink).data, plainly(ink))));
});

test('tracing visits every pixel of a line that has neighbours, and no other', () => {
  fc.assert(
    fc.property(anyInk, (ink) => {
      const thinned = thin(ink);
      const strokes = traceStrokes(thinned, 0);
      const isInk = (x: number, y: number) => thinned.data[y * thinned.width + x] === 1;
      for (const stroke of strokes)
        for (const end of [0, stroke.length - 2]) assert.ok(isInk(stroke[end]!, stroke[end + 1]!));
      const traced = strokes.reduce((sum, stroke) => sum + stroke.length / 2, 0);
      const inLines = thinned.data.filter(
        (value, at) => value === 1 && neighbourhood(thinned, at) > 0,
      ).length;
      assert.ok(strokes.length > 0 || inLines === 0);
      assert.ok(traced >= inLines, `${traced} points for ${inLines} pixels`);
    }),
  );
});

test('the item at a share of a list is the one that a stable sort puts there', () => {
  const anyItems = fc.array(fc.record({ key: fc.integer({ min: -3, max: 3 }), id: fc.nat() }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(anyItems, fc.double({ min: 0, max: 0.99, noNaN: true }), (items, share) => {
      const sorted = items.toSorted((a, b) => a.key - b.key);
      assert.equal(
        atShare(items, ({ key }) => key, share),
        sorted[Math.floor(items.length * share)],
      );
    }),
  );
});

/** A pixel of a picture between four, 0 beyond them. */
function between({ width, height, data }: { width: number; height: number; data: ArrayLike<number> }) {
  return (u: number, v: number): number => {
    const [left, top] = [Math.floor(u), Math.floor(v)];
    if (left < 0 || top < 0 || left >= width - 1 || top >= height - 1) return 0;
    const at = top * width + left;
    const [right, down] = [u - left, v - top];
    const above = (1 - right) * data[at]! + right * data[at + 1]!;
    const below = (1 - right) * data[at + width]! + right * data[at + width + 1]!;
    return (1 - down) * above + down * below;
  };
}

test('bringing to one size samples the whole blurred picture at every place', () => {
  const margin = 6;
  fc.assert(
    fc.property(anyInk, fc.integer({ min: 0, max: 20 }), fc.nat(40), (small, penWidth, around) => {
      // Ink of any shape somewhere on a larger page, at its very edge too.
      const page = mask(small.width + around + 2, small.height + around + 2);
      for (let y = 0; y < small.height; y++)
        for (let x = 0; x < small.width; x++)
          page.data[(y + around) * page.width + x] = small.data[y * small.width + x]!;
      const out = toOneSize(page, penWidth);
      const inked = [...page.data.keys()].filter((at) => page.data[at] === 1);
      const [xs, ys] = [inked.map((at) => at % page.width), inked.map((at) => Math.floor(at / page.width))];
      const spread = Math.sqrt(varianceOf(xs) + varianceOf(ys));
      fc.pre(inked.length > 0 && spread >= 1);
      const [left, top] = [Math.min(...xs), Math.min(...ys)];
      const scale = Math.min(
        100 / spread,
        1200 / (Math.max(...xs) - left + 1),
        1200 / (Math.max(...ys) - top + 1),
      );
      const radius = Math.max(scale < 0.8 ? 1 : 0, Math.round(0.16 * penWidth));
      const whole = plane(page.width, page.height);
      whole.data.set(page.data);
      const valueAt = between(radius > 0 ? boxBlur(whole, radius) : page);
      for (let y = 0; y < out.height; y += 5)
        for (let x = 0; x < out.width; x += 3) {
          const value = valueAt(
            (x - margin + 0.5) / scale + left - 0.5,
            (y - margin + 0.5) / scale + top - 0.5,
          );
          // The scale comes from sums in another order: a value next to the limit may fall on either side.
          if (Math.abs(value - 0.5) > 1e-6) assert.equal(out.data[y * out.width + x], value >= 0.5 ? 1 : 0);
        }
    }),
    { numRuns: 40 },
  );
});

function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
}
