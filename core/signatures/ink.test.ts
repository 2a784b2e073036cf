import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fillPinholes, keepParts, label } from './components.ts';
import { isInverted } from './density.ts';
import { boxBlur, countOf, extremes, mask, plane, type Mask } from './raster.ts';
import { denseFields } from './regular.ts';
import { widthsOf } from './penWidth.ts';
import { paperDots, withoutRuledLines } from './ruledLines.ts';
import { bridged, traceStrokes } from './strokes.ts';
import { thin } from './thinning.ts';
import { splitOf } from './threshold.ts';

/** A mask from text: `#` is ink. */
function drawn(...rows: string[]): Mask {
  return where(rows[0]!.length, rows.length, (x, y) => rows[y]![x] === '#');
}

function where(width: number, height: number, isInk: (x: number, y: number) => boolean): Mask {
  const image = mask(width, height);
  for (let i = 0; i < image.data.length; i++) image.data[i] = isInk(i % width, Math.floor(i / width)) ? 1 : 0;
  return image;
}

const anyMask = fc
  .tuple(
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 12 }),
    fc.array(fc.boolean(), { minLength: 144, maxLength: 144 }),
  )
  .map(([width, height, ink]) => where(width, height, (x, y) => ink[y * 12 + x] === true));

/** Parts by flooding from pixel to pixel: slow, and simple enough to be right. */
function partsByFlooding({ width, height, data }: Mask, corners: boolean): number[] {
  const left = new Set<number>();
  data.forEach((value, at) => value === 1 && left.add(at));
  const areas: number[] = [];
  for (const seed of left) {
    const stack = [seed];
    left.delete(seed);
    let area = 0;
    while (stack.length > 0) {
      const at = stack.pop()!;
      area++;
      const [x, y] = [at % width, Math.floor(at / width)];
      for (const dy of [-1, 0, 1])
        for (const dx of [-1, 0, 1]) {
          const inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
          if (inside && (corners || dx === 0 || dy === 0) && left.delete(at + dy * width + dx))
            stack.push(at + dy * width + dx);
        }
    }
    areas.push(area);
  }
  return areas.sort((a, b) => a - b);
}

test('parts of a mask are those that flooding finds, with their areas', () => {
  fc.assert(
    fc.property(anyMask, fc.boolean(), (image, corners) => {
      const { components } = label(image, corners ? 'corners' : 'sides');
      assert.deepEqual(
        components.map(({ area }) => area).sort((a, b) => a - b),
        partsByFlooding(image, corners),
      );
    }),
  );
});

test('parts that are not kept leave nothing behind, and all others stay as they were', () => {
  fc.assert(
    fc.property(anyMask, (image) => {
      const labelled = label(image, 'corners');
      assert.deepEqual(keepParts(image, labelled, () => true).data, image.data);
      assert.equal(countOf(keepParts(image, labelled, () => false)), 0);
    }),
  );
});

test('pinholes are filled and larger holes stay open', () => {
  const image = drawn('#########', '#.##...##', '####...##', '####...##', '#########');
  const filled = fillPinholes(image, 4);
  assert.equal(countOf(filled), 9 * 5 - 9);
});

test('a box blur is the mean of the window, at the edges of what is left of it', () => {
  fc.assert(
    fc.property(anyMask, fc.integer({ min: 1, max: 5 }), (image, radius) => {
      const values = plane(image.width, image.height);
      values.data.set(image.data);
      const blurred = boxBlur(values, radius);
      const largest = extremes(values, radius, 'largest');
      for (let i = 0; i < values.data.length; i++) {
        const [x, y] = [i % image.width, Math.floor(i / image.width)];
        const window: number[] = [];
        for (let v = Math.max(0, y - radius); v <= Math.min(image.height - 1, y + radius); v++)
          for (let u = Math.max(0, x - radius); u <= Math.min(image.width - 1, x + radius); u++)
            window.push(image.data[v * image.width + u]!);
        const mean = window.reduce((sum, value) => sum + value, 0) / window.length;
        assert.ok(Math.abs(blurred.data[i]! - mean) < 1e-5);
        assert.equal(largest.data[i], Math.max(...window));
      }
    }),
    { numRuns: 30 },
  );
});

