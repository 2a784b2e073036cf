/** Beside the signature: other ink on the page changes no verdict for the worse. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { FOREIGN, laidOn, lettering, onSurface } from '../../bench/signatures/foreign.ts';
import { Chance } from '../../bench/signatures/random.ts';
import { MEASURED_SIGNATURE_BANDS } from '../../core/contracts/signatures.ts';
import { doubtOf, verdictOf } from '../../core/domain/signatures/matching.ts';
import { compareSignatures, prepareSignature } from '../../core/signatures/compare.ts';
import type { Prepared } from '../../core/signatures/compare.ts';
import { doubtsOfPair } from '../../core/signatures/doubts.ts';
import { runSignatureJob } from '../../core/signatures/engine.ts';
import type { Medium } from '../../bench/signatures/page.ts';
import type { Colours } from '../../core/signatures/raster.ts';
import { sheetOf } from '../../core/signatures/sheet.ts';
import { encoded, paint, repaint, signings } from './specimens.ts';

/** Points of similarity that a picture may lose. */
const LOSS = 15;
const PEOPLE = [44, 61];

/** A drawn signature on a white page with so many pixels around it, and where it lies. */
function onCanvas(signature: Colours, [left, top, right, bottom] = [130, 110, 290, 130]) {
  const ink = { left, top, width: signature.width, height: signature.height };
  const [width, height] = [ink.width + left + right, ink.height + top + bottom];
  const colours = paint(width, height, (x, y) => {
    const [u, v] = [x - ink.left, y - ink.top];
    if (u < 0 || v < 0 || u >= ink.width || v >= ink.height) return [255, 255, 255];
    const at = (v * ink.width + u) * 3;
    return [signature.data[at]!, signature.data[at + 1]!, signature.data[at + 2]!];
  });
  return { colours, canvas: { width, height, ink } };
}

/** Similarity; nothing where the images are inconclusive or a low similarity would be. */
async function similarity(one: Prepared, picture: Colours): Promise<number | undefined> {
  const other = await prepareSignature(await encoded(picture));
  if (one.kind !== 'signature' || other.kind !== 'signature') return undefined;
  const { similarity: found } = compareSignatures(one, other);
  return doubtOf(verdictOf(found, MEASURED_SIGNATURE_BANDS), doubtsOfPair(one, other)) ? undefined : found;
}

const pages = new Map<string, ReturnType<typeof drawPage>>();

/** A signature of a person on a page, the similarity of another one, and of it with other ink. Drawn once for all tests. */
function pageOf(person: number, medium: Medium = 'tablet', strength = 1): ReturnType<typeof drawPage> {
  const key = `${person} ${medium} ${strength}`;
  const page = pages.get(key) ?? drawPage(person, medium, strength);
  pages.set(key, page);
  return page;
}

async function drawPage(person: number, medium: Medium, strength: number) {
  const [one, again] = signings(person, 2, medium).map((picture) =>
    strength === 1 ? picture : repaint(picture, (value) => 255 - strength * (255 - value)),
  );
  const page = onCanvas(again!);
  const reference = await prepareSignature(await encoded(one!));
  const clean = await similarity(reference, page.colours);
  assert.ok(clean !== undefined, `person ${person} as it is`);
  const changed = async (colours: Promise<Colours>) => similarity(reference, await colours);
  return { ...page, clean, changed };
}

/** Each person with another draw of chance. */
async function changesLittle(
  change: (page: ReturnType<typeof onCanvas>, chance: Chance) => Promise<Colours>,
) {
  for (const [index, person] of PEOPLE.entries()) {
    const page = await pageOf(person);
    const now = await page.changed(change(page, new Chance(index + 1)));
    assert.ok(now === undefined || page.clean - now <= LOSS, `person ${person}: ${page.clean} and ${now}`);
  }
}

for (const [kind, { draw }] of Object.entries(FOREIGN))
  test(`${kind}: no rejection for it`, () =>
    changesLittle(({ colours, canvas }, chance) => laidOn(colours, draw(canvas, chance))));

