import { test } from 'node:test';
import assert from 'node:assert/strict';
import { Chance } from '../../bench/signatures/random.ts';
import { encoded, onOnePage, pageOfText, paint, repaint, signings } from '../../test/signatures/specimens.ts';
import { cleanInk } from './clean.ts';
import { compareSignatures, prepareSignature } from './compare.ts';
import { shapeOf } from './points.ts';
import type { Colours } from './raster.ts';

function comparable(picture: Colours) {
  const { ink, reason } = cleanInk(picture);
  assert.equal(reason, undefined);
  const shape = shapeOf(ink!.strokes);
  assert.ok(shape);
  return shape;
}

const PEOPLE = [3, 19];

/** The picture of a signature changed, and still the same signature. */
function staysTheSame(change: (picture: Colours) => Colours, people = PEOPLE): void {
  for (const person of people) {
    const [picture] = signings(person, 1, 'tablet');
    const { similarity } = compareSignatures(comparable(picture!), comparable(change(picture!)));
    assert.ok(similarity >= 70, `person ${person}: ${similarity}`);
  }
}

/** Every stroke so many pixels broader to either side. */
const broadened = ({ width, height, data }: Colours, by: number): Colours =>
  paint(width, height, (x, y) => {
    let least = 255;
    for (let v = Math.max(0, y - by); v <= Math.min(height - 1, y + by); v++)
      for (let u = Math.max(0, x - by); u <= Math.min(width - 1, x + by); u++)
        least = Math.min(least, data[(v * width + u) * 3]!);
    return [least, least, least];
  });

test('strokes of two pens across each other are no ink of one signature', async () => {
  const broad = broadened(signings(3, 1, 'scan')[0]!, 4);
  const thin = signings(44, 1, 'scan')[0]!;
  const at = ({ width, height, data }: Colours, x: number, y: number) =>
    x < width && y < height ? data[(y * width + x) * 3]! : 255;
  const size = (of: 'width' | 'height') => Math.max(broad[of], thin[of]);
  const both = paint(size('width'), size('height'), (x, y) => {
    const darker = Math.min(at(broad, x, y), at(thin, x, y));
    return [darker, darker, darker];
  });
  const otherInkOf = async (picture: Colours) => {
    const prepared = await prepareSignature(await encoded(picture));
    return prepared.kind === 'signature' && prepared.otherInk;
  };
  assert.deepEqual(
    [await otherInkOf(broad), await otherInkOf(thin), await otherInkOf(both)],
    ['NONE', 'NONE', 'APART'],
  );
});

test('light ink on a dark ground is the same signature', () =>
  staysTheSame((picture) => repaint(picture, (value) => 255 - value)));

test('a shadow over the page does not change the signature', () =>
  staysTheSame((picture) => repaint(picture, (value, x) => value * (0.4 + (0.6 * x) / picture.width))));

test('faint ink is the same signature', () =>
  staysTheSame((picture) => repaint(picture, (value) => 255 - 0.3 * (255 - value))));

test('a coloured ground does not change the signature', () =>
  staysTheSame((picture) => repaint(picture, (value, _x, _y, c) => value * [0.95, 0.85, 0.55][c]!)));

test('noise does not change the signature', () => {
  const chance = new Chance(5);
  staysTheSame((picture) => repaint(picture, (value) => value + chance.normal(18)));
});

test('ruled lines are taken out and the strokes across them stay', () =>
  staysTheSame((picture) => repaint(picture, (value, _x, y) => (y % 44 < 2 ? Math.min(value, 90) : value))));

test('lines of squared paper are taken out, level or askew, also cut short by corners', () => {
  for (const [pitch, slope, tone] of [
    [24, 0, 120],
    [20, 0.03, 120],
    [31, -0.05, 90],
  ] as const)
    staysTheSame((picture) =>
      repaint(picture, (value, x, y) => {
        const off = (place: number) => place - pitch * Math.round(place / pitch);
        const nearest = Math.min(Math.abs(off(x + slope * y)), Math.abs(off(y - slope * x)));
        return Math.min(value, 255 - (255 - tone) * Math.min(1, Math.max(0, 1.4 - nearest)));
      }),
    );
});

test('dots of dotted paper are taken out, level or askew, dark or pale', () => {
  for (const [pitch, radius, slope, tone] of [
    [24, 2, 0, 100],
    [19, 2, 0.03, 120],
    [33, 2.5, -0.05, 60],
  ] as const)
    staysTheSame((picture) =>
      repaint(picture, (value, x, y) => {
        const [across, down] = [x + slope * y, y - slope * x];
        const off = (place: number) => place - pitch * Math.round(place / pitch);
        return Math.hypot(off(across), off(down)) <= radius ? Math.min(value, tone) : value;
      }),
    );
});