test('a thick bar thins to one line along its middle', () => {
  const thinned = thin(where(60, 21, (x, y) => x >= 5 && x < 55 && y >= 7 && y < 14));
  for (let x = 15; x < 45; x++) {
    const column = Array.from({ length: 21 }, (_, y) => thinned.data[y * 60 + x]!);
    assert.equal(
      column.reduce((sum, value) => sum + value, 0),
      1,
    );
    assert.ok(Math.abs(column.indexOf(1) - 10) <= 1);
  }
});

test('a cross is traced as four strokes, its spurs left out', () => {
  const cross = where(61, 61, (x, y) => (x > 2 && x < 58 && y === 30) || (y > 2 && y < 58 && x === 30));
  assert.equal(traceStrokes(cross, 5).length, 4);
  const withSpur = where(61, 61, (x, y) => (x > 2 && x < 58 && y === 30) || (x === 20 && y >= 27 && y <= 30));
  const strokes = traceStrokes(withSpur, 6);
  assert.equal(strokes.length, 2);
  assert.ok(
    strokes.every((stroke) => stroke.filter((_, i) => i % 2 === 1).every((y) => Math.abs(y - 30) < 1)),
  );
});

test('a ring without ends or crossings is traced whole', () => {
  const ring = thin(where(60, 60, (x, y) => Math.abs(Math.hypot(x - 30, y - 30) - 18) < 1.5));
  const points = traceStrokes(ring, 4).reduce((sum, stroke) => sum + stroke.length / 2, 0);
  assert.ok(points > 90 && points < 130, `${points} points`);
});

test('a ruled line goes, the stroke across it stays whole', () => {
  const isStroke = (x: number, y: number) => Math.abs(x - 100 - (y - 60) * 0.5) < 3 && y > 20 && y < 110;
  const ruled = where(200, 120, (x, y) => isStroke(x, y) || y === 60 || y === 61);
  const { ink: clean } = withoutRuledLines(ruled);
  const stroke = where(200, 120, isStroke);
  let lost = 0;
  let left = 0;
  for (let i = 0; i < clean.data.length; i++) {
    if (stroke.data[i] === 1 && clean.data[i] === 0) lost++;
    if (stroke.data[i] === 0 && clean.data[i] === 1) left++;
  }
  assert.equal(lost, 0);
  assert.ok(left < 20, `${left} pixels of the line are left`);
});

test('a waving underline is handwriting and stays', () => {
  const wave = where(300, 120, (x, y) => Math.abs(y - 60 - 6 * Math.sin(x / 25)) < 2);
  assert.deepEqual(withoutRuledLines(wave).ink.data, wave.data);
});

test('sparse dark ink is upright, sparse light ink inverted, also in half shadow', () => {
  const page = plane(200, 100);
  const stroke = (i: number) => Math.abs((i % 200) - 100 - Math.floor(i / 200) + 50) < 3;
  const paint = (ink: number, ground: number) =>
    page.data.forEach((_, i) => (page.data[i] = (stroke(i) ? ink : ground) * (0.5 + (i % 200) / 400)));
  paint(30, 220);
  assert.equal(isInverted(page), false);
  paint(220, 30);
  assert.equal(isInverted(page), true);
});

test('the threshold between paper and ink lies between both and rates their separation', () => {
  const density = plane(100, 10);
  density.data.forEach((_, i) => (density.data[i] = i % 10 === 0 ? 0.6 : 0.05));
  const split = splitOf(density);
  assert.ok(split.threshold > 0.05 && split.threshold <= 0.6);
  assert.ok(Math.abs(split.share - 0.1) < 1e-9);
  assert.ok(split.separation > 0.99);
});