/** Shapes about a place that is drawn by chance on the signature, as SVG. */
type DrawShape = (x: number, y: number, radius: number, pen: string) => string;
const SHAPES = {
  ring: (x, y, radius, pen) => `<circle cx="${x}" cy="${y}" r="${radius}" ${pen}/>`,
  oval: (x, y, radius, pen) =>
    `<ellipse cx="${x}" cy="${y}" rx="${radius}" ry="${0.67 * radius}" ${pen}/>
     <ellipse cx="${x}" cy="${y}" rx="${0.86 * radius}" ry="${0.58 * radius}" ${pen}/>`,
  triangle: (x, y, radius, pen) =>
    `<polygon points="${x},${y - radius} ${x + radius},${y + 0.7 * radius} ${x - radius},${y + 0.7 * radius}" ${pen}/>`,
  'box askew': (x, y, radius, pen) =>
    `<rect x="${x - radius}" y="${y - 0.6 * radius}" width="${2 * radius}" height="${1.2 * radius}" transform="rotate(11,${x},${y})" ${pen}/>`,
} satisfies Record<string, DrawShape>;

for (const [name, draw] of Object.entries(SHAPES))
  test(`a ${name} in the pen's own ink over the signature rejects nobody`, () =>
    changesLittle(({ colours, canvas: { ink } }, chance) => {
      const x = ink.left + ink.width * chance.between(0.85, 1);
      const y = ink.top + ink.height * chance.between(0.1, 0.3);
      const pen = 'fill="none" stroke="#191919" stroke-width="4"';
      return laidOn(colours, draw(x, y, 0.5 * Math.min(ink.height, 300), pen));
    }));