/** A pen of so much of its darkness on paper with ruled lines of one tone. */
const onLines = (darkness: number, tone: number) => (picture: Colours) =>
  repaint(picture, (value, _x, y) => {
    const pale = 255 - darkness * (255 - value);
    return y % 44 < 2 ? Math.min(pale, tone) : pale;
  });

test('dark ruled lines across a paler signature are taken out, and are not its pen', () => {
  for (const darkness of [0.7, 0.5]) staysTheSame(onLines(darkness, 100));
  // So much darker than the strokes that their tones are two.
  staysTheSame(onLines(0.5, 60), [19, 52]);
});

test('a code or bars that touch the strokes of a broad pen are told by their texture', () => {
  const chance = new Chance(11);
  const cells = Array.from({ length: 29 * 29 }, () => chance.happens(0.5));
  const isBar = Array.from({ length: 96 }, () => chance.happens(0.5));
  for (const person of PEOPLE) {
    const picture = broadened(signings(person, 1, 'tablet')[0]!, 5);
    const { bounds } = cleanInk(picture);
    const [left, top] = [bounds!.right - 20, bounds!.top + 5];
    const isCode = (x: number, y: number) =>
      x < 87 && y < 87 && cells[Math.floor(y / 3) * 29 + Math.floor(x / 3)]!;
    const isCodeOfBars = (x: number, y: number) => x < 192 && y < 50 && isBar[x >> 1]!;
    for (const isInk of [isCode, isCodeOfBars]) {
      const page = paint(picture.width + 240, picture.height, (x, y) => {
        if (x >= left && y >= top && isInk(x - left, y - top)) return [0, 0, 0];
        if (x >= picture.width) return [255, 255, 255];
        const at = (y * picture.width + x) * 3;
        return [picture.data[at]!, picture.data[at + 1]!, picture.data[at + 2]!];
      });
      const { facts, otherInk } = cleanInk(page);
      assert.ok(facts.foreign.has('FIELD'), `person ${person}`);
      assert.ok(otherInk === 'APART' || otherInk === 'MIXED');
    }
    assert.ok(!cleanInk(picture).facts.foreign.has('FIELD'));
  }
});

test('a dotted frame is taken out and is no page of text', () =>
  staysTheSame(({ width, height, data }) => {
    // A thin pen, so that dashes are as large as letters.
    const [by, around] = [4, 30];
    const [right, bottom] = [Math.ceil(width / by) + 2 * around, Math.ceil(height / by) + 2 * around];
    return paint(right + 1, bottom + 1, (x, y) => {
      const isAcross = Math.min(y, bottom - y) < 6 && x % 14 < 7;
      const isDown = Math.min(x, right - x) < 6 && y % 14 < 7;
      const [u, v] = [by * (x - around), by * (y - around)];
      const isPaper = u < 0 || v < 0 || u >= width || v >= height;
      const value = isAcross || isDown ? 20 : isPaper ? 255 : data[(v * width + u) * 3]!;
      return [value, value, value];
    });
  }));

test('the cell of a table around the signature is taken out', () =>
  staysTheSame((picture) => {
    // A page with more of the table: two of its lines go across it, the other two end at the cell.
    const [left, top] = [140, 90];
    const [right, bottom] = [left + picture.width, top + picture.height];
    return paint(picture.width + 280, picture.height + 180, (x, y) => {
      const isLine =
        Math.abs(x - left) < 1 ||
        Math.abs(y - top) < 1 ||
        (Math.abs(x - right) < 1 && y >= top && y <= bottom) ||
        (Math.abs(y - bottom) < 1 && x >= left && x <= right);
      if (isLine) return [30, 30, 30];
      if (x <= left || y <= top || x >= right || y >= bottom) return [255, 255, 255];
      const at = ((y - top) * picture.width + x - left) * 3;
      return [picture.data[at]!, picture.data[at + 1]!, picture.data[at + 2]!];
    });
  }));

test('a printed line that begins and ends within the signature is taken out', () =>
  staysTheSame((picture) =>
    repaint(picture, (value, x, y) => {
      const isOn = x > 0.2 * picture.width && x < 0.85 * picture.width;
      return isOn && Math.abs(y - Math.round(0.75 * picture.height)) < 1.5 ? Math.min(value, 40) : value;
    }),
  ));