/** Squares of a side, one about every place. */
const squares = (side: number, places: readonly (readonly [number, number])[]) => {
  const inked = new Set(
    places.flatMap(([x, y]) =>
      Array.from({ length: side * side }, (_, i) => (y + Math.floor(i / side)) * 400 + x + (i % side)),
    ),
  );
  return label(
    where(400, 300, (x, y) => inked.has(y * 400 + x)),
    'corners',
  ).components;
};
const places = (count: number, at: (i: number) => readonly [number, number]) =>
  Array.from({ length: count }, (_, i) => at(i));
const onGrid = (i: number) => [10 + 30 * (i % 12), 10 + 30 * Math.floor(i / 12)] as const;

test('dots at even distances both ways are those of the paper', () => {
  assert.equal(paperDots(squares(4, places(108, onGrid))).size, 108);
  const amongStrokes = places(108, onGrid).filter((_, i) => i % 12 !== 4 && i % 12 !== 5);
  assert.equal(paperDots(squares(4, amongStrokes)).size, 90);
});

test('few, broad or scattered dots are no dotted paper', () => {
  assert.equal(paperDots(squares(4, places(36, onGrid))).size, 0);
  assert.equal(paperDots(squares(16, places(108, onGrid))).size, 0);
  const scattered = places(108, (i) => [(i * 137) % 380, (i * 71 + ((i * i) % 13)) % 280]);
  assert.equal(paperDots(squares(4, scattered)).size, 0);
});

test('a button is a field also beside a broad pen, and thick strokes are none', () => {
  const pen = 16;
  const strokes = where(
    300,
    200,
    (x, y) => (y >= 30 && y < 30 + pen) || (x >= 40 && x < 40 + pen && y < 120),
  );
  assert.equal(denseFields(strokes, pen).length, 0);
  const both = where(300, 200, (x, y) => {
    const isButton = x >= 90 && x < 270 && y >= 140 && y < 186 && !(x > 160 && x < 200 && y > 158 && y < 168);
    return isButton || strokes.data[y * 300 + x] === 1;
  });
  assert.deepEqual(
    denseFields(both, pen).map(({ bounds }) => bounds),
    [{ left: 90, top: 140, right: 270, bottom: 186 }],
  );
});

test('strokes of two widths are of two pens, and a pen that is pressed harder is one', () => {
  const areTwo = (broad: number) => {
    const lines = [20, 40, 60, 80, 100].map((top, i) => ({ top, tall: i < 3 ? 5 : broad }));
    const ink = where(200, 140, (x, y) =>
      lines.some(({ top, tall }) => x >= 10 && x < 190 && y >= top && y < top + tall),
    );
    const thinned = thin(ink);
    return widthsOf(ink, thinned, traceStrokes(thinned, 5)).areTwo;
  };
  assert.deepEqual([5, 7, 11].map(areTwo), [false, false, true]);
});

test('strokes go on under other ink where their ends face each other', () => {
  const cover = where(120, 80, (x, y) => x >= 50 && x < 70 && y >= 10 && y < 70);
  const lines = [
    [10, 48, 20],
    [72, 110, 20],
    [10, 48, 40],
    [72, 110, 60],
  ] as const;
  const ink = where(120, 80, (x, y) =>
    lines.some(([from, to, top]) => x >= from && x < to && y >= top && y < top + 4),
  );
  const { data, width } = bridged(ink, cover);
  const at = (x: number, y: number) => data[y * width + x];
  assert.deepEqual([at(52, 22), at(60, 22), at(68, 22)], [1, 1, 1], 'the ends that face each other');
  assert.deepEqual([at(60, 42), at(60, 52), at(60, 62)], [0, 0, 0], 'those that do not');
  const atEnds = where(120, 80, (x, y) => y < 70 && ((x >= 38 && x < 46) || (x >= 74 && x < 82)));
  assert.deepEqual(bridged(ink, atEnds).data, ink.data, 'no other ink in the gap');
});