test("a round stamp in the pen's own ink at the end of a signature is left out", async () => {
  for (const person of [61, 3, 40, 52]) {
    const { colours, canvas, clean, changed } = await pageOf(person);
    const { left, top, width, height } = canvas.ink;
    const [x, y, radius] = [left + width, top + 0.6 * height, 55];
    const words = lettering('PAID', x - 28, y + 8, { size: 24, colour: '#191919' });
    const rim = SHAPES.ring(x, y, radius, 'fill="none" stroke="#191919" stroke-width="4"');
    const now = await changed(laidOn(colours, rim + words));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

test('a thin dull stamp over faint ink is taken out or leaves the answer open', async () => {
  const { colours, canvas, clean, changed } = await pageOf(44, 'tablet', 0.5);
  const [x, y] = [canvas.ink.left + 0.6 * canvas.ink.width, canvas.ink.top + 0.5 * canvas.ink.height];
  for (const colour of ['#7832a0', '#1e6e46']) {
    const pen = `fill="none" stroke="${colour}" stroke-width="3.5"`;
    const now = await changed(laidOn(colours, SHAPES.oval(x, y, 70, pen) + SHAPES.ring(x, y, 30, pen)));
    assert.ok(now === undefined || clean - now <= LOSS, `${clean} and ${now}`);
  }
});

test('a grey watermark under a faint pen: no rejection, and mostly taken out', async () => {
  let open = 0;
  for (const person of PEOPLE) {
    const { colours, canvas, clean, changed } = await pageOf(person, 'scan', 0.6);
    for (const seed of [1, 2]) {
      const watermark = FOREIGN['grey watermark'].draw(canvas, new Chance(seed));
      const now = await changed(laidOn(colours, watermark));
      assert.ok(now === undefined || clean - now <= LOSS, `person ${person}, ${seed}: ${clean} and ${now}`);
      if (now === undefined) open++;
    }
  }
  assert.ok(open <= PEOPLE.length, `${open} are inconclusive`);
});

test('a loop by hand about a signature is left out', async () => {
  for (const [index, person] of PEOPLE.entries()) {
    const { colours, canvas, clean, changed } = await pageOf(person);
    const { left, top, width, height } = canvas.ink;
    const places = Array.from({ length: 90 }, (_, i) => {
      const angle = 1 + i * 0.075;
      const wide = 1 + 0.04 * Math.sin(3 * angle + index) + 0.0008 * i;
      return `${left + width * (0.5 + 0.6 * wide * Math.cos(angle))},${top + height * (0.5 + 0.62 * wide * Math.sin(angle))}`;
    });
    const loop = `<polyline points="${places.join(' ')}" fill="none" stroke="#191919" stroke-width="4"/>`;
    const now = await changed(laidOn(colours, loop));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

/** A bold word across a place, turned. */
const wordAcross = (word: string, x: number, y: number, size: number, degrees: number) =>
  `<g transform="rotate(${degrees},${x},${y})">${lettering(word, x - 0.34 * size * word.length, y + 0.36 * size, { size, colour: '#0a0a0a', weight: 'bold' })}</g>`;

test('a black word over a pale signature is left out, and the strokes go on beneath', async () => {
  for (const [person, strength] of [
    [44, 0.14],
    [61, 0.2],
    [3, 0.35],
  ] as const) {
    const { colours, canvas, clean, changed } = await pageOf(person, 'tablet', strength);
    const { left, top, width, height } = canvas.ink;
    const word = wordAcross('VERIFIED', left + 0.5 * width, top + 0.6 * height, 44, -19);
    const now = await changed(laidOn(colours, word));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

test('a dark word that hides a quarter of a pale signature makes it doubtful', async () => {
  for (const person of [44, 61]) {
    const { colours, canvas } = await pageOf(person, 'tablet', 0.2);
    const [x, y] = [canvas.ink.left + 0.5 * canvas.ink.width, canvas.ink.top + 0.5 * canvas.ink.height];
    const under = async (size: number) => {
      const page = await laidOn(colours, wordAcross('VERIFIED', x, y, size, -12));
      const prepared = await prepareSignature(await encoded(page));
      return prepared.kind === 'signature' && prepared.otherInk;
    };
    assert.equal(await under(44), 'APART', `person ${person}, a word that hides little`);
    assert.equal(await under(80), 'MIXED', `person ${person}, a word that hides much`);
  }
});

/** Bold letters that hang together, as those of Arabic do. */
const boldWordAt = (x: number, y: number) =>
  `<path d="M${x} ${y}q10 40 34 22t-4 -44q20 60 58 36t20 -40q-30 40 10 44t62 -28q4 -40 -22 -26t26 40t40 -50" fill="none" stroke="#0a0a0a" stroke-width="15"/>`;

test('bold letters that hang together are not taken for the paler signature below them', async () => {
  for (const [person, strength] of [
    [3, 0.2],
    [40, 0.2],
  ] as const) {
    const { colours, canvas, clean, changed } = await pageOf(person, 'tablet', strength);
    const [x, y] = [canvas.ink.left + 0.35 * canvas.ink.width, canvas.ink.top + 0.5 * canvas.ink.height];
    const now = await changed(laidOn(colours, boldWordAt(x, y)));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

test('a pale word aslant under a broad pen is not the signature', async () => {
  for (const person of [3, 40, 52]) {
    const { colours, canvas, clean, changed } = await pageOf(person);
    const [x, y] = [canvas.ink.left + 0.5 * canvas.ink.width, canvas.ink.top + 0.5 * canvas.ink.height];
    const word = lettering('Confidential', x - 160, y + 20, { size: 56, colour: '#c4c4c4' });
    const now = await changed(laidOn(colours, `<g transform="rotate(16,${x},${y})">${word}</g>`));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

/** A page whose ink has another colour or tone to one side of a share of the signature's width. */
const inTwoInks = (
  { colours, canvas: { ink } }: ReturnType<typeof onCanvas>,
  share: number,
  kept: readonly [number, number, number],
) =>
  repaint(colours, (value, x, _y, channel) =>
    x > ink.left + share * ink.width ? 255 - kept[channel]! * (255 - value) : value,
  );

test('a signature whose pen was changed is one signature', async () => {
  for (const person of [3, 61, 19]) {
    const page = await pageOf(person);
    for (const [share, kept] of [
      [0.5, [0.95, 0.8, 0.25]],
      [0.6, [0.1, 0.85, 0.8]],
      [0.4, [0.4, 0.4, 0.4]],
    ] as const) {
      const now = await page.changed(Promise.resolve(inTwoInks(page, share, kept)));
      assert.ok(now !== undefined && page.clean - now <= LOSS, `${person}, ${share}: ${page.clean}, ${now}`);
    }
  }
});

test('a dark signature over a much paler one rejects nobody', async () => {
  const [dark] = signings(19, 1, 'tablet');
  for (const person of [3, 40]) {
    const { colours, canvas, clean, changed } = await pageOf(person, 'tablet', 0.15);
    const { left, top } = canvas.ink;
    const both = repaint(colours, (value, x, y, channel) => {
      const [u, v] = [x - left, y - top];
      const isOn = u >= 0 && v >= 0 && u < dark!.width && v < dark!.height;
      return isOn ? Math.min(value, dark!.data[(v * dark!.width + u) * 3 + channel]!) : value;
    });
    const now = await changed(Promise.resolve(both));
    assert.ok(now === undefined || clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

const aloneOnPage = async (elements: string) => {
  const page = await laidOn(
    paint(640, 420, () => [255, 255, 255]),
    elements,
  );
  const prepared = await prepareSignature(await encoded(page));
  return prepared.kind === 'unusable' ? prepared.reason : prepared.kind;
};

const LONE = {
  'a word aslant': wordAcross('VERIFIED', 320, 210, 60, 24),
  'a word aslant the other way': wordAcross('CLOSED', 320, 210, 60, -33),
  'a word nearly upright': wordAcross('Posted 14', 320, 210, 60, 70),
  'bold letters that hang together': boldWordAt(190, 210),
  'two short words': wordAcross('DUTY', 320, 180, 60, 0) + wordAcross('PAID', 320, 260, 60, 0),
  'two rows and a frame that runs through them': `<g transform="rotate(-14,320,210)">${lettering('BRANCH 12', 230, 200, { size: 34, colour: '#111' })}${lettering('ENTERED 14.06.2025', 150, 246, { size: 34, colour: '#111' })}<rect x="200" y="156" width="240" height="110" rx="9" fill="none" stroke="#111" stroke-width="4"/></g>`,
};
for (const [name, elements] of Object.entries(LONE))
  test(`a stamp without a signature is print: ${name}`, async () =>
    assert.equal(await aloneOnPage(elements), 'PRINT'));

test('a signature between paragraphs is no page of text', async () => {
  for (const person of PEOPLE) {
    const { colours, canvas, clean, changed } = await pageOf(person);
    const { left, top, height } = canvas.ink;
    const rows = [
      'The buyer has received the goods that are listed',
      'above, in good order, and owes the seller the sum.',
    ];
    const paragraph = (y: number) =>
      rows
        .map((row, i) => lettering(row, left - 60, y + 26 * i, { size: 20, colour: '#222', weight: 'bold' }))
        .join('');
    const now = await changed(laidOn(colours, paragraph(top - 72) + paragraph(top + height + 30)));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

test('a black frame around a paler signature is not taken for the signature', async () => {
  for (const person of PEOPLE) {
    const [one, again] = signings(person, 2).map((picture) =>
      repaint(picture, (value) => 255 - 0.5 * (255 - value)),
    );
    const { colours } = onCanvas(again!, [30, 30, 30, 30]);
    const { width, height } = colours;
    const frame = `<rect x="5" y="5" width="${width - 10}" height="${height - 10}" fill="none" stroke="#141414" stroke-width="3"/>`;
    const reference = await prepareSignature(await encoded(one!));
    const now = await similarity(reference, await laidOn(colours, frame));
    assert.ok(now !== undefined && now >= 40, `person ${person}: ${now}`);
  }
});

test('a coloured stamp whose rim a closer look cuts off is left out', async () => {
  const { colours, canvas, clean, changed } = await pageOf(52, 'scan');
  const { ink } = canvas;
  const x = ink.left + ink.width + 100;
  const stamp = SHAPES.ring(x, ink.top + ink.height / 2, 75, 'fill="none" stroke="#1e3cb4" stroke-width="4"');
  const now = await changed(laidOn(colours, stamp));
  assert.ok(now !== undefined && clean - now <= LOSS, `${clean} and ${now}`);
});

test('grey buttons under a black signature are left out', async () => {
  for (const person of [19, 40, 44]) {
    const { colours, canvas, clean, changed } = await pageOf(person);
    const width = canvas.width / 2 - 60;
    const button = (x: number) =>
      `<rect x="${x}" y="${canvas.height - 90}" width="${width}" height="60" rx="6" fill="#444"/>`;
    const bar = lettering('9:41', 12, 20, { size: 16, colour: '#222' });
    const now = await changed(laidOn(colours, button(40) + button(canvas.width / 2 + 20) + bar));
    assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
  }
});

test('a dark stamp that covers pieces of a pale pen leaves no rejection', async () => {
  const { ring, oval } = SHAPES;
  for (const person of PEOPLE) {
    const { colours, canvas, clean, changed } = await pageOf(person, 'scan', 0.45);
    const [x, y] = [canvas.ink.left + 0.5 * canvas.ink.width, canvas.ink.top + 0.5 * canvas.ink.height];
    const pen = 'fill="none" stroke="#101010" stroke-width="7"';
    const radius = 0.45 * canvas.ink.height;
    for (const shape of [ring(x, y, radius, pen), oval(x, y, 1.3 * radius, pen)]) {
      const now = await changed(laidOn(colours, shape));
      assert.ok(now === undefined || clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
    }
  }
});

test('a pale pattern all over the page is taken out', async () => {
  const { colours, canvas, clean, changed } = await pageOf(52);
  const waves = Array.from({ length: 7 }, (_, k) => {
    const points = Array.from(
      { length: Math.ceil(canvas.width / 6) },
      (_, i) => `${6 * i},${canvas.height / 2 + 0.3 * canvas.height * Math.sin(i / 7 + k)}`,
    );
    return `<polyline points="${points.join(' ')}" fill="none" stroke="#c8c8c8" stroke-width="1.6"/>`;
  });
  const now = await changed(laidOn(colours, waves.join('')));
  assert.ok(now !== undefined && clean - now <= LOSS, `${clean} and ${now}`);
});

/** Ink that forms, programs and other people leave beside a signature, in SVG about its box. */
const BESIDE = {
  'a bracket and words of a signing program': ({ left, top, height }) =>
    `<path d="M${left + 30} ${top - 40} h-70 q-14 0 -14 14 v${height + 52} q0 14 14 14 h70" fill="none" stroke="#1b52c4" stroke-width="4"/>` +
    lettering('Digitally signed', left + 4, top - 30, { size: 22, colour: '#333' }) +
    lettering('7F3A0C21B9D84E5', left + 4, top + height + 34, { size: 22, colour: '#333' }),
  'a coloured flag with words': ({ left, top }) =>
    `<path d="M${left - 120} ${top - 90} h170 l40 40 -40 40 h-170z" fill="#f5c518"/>` +
    lettering('SIGN HERE', left - 108, top - 40, { size: 26, colour: '#7a1010', weight: 'bold' }),
  'initials of a darker pen': ({ left, top, width, height }) =>
    `<path d="M${left + width + 40} ${top + 0.8 * height} q18 -80 32 -5 q12 44 28 -34 q14 -56 26 12" fill="none" stroke="#141414" stroke-width="5"/>`,
  'a cross and a black line': ({ left, top, width, height }) =>
    lettering('X', left - 60, top + height + 12, { size: 60, colour: '#000' }) +
    `<path d="M${left - 80} ${top + height + 20} H${left + width + 60}" stroke="#000" stroke-width="4"/>`,
  'a filled and an outlined button': ({ left, top, width, height }) =>
    `<rect x="${left + width - 60}" y="${top + height + 50}" width="200" height="56" rx="10" fill="#1a73e8"/>
     <rect x="${left}" y="${top + height + 50}" width="170" height="56" rx="10" fill="none" stroke="#777" stroke-width="2.5"/>` +
    lettering('Clear', left + 45, top + height + 87, { size: 28, colour: '#555' }),
  'a caption of joined letters and a black line': ({ left, top, width, height }) =>
    `<path d="M${left} ${top + height + 20} H${left + width}" stroke="#111" stroke-width="3"/>` +
    lettering('توقيع صاحب الطلب', left + 0.4 * width, top + height + 60, { size: 32, colour: '#111' }),
} satisfies Record<string, (ink: ReturnType<typeof onCanvas>['canvas']['ink']) => string>;

for (const [name, draw] of Object.entries(BESIDE))
  test(`${name} beside a paler pen: the signature is compared`, async () => {
    for (const person of [54, 61]) {
      const { colours, canvas, clean, changed } = await pageOf(person, 'scan', 0.55);
      const now = await changed(laidOn(colours, draw(canvas.ink)));
      assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
    }
  });

/** Coloured lines over a whole page, so many pixels apart. */
const linesOn = ({ width, height }: Colours, apart: number, isGrid: boolean) =>
  Array.from({ length: Math.ceil(width / apart) }, (_, i) => {
    const upright = isGrid ? `M${i * apart + 7} 0 V${height} ` : '';
    return `<path d="${upright}M0 ${i * apart + 9} H${width}" stroke="#8fb4e0" stroke-width="2"/>`;
  }).join('');

for (const isGrid of [false, true])
  test(`a signature on coloured ${isGrid ? 'squared' : 'ruled'} paper is compared`, async () => {
    for (const person of PEOPLE) {
      const { colours, clean, changed } = await pageOf(person);
      const now = await changed(laidOn(colours, linesOn(colours, 38, isGrid)));
      assert.ok(now !== undefined && clean - now <= LOSS, `person ${person}: ${clean} and ${now}`);
    }
  });

test('a signature of broken lines a few pixels high is too small, and no page of text', async () => {
  const broken = paint(220, 64, (x, y) => {
    const onLine = (y === 12 + (x % 7) || y === 30 + ((x * 3) % 8) || y === 50 - (x % 6)) && x % 3 !== 0;
    return x > 10 && x < 210 && onLine ? [0, 0, 0] : [255, 255, 255];
  });
  const result = await runSignatureJob({
    kind: 'pair',
    image1: await encoded(broken),
    image2: await encoded(signings(44, 1)[0]!),
    pictures: false,
  });
  assert.ok(result.kind === 'inconclusive');
  assert.deepEqual(result.reasons, { image1: 'INK_TOO_SMALL' });
});

for (const [name, desk] of Object.entries({ dark: '#3a2a1e', light: '#b9b9b9' }))
  test(`a sheet on a ${name} desk: no rejection for its edge`, () =>
    changesLittle(({ colours }, chance) => onSurface(colours, desk, chance)));

/** Ink that covers a page or lies about it, in SVG. */
const GROUNDS = {
  'a cheque with fine waves and print': ({ canvas: { width, height, ink } }) =>
    Array.from(
      { length: Math.ceil(height / 8) },
      (_, i) =>
        `<path d="M0 ${8 * i}Q${width / 3} ${8 * i + 11} ${width / 2} ${8 * i}T${width} ${8 * i}" fill="none" stroke="#b9c6d6"/>`,
    ).join('') + lettering('PAY TO THE BEARER', ink.left, 40, { size: 22, colour: '#333' }),
  'a word all over the paper': ({ canvas: { width, height } }) =>
    Array.from({ length: 40 }, (_, i) => {
      const [x, y] = [(i % 5) * 190 - 30, 40 + 75 * Math.floor(i / 5)];
      return x > width || y > height + 40
        ? ''
        : `<g transform="rotate(-21,${x},${y})">${lettering('COPIA', x, y, { size: 58, colour: '#c9c9c9', weight: 'bold' })}</g>`;
    }).join(''),
  'a punched sheet with pale lines': ({ canvas: { width, height } }) =>
    Array.from({ length: Math.ceil(height / 34) }, (_, i) => {
      const y = 34 * i + 11;
      return `<path d="M0 ${y}H${width}" stroke="#8aa4cc" stroke-width="1.6"/><circle cx="30" cy="${y}" r="13" fill="#333"/>`;
    }).join(''),
  'grain in black and white': ({ canvas: { width, height } }) => {
    const chance = new Chance(8);
    return Array.from(
      { length: 260 },
      () =>
        `<rect x="${chance.between(0, width)}" y="${chance.between(0, height)}" width="2.4" height="2.4" fill="#555"/>`,
    ).join('');
  },
  'a broad pale emblem and words': ({ canvas: { width, height } }) =>
    `<path d="M${width - 260} ${height - 60}q60 -240 120 -260q30 120 -60 200t-120 40q100 -20 190 -160" fill="none" stroke="#f2c4c4" stroke-width="16"/>` +
    [60, 90, 120]
      .map((y) => lettering('Electronically signed', width - 220, y, { size: 22, colour: '#222' }))
      .join(''),
} satisfies Record<string, (page: ReturnType<typeof onCanvas>) => string>;

for (const [name, draw] of Object.entries(GROUNDS))
  test(`a signature is compared on ${name}`, async () => {
    for (const person of [61, 44]) {
      const page = await pageOf(person, 'scan', name === 'grain in black and white' ? 0.5 : 0.8);
      const now = await page.changed(laidOn(page.colours, draw(page)));
      assert.ok(now !== undefined && page.clean - now <= LOSS, `${person}: ${page.clean} and ${now}`);
    }
  });

test('what a dark screen shows about its light field is covered up', () => {
  const isWord = (x: number, y: number) =>
    y % 30 < 14 && (y < 200 || y > 480) && x > 40 && x < 420 && x % 13 < 6;
  const screen = paint(480, 800, (x, y) => {
    if (x >= 30 && x < 450 && y >= 230 && y < 460) return [255, 255, 255];
    return isWord(x, y) ? [235, 235, 240] : [22, 22, 28];
  });
  assert.ok(sheetOf(screen).data.every((value) => value > 200));
});