test('a code that touches the signature is taken out', () =>
  staysTheSame(
    (picture) => {
      const { width, height, data } = picture;
      const cell = Math.round(height / 50);
      const chance = new Chance(8);
      const cells = Array.from({ length: 625 }, (_, i) => {
        const [u, v] = [i % 25, Math.floor(i / 25)];
        const isRandomDark = chance.happens(0.5);
        const isFinder = (u < 8 || u > 16) && (v < 8 || (v > 16 && u < 8));
        const ring = Math.max(Math.abs((u > 16 ? 24 - u : u) - 3), Math.abs((v > 16 ? 24 - v : v) - 3));
        return isFinder ? ring === 3 || ring < 2 : isRandomDark;
      });
      // Over the last pixels of the ink to the right.
      const dark = (x: number, y: number) => data[(y * width + x) * 3]! < 128;
      const isInked = (x: number) => Array.from({ length: height }, (_, y) => y).some((y) => dark(x, y));
      let left = width - 1;
      while (!isInked(left)) left--;
      left -= 4;
      const top = Math.round(0.3 * height);
      return paint(left + 27 * cell, height, (x, y) => {
        const [u, v] = [Math.floor((x - left) / cell), Math.floor((y - top) / cell)];
        if (u >= 0 && u < 25 && v >= 0 && v < 25 && cells[v * 25 + u]) return [0, 0, 0];
        if (x >= width) return [255, 255, 255];
        const at = (y * width + x) * 3;
        return [data[at]!, data[at + 1]!, data[at + 2]!];
      });
    },
    [3, 52],
  ));

test('the pale pattern of a cheque behind dark ink does not change the signature', () =>
  staysTheSame((picture) =>
    repaint(picture, (value, x, y) => {
      const off = (y + 14 * Math.sin(x / 33) + 15 * 100) % 15;
      return off < 1.6 ? value * 0.78 : value;
    }),
  ));

test('the soft shade of a fold through the signature does not change it', () =>
  staysTheSame((picture) =>
    repaint(picture, (value, x) => {
      const into = x - picture.width * 0.45;
      return value * (into < 0 || into > 36 ? 1 : 1 - 0.4 * (into / 36));
    }),
  ));

test('a dark corner and light that falls off do not change the signature', () => {
  staysTheSame((picture) =>
    repaint(picture, (value, x, y) => value * (x + y < 0.3 * picture.width ? 0.3 : 1)),
  );
  staysTheSame((picture) =>
    repaint(picture, (value, x, y) => {
      const { width, height } = picture;
      return value * (1 - 0.9 * Math.max(0, Math.hypot(x / width - 0.5, y / height - 0.5) - 0.35));
    }),
  );
});

test('a frame around the signature is taken out', () =>
  staysTheSame((picture) => {
    const { width, height } = picture;
    const onFrame = (at: number, length: number) =>
      (at >= 4 && at < 6) || (at >= length - 6 && at < length - 4);
    return repaint(picture, (value, x, y) => (onFrame(x, width) || onFrame(y, height) ? 20 : value));
  }));

test('a red stamp over black ink is taken out', () =>
  staysTheSame((picture) => {
    const { width, height } = picture;
    return repaint(picture, (value, x, y, c) => {
      const off = Math.hypot(x - width * 0.6, y - height * 0.5) / (height * 0.35);
      return Math.abs(off - 1) < 0.06 || Math.abs(off - 0.7) < 0.05 ? value * [0.85, 0.2, 0.25][c]! : value;
    });
  }));

const reasonOf = (picture: Colours) => cleanInk(picture).reason;

/** Ink in boxes on white. */
function inked(
  width: number,
  height: number,
  boxes: readonly (readonly [x: number, y: number, w: number, h: number])[],
) {
  const picture: Colours = { width, height, data: new Uint8Array(width * height * 3).fill(255) };
  return repaint(picture, (value, x, y) =>
    boxes.some(([left, top, w, h]) => x >= left && x < left + w && y >= top && y < top + h) ? 20 : value,
  );
}

test('an ideograph of a broad pen is no code, and a code beside handwriting is one', () => {
  const pen = 15;
  const level = (x: number, y: number, w: number) => [x, y, w, pen] as const;
  const upright = (x: number, y: number, h: number) => [x, y, pen, h] as const;
  const simple = [level(40, 60, 130), level(50, 125, 110), level(34, 196, 150), upright(98, 60, 140)];
  const dense = [
    ...[
      level(252, 60, 140),
      level(268, 95, 150),
      level(256, 130, 150),
      level(272, 165, 130),
      level(262, 200, 150),
    ],
    ...[upright(270, 48, 160), upright(328, 52, 170), upright(384, 66, 152)],
  ];
  const { facts } = cleanInk(inked(480, 270, [...simple, ...dense]));
  assert.deepEqual([...facts.foreign], []);
  const chance = new Chance(3);
  const cells = Array.from(
    { length: 21 * 21 },
    (_, i) => [290 + 6 * (i % 21), 70 + 6 * Math.floor(i / 21), 6, 6] as const,
  );
  const code = cells.filter(() => chance.happens(0.5));
  assert.ok(cleanInk(inked(480, 270, [...simple, ...code])).facts.foreign.has('FIELD'));
});

test('slanted strokes that stand alone are no outlines', () => {
  const strokes = paint(640, 270, (x, y) => {
    const along = (x - 30 - 0.8 * (y - 40)) % 90;
    return x > 30 && along >= 0 && along < 7 && y > 40 && y < 220 && x < 560 ? [20, 20, 20] : [255, 255, 255];
  });
  assert.ok(!cleanInk(strokes).facts.foreign.has('OUTLINE'));
});

test('an empty page is blank, also with grain', () => {
  const chance = new Chance(1);
  assert.equal(reasonOf(paint(400, 200, () => [255, 255, 255])), 'BLANK');
  assert.equal(reasonOf(paint(400, 200, () => [0, 0, 0])), 'BLANK');
  assert.equal(
    reasonOf(
      paint(400, 200, () => [230, 230, 230].map((v) => v + chance.normal(4)) as [number, number, number]),
    ),
    'BLANK',
  );
});

test('a dot or a short tick is too little ink', () => {
  const tick = paint(400, 200, (x, y) =>
    Math.abs(x - y - 100) < 3 && y > 90 && y < 110 ? [0, 0, 0] : [255, 255, 255],
  );
  assert.equal(reasonOf(tick), 'TOO_LITTLE_INK');
});

test('a picture of soft patches of all sizes and tones is no ink', () => {
  const chance = new Chance(8);
  const patches = Array.from({ length: 60 }, () => ({
    x: chance.between(0, 480),
    y: chance.between(0, 360),
    radius: chance.around(25, 0.8),
    tone: chance.normal(60),
  }));
  const scene = paint(480, 360, (x, y) => {
    const tone = patches.reduce(
      (sum, patch) =>
        sum + patch.tone * Math.exp(-((x - patch.x) ** 2 + (y - patch.y) ** 2) / patch.radius ** 2),
      140 - y / 6,
    );
    return [tone + 10, tone, tone - 10];
  });
  assert.equal(reasonOf(scene), 'NOT_INK');
});

test('specks of a bad scan over faint ink are no letters', () => {
  const chance = new Chance(3);
  let isSpeck = false;
  staysTheSame((picture) =>
    repaint(picture, (value, _x, _y, channel) => {
      if (channel === 0) isSpeck = chance.happens(0.004);
      return isSpeck ? 0 : 255 - 0.35 * (255 - value);
    }),
  );
});

test('a sheet in uneven light on a darker desk shows no edge', () =>
  staysTheSame(({ width, height, data }) =>
    paint(width + 260, height + 220, (x, y) => {
      const [left, top] = [x - 130, y - 110];
      if (left < 0 || top < 0 || left >= width || top >= height) return [60, 46, 38];
      const at = (top * width + left) * 3;
      const lit = (channel: number) => (255 - 0.2 * (255 - data[at + channel]!)) * (1 - (0.5 * top) / height);
      return [lit(0), lit(1), lit(2)];
    }),
  ));

test('rows of many small letters are a page of text', () => {
  assert.equal(reasonOf(pageOfText()), 'TEXT_PAGE');
});

test('two signatures on one page are several, beside or above each other', () => {
  const [one, again] = signings(11, 2, 'tablet');
  assert.equal(reasonOf(onOnePage(one!, again!, 120, 'stacked')), 'SEVERAL_SIGNATURES');
  assert.equal(reasonOf(onOnePage(one!, again!, 500, 'beside')), 'SEVERAL_SIGNATURES');
});

test('one signature alone is never taken for anything else', () => {
  const reasons = Array.from({ length: 9 }, (_, person) =>
    signings(100 + person, 1, (['scan', 'phone', 'tablet'] as const)[person % 3]).map(reasonOf),
  ).flat();
  assert.deepEqual(
    reasons.filter((reason) => reason !== undefined),
    [],
  );
});
