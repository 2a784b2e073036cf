import assert from 'node:assert/strict';
import { dirname, join } from 'node:path';
import { createRequire } from 'node:module';
import { before, test } from 'node:test';
import sharp, { type Sharp } from 'sharp';
import type { ExtractedFace } from '../../contracts/faces.ts';
import { qualityThresholds } from '../../contracts/settings.ts';
import type { EnrolAnalysis } from '../../domain/ports/recognition.ts';
import { SAME_PICTURE } from '../../domain/scores/scores.ts';
import { loadTemplateExtractor } from '../descriptor.ts';
import { createEngine, type Engine } from './engine.ts';

const PHOTOS = join(
  dirname(createRequire(import.meta.url).resolve('@vladmandic/face-api/package.json')),
  'demo',
);
const photo = (number: number) => join(PHOTOS, `sample${number}.jpg`);
const GATE = qualityThresholds.parse({});

let engine: Engine;
let portrait: Buffer;

before(async () => {
  const models = join(import.meta.dirname, '..', '..', '..', 'models');
  engine = await createEngine(models, await loadTemplateExtractor(models, 'full'));
  portrait = await cut(6, { left: 1330, top: 130, width: 500, height: 600 });
});

function cut(number: number, region: { left: number; top: number; width: number; height: number }) {
  return sharp(photo(number)).extract(region).jpeg({ quality: 92 }).toBuffer();
}

async function enrolled(bytes: Uint8Array): Promise<ExtractedFace> {
  const analysis = await engine.enrol(bytes, { gate: GATE });
  assert.equal(analysis.kind, 'face', `refused: ${codeOf(analysis)}`);
  return analysis.face;
}

function codeOf(analysis: EnrolAnalysis): string {
  return analysis.kind === 'refused' ? analysis.code : 'face';
}

function distance(p: ExtractedFace, q: ExtractedFace): number {
  return Math.sqrt(
    p.template.vector.reduce((sum, value, i) => sum + (value - q.template.vector[i]!) ** 2, 0),
  );
}

test('a picture that is saved, scaled or cropped anew is the same picture', async () => {
  const face = await enrolled(portrait);
  const of = (change: (picture: Sharp) => Sharp) =>
    change(sharp(portrait)).jpeg({ quality: 85 }).toBuffer().then(enrolled);
  const copies = [
    await of((picture) => picture),
    await of((picture) => picture.resize({ width: 350 })),
    await of((picture) => picture.resize({ width: 1000 })),
    await of((picture) => picture.extract({ left: 25, top: 30, width: 450, height: 540 })),
  ];
  for (const copy of copies) assert.ok(distance(face, copy) <= SAME_PICTURE, `${distance(face, copy)}`);
});

test('a portrait gets a unit template, a thumbnail, its place and a good quality', async () => {
  const face = await enrolled(portrait);
  const length = Math.hypot(...face.template.vector);
  assert.ok(Math.abs(length - 1) < 1e-5);
  assert.equal(face.template.pipelineId, engine.pipelineId);
  const thumbnail = await sharp(face.thumbnail).metadata();
  assert.deepEqual([thumbnail.format, thumbnail.width, thumbnail.height], ['jpeg', 160, 160]);
  const [left, right] = face.eyes;
  assert.ok(left.x < right.x && left.x > face.box.x && right.x < face.box.x + face.box.width);
  assert.ok(face.box.x > 100 && face.box.x + face.box.width < 430);
  assert.ok(face.quality.score >= 60, `score ${face.quality.score}`);
});

test('a face that was hidden by squares is refused, and one of as many pixels is not', async () => {
  const { box } = await enrolled(portrait);
  const area = {
    left: Math.round(box.x),
    top: Math.round(box.y),
    width: Math.round(box.width),
    height: Math.round(box.height),
  };
  const inSquares = async (squares: number) => {
    const few = await sharp(portrait).extract(area).resize(squares).png().toBuffer();
    const input = await sharp(few)
      .resize(area.width, area.height, { kernel: 'nearest', fit: 'fill' })
      .toBuffer();
    return sharp(portrait)
      .composite([{ input, left: area.left, top: area.top }])
      .jpeg({ quality: 80 })
      .toBuffer();
  };
  for (const squares of [16, 20])
    assert.equal(codeOf(await engine.enrol(await inSquares(squares), { gate: GATE })), 'LOW_SHARPNESS');
  const whole = await enrolled(portrait);
  assert.ok(distance(whole, await enrolled(await inSquares(40))) < 0.25);
});

/** As a printer draws a picture in black dots at 45°, and a scanner sees them. @param pitch pixels between two dots */
async function printedInDots(picture: Buffer, pitch: number): Promise<Buffer> {
  const { data, info } = await sharp(picture).greyscale().raw().toBuffer({ resolveWithObject: true });
  const fine = 4;
  const turn = (Math.SQRT2 * Math.PI) / pitch;
  const scan = Buffer.alloc(data.length);
  for (let at = 0; at < data.length; at++) {
    let ink = 0;
    for (let i = 0; i < fine * fine; i++) {
      const u = (at % info.width) + ((i % fine) + 0.5) / fine;
      const v = Math.floor(at / info.width) + (Math.floor(i / fine) + 0.5) / fine;
      const threshold = 0.5 + 0.25 * (Math.cos(turn * (u + v)) + Math.cos(turn * (u - v)));
      ink += data[at]! / 255 > threshold ? 0 : 1;
    }
    scan[at] = 235 - (200 * ink) / fine ** 2;
  }
  return sharp(scan, { raw: { width: info.width, height: info.height, channels: 1 } })
    .jpeg({ quality: 90 })
    .toBuffer();
}

test('dots of a print do not count as sharpness', async () => {
  const printed = (picture: Buffer) => printedInDots(picture, 2.3);
  const { measures } = (await enrolled(await printed(portrait))).quality;
  assert.ok(measures.grain > 0.6, `grain ${measures.grain}`);
  assert.ok(measures.sharpness < 0.5, `sharpness ${measures.sharpness}`);
  const blurred = await sharp(portrait).blur(12).jpeg().toBuffer();
  assert.equal(codeOf(await engine.enrol(await printed(blurred), { gate: GATE })), 'LOW_SHARPNESS');
});

test('two photos cut differently match; photos of two people do not', async () => {
  const first = await enrolled(portrait);
  const again = await enrolled(await cut(6, { left: 1380, top: 180, width: 400, height: 460 }));
  const other = await enrolled(await cut(6, { left: 560, top: 250, width: 430, height: 500 }));
  assert.ok(distance(first, again) < 0.1);
  assert.ok(distance(first, other) > 0.4);
});

test('a photo with an EXIF orientation gives the same face', async () => {
  const upright = await enrolled(portrait);
  for (const [orientation, turn] of [
    [3, 180],
    [6, 270],
    [8, 90],
  ] as const) {
    const bytes = await sharp(portrait)
      .rotate(turn)
      .withMetadata({ orientation })
      .jpeg({ quality: 95 })
      .toBuffer();
    const face = await enrolled(bytes);
    assert.ok(distance(upright, face) < 0.05, `orientation ${orientation}`);
    assert.ok(Math.abs(face.box.x - upright.box.x) < 5 && Math.abs(face.box.y - upright.box.y) < 5);
  }
});

test('a photo that lies on its side or head without saying so gives the same face', async () => {
  const upright = await enrolled(portrait);
  for (const turn of [90, 180, 270, 40]) {
    const turned = await sharp(portrait)
      .rotate(turn, { background: '#777' })
      .jpeg({ quality: 95 })
      .toBuffer();
    const face = await enrolled(turned);
    assert.ok(distance(upright, face) < 0.15, `turned by ${turn}: ${distance(upright, face)}`);
  }
});

test('a face that fills the picture, upright or not, is taken the right way up', async () => {
  const tight = await cut(1, { left: 1442, top: 176, width: 259, height: 288 });
  const wide = await enrolled(await cut(1, { left: 1300, top: 60, width: 540, height: 560 }));
  const dark = sharp(await cut(6, { left: 219, top: 454, width: 277, height: 342 })).linear(0.35, 0);
  const darkOnItsHead = sharp(await dark.toBuffer()).rotate(180);
  assert.ok(distance(wide, await enrolled(tight)) < 0.2);
  const lit = await enrolled(await dark.jpeg({ quality: 92 }).toBuffer());
  assert.ok(distance(lit, await enrolled(await darkOnItsHead.jpeg({ quality: 92 }).toBuffer())) < 0.2);
});

test('grey, dark and strongly compressed copies still match', async () => {
  const original = await enrolled(portrait);
  const copies = [
    await sharp(portrait).greyscale().png().toBuffer(),
    await sharp(portrait).linear(0.35, 0).jpeg().toBuffer(),
    await sharp(portrait).jpeg({ quality: 20 }).toBuffer(),
  ];
  for (const copy of copies) assert.ok(distance(original, await enrolled(copy)) < 0.35);
});

test('every face of a group photo is found, and nothing else', { timeout: 300_000 }, async () => {
  for (const [number, people] of [
    [1, 3],
    [2, 3],
    [3, 3],
    [4, 4],
    [5, 5],
    [6, 4],
  ] as const) {
    const analysis = await engine.search(await sharp(photo(number)).jpeg({ quality: 95 }).toBuffer());
    assert.equal(analysis.kind === 'faces' ? analysis.faces.length : 0, people, `sample${number}.jpg`);
  }
});

test('a face of 2 % of the width is found in tiles and extracted in full resolution', async () => {
  const small = await sharp(portrait).resize(150).jpeg().toBuffer();
  const scene = { create: { width: 3600, height: 2400, channels: 3 as const, background: '#687' } };
  const bytes = await sharp(scene)
    .composite([{ input: small, left: 2500, top: 1500 }])
    .jpeg()
    .toBuffer();
  const face = await enrolled(bytes);
  assert.ok(face.box.x > 2500 && face.box.y > 1500 && face.box.width < 90);
  assert.ok(distance(face, await enrolled(small)) < 0.2);
});

test('a group photo is refused for enrolment; a small background face is not counted', async () => {
  const group = await sharp(photo(6)).jpeg().toBuffer();
  assert.equal(codeOf(await engine.enrol(group, { gate: GATE })), 'MULTIPLE_FACES');
  const behind = await sharp(portrait).resize(110).toBuffer();
  const withBackground = await sharp(portrait)
    .composite([{ input: behind, left: 5, top: 5 }])
    .jpeg({ quality: 92 })
    .toBuffer();
  const shown = await engine.search(withBackground);
  assert.equal(shown.kind === 'faces' ? shown.faces.length : 0, 2);
  await enrolled(withBackground);
});

test('the main face of several is enrolled where the run asks for it', async () => {
  const { width, height } = await sharp(portrait).metadata();
  const other = await sharp(photo(6)).extract({ left: 560, top: 250, width: 430, height: 500 }).toBuffer();
  const beside = await sharp(other)
    .resize(Math.round(width / 2))
    .toBuffer();
  const together = await sharp({ create: { width: 2 * width, height, channels: 3, background: '#888' } })
    .composite([
      { input: portrait, left: Math.round(width / 2), top: 0 },
      { input: beside, left: 0, top: 0 },
    ])
    .jpeg({ quality: 92 })
    .toBuffer();
  const refused = await engine.enrol(together, { gate: GATE });
  assert.equal(codeOf(refused), 'MULTIPLE_FACES');
  assert.equal(refused.kind === 'refused' ? refused.found?.boxes.length : 0, 2);
  const analysis = await engine.enrol(together, { gate: GATE, severalFaces: 'main' });
  assert.ok(analysis.kind === 'face');
  assert.equal(analysis.found?.boxes.length, 2);
  assert.ok(distance(analysis.face, await enrolled(portrait)) < 0.2);
});

/** Pictures on one sheet, each at its place. */
async function onSheet(
  width: number,
  height: number,
  pictures: readonly { input: Buffer; left: number; top: number }[],
): Promise<Buffer> {
  const sheet = sharp({ create: { width, height, channels: 3, background: '#dde4e8' } });
  return sheet
    .composite([...pictures])
    .jpeg({ quality: 92 })
    .toBuffer();
}

const otherPerson = () => cut(6, { left: 560, top: 250, width: 430, height: 500 });
/** The engine's distance of one false match in a million. */
const SAME_PERSON = 0.5079;

test('a covered head larger than the clear face is not passed over', async () => {
  const { eyes } = await enrolled(portrait);
  const bystander = await sharp(await otherPerson())
    .resize(300)
    .toBuffer();
  const covers: Record<string, [Shape, number[]]> = {
    'blue mask': [SURGICAL_MASK, [120, 170, 215]],
    'black mask': [SURGICAL_MASK, [20, 20, 22]],
    'skin-coloured scarf': [(u, v) => v > 0.5 && v < 2.6 && Math.abs(u) < 1.6, [205, 160, 135]],
    'white paint': [(u, v) => (u / 1.25) ** 2 + ((v - 0.5) / 1.7) ** 2 < 1, [246, 246, 246]],
    niqab: [
      (u, v) => Math.abs(u) < 1.7 && v > -1.6 && v < 2.6 && !(Math.abs(v) < 0.28 && Math.abs(u) < 1),
      [22, 22, 26],
    ],
    'back of the head': [(u, v) => (u / 1.2) ** 2 + ((v - 0.3) / 1.75) ** 2 < 1, [60, 45, 35]],
    'black bar': [(u, v) => Math.abs(u) < 1.3 && Math.abs(v) < 0.35, [0, 0, 0]],
  };
  const hiddenBy = new Map<string, Buffer>();
  for (const [cover, [shape, colour]] of Object.entries(covers))
    hiddenBy.set(cover, await wearing(portrait, eyes, shape, colour));
  for (const squares of [5, 7, 9])
    hiddenBy.set(`${squares} squares across`, await overHead((head) => pixelated(head, squares)));
  for (const deviation of [14, 20])
    hiddenBy.set(`blur of ${deviation}`, await overHead((head) => head.blur(deviation).png().toBuffer()));
  for (const [cover, hidden] of hiddenBy) {
    const together = await onSheet(820, 600, [
      { input: hidden, left: 0, top: 0 },
      { input: bystander, left: 510, top: 200 },
    ]);
    const analysis = await engine.enrol(together, { gate: GATE, samePerson: SAME_PERSON });
    assert.equal(codeOf(analysis), 'MULTIPLE_FACES', cover);
    // The use of a photo decides what a head counts for, after it was found: one cover of each kind shows it, and on a page.
    if (!['niqab', '7 squares across', 'blur of 14'].includes(cover)) continue;
    const scan = await onPage(together, 520);
    assert.equal(codeOf(await engine.enrol(scan, { gate: GATE })), 'MULTIPLE_FACES', `${cover}, scan`);
    const main = await engine.enrol(together, { gate: GATE, severalFaces: 'main' });
    assert.equal(codeOf(main), 'MULTIPLE_FACES', `${cover}, main face`);
    const record = await engine.enrol(together, { gate: GATE, severalFaces: 'portrait' });
    assert.equal(codeOf(record), 'MULTIPLE_FACES', `${cover}, face record`);
    const looked = await engine.measure(together, 'photo', GATE);
    assert.ok(looked.kind === 'measured' && looked.refusals[0] === 'MULTIPLE_FACES', `${cover}, comparison`);
    const searched = await engine.search(together);
    assert.ok(
      searched.kind === 'faces' && searched.faces.length + searched.unclear.length >= 2,
      `${cover}, search`,
    );
  }
});

test('a sheet is cut into portraits, and one with an unclear head stays whole', async () => {
  const [other, ghost] = await Promise.all([otherPerson(), sharp(portrait).resize(160).toBuffer()]);
  const scanned = (...more: { input: Buffer; left: number; top: number }[]) =>
    onSheet(1500, 1500, [
      { input: other, left: 900, top: 60 },
      { input: portrait, left: 80, top: 700 },
      ...more,
    ]);
  const ofGhost = { input: ghost, left: 640, top: 1000 };
  const split = await engine.convert(await scanned(ofGhost), SAME_PERSON);
  assert.ok(split.kind === 'converted' && split.portraits?.length === 2, 'two portraits and no ghost');
  const [first, second] = await Promise.all(split.portraits.map(enrolled));
  assert.ok(distance(first!, await enrolled(other)) < SAME_PERSON, 'the upper one is the first');
  assert.ok(distance(second!, await enrolled(portrait)) < SAME_PERSON);
  const blurred = await overHead((head) => head.blur(14).png().toBuffer());
  const unclear = await scanned({ input: blurred, left: 900, top: 800 });
  const kept = await engine.convert(unclear, SAME_PERSON);
  assert.ok(
    kept.kind === 'converted' && kept.portraits === undefined,
    'a person decides about a blurred head',
  );
  const { eyes } = await enrolled(portrait);
  const niqab: Shape = (u, v) =>
    Math.abs(u) < 1.7 && v > -1.6 && v < 2.6 && !(Math.abs(v) < 0.28 && Math.abs(u) < 1);
  for (const [shape, colour] of [
    [niqab, [22, 22, 26]],
    [(u, v) => (u / 1.25) ** 2 + ((v - 0.5) / 1.7) ** 2 < 1, [246, 246, 246]],
  ] as const satisfies readonly (readonly [Shape, readonly number[]])[]) {
    const covered = await wearing(portrait, eyes, shape, [...colour]);
    const sheet = await scanned({ input: covered, left: 900, top: 800 });
    const whole = await engine.convert(sheet, SAME_PERSON);
    assert.ok(whole.kind === 'converted' && whole.portraits === undefined, 'a person decides about a cover');
    const { found } = await engine.enrol(sheet, { gate: GATE, samePerson: SAME_PERSON });
    assert.equal(found?.boxes.length, 2);
    assert.ok(
      found.unclear.some(({ x, y, width, height }) => x + width > 950 && y + height > 850),
      'whoever splits the sheet sees the place of the cover',
    );
  }
  const single = await engine.convert(portrait, SAME_PERSON);
  assert.ok(single.kind === 'converted' && single.portraits === undefined, 'one portrait is a photo');
});

test('an overlooked ghost is no portrait; one of a stranger is asked about', async () => {
  const reduced = (of: Buffer) => sharp(of).resize(240).toBuffer();
  const [first, second] = await Promise.all([reduced(await otherPerson()), reduced(portrait)]);
  const stranger = await cut(1, { left: 1300, top: 60, width: 540, height: 560 });
  for (const [of, portraits] of [
    [portrait, 2],
    [stranger, undefined],
  ] as const) {
    const ghost = await sharp(of).resize(130).greyscale().linear(0.45, 115).toBuffer();
    const page = await onSheet(3200, 3200, [
      { input: first, left: 1500, top: 60 },
      { input: second, left: 80, top: 1200 },
      { input: ghost, left: 700, top: 1400 },
    ]);
    const seen = await engine.measure(page, 'photo', GATE);
    assert.ok(seen.kind === 'measured' && seen.faces.length === 2, 'a look at the whole page overlooks it');
    const split = await engine.convert(page, SAME_PERSON);
    assert.ok(split.kind === 'converted');
    assert.equal(split.portraits?.length, portraits);
  }
});

test('a head that is smaller and no clear face does not count in a face record', async () => {
  const hidden = await overHead((head) => pixelated(head, 9));
  const small = await sharp(hidden).resize({ width: 300 }).toBuffer();
  const together = await onSheet(1000, 640, [
    { input: portrait, left: 0, top: 0 },
    { input: small, left: 640, top: 200 },
  ]);
  assert.equal(codeOf(await engine.enrol(together, { gate: GATE })), 'MULTIPLE_FACES');
  const analysis = await engine.enrol(together, { gate: GATE, severalFaces: 'portrait' });
  assert.ok(analysis.kind === 'face', codeOf(analysis));
  assert.ok(distance(analysis.face, await enrolled(portrait)) < 0.2);
});

test('a photo of one person on a page or a screen is enrolled, wherever it lies', async () => {
  for (const [left, top, colour] of [
    [40, 60, '#ffffff'],
    [700, 300, '#667788'],
    [380, 1200, '#18191c'],
    [800, 1300, '#ffffff'],
  ] as const)
    await enrolled(await onPage(portrait, 230, { left, top, colour }));
});

/** A photo, so many pixels wide, on a scanned page of 1240 × 1754 with lines of print. */
async function onPage(
  picture: Buffer,
  width: number,
  { left = 420, top = 500, colour = '#ffffff' } = {},
): Promise<Buffer> {
  const line = await sharp({ create: { width: 900, height: 9, channels: 3, background: '#555' } })
    .png()
    .toBuffer();
  const lines = Array.from({ length: 22 }, (_, i) => ({ input: line, left: 120, top: 80 + 75 * i }));
  const input = await sharp(picture).resize(width).toBuffer();
  return sharp({ create: { width: 1240, height: 1754, channels: 3, background: colour } })
    .composite([...lines, { input, left, top }])
    .jpeg()
    .toBuffer();
}

/** The portrait with its head replaced by what `alter` makes of it. */
async function overHead(alter: (head: Sharp) => Promise<Buffer>): Promise<Buffer> {
  const { box } = await enrolled(portrait);
  const left = Math.round(box.x - 0.2 * box.width);
  const top = Math.round(box.y - 0.3 * box.height);
  const [width, height] = [Math.round(1.4 * box.width), Math.round(1.5 * box.height)];
  const head = await sharp(portrait).extract({ left, top, width, height }).png().toBuffer();
  const input = await sharp(await alter(sharp(head)))
    .resize(width, height, { kernel: 'nearest', fit: 'fill' })
    .toBuffer();
  return sharp(portrait).composite([{ input, left, top }]).png().toBuffer();
}

function pixelated(head: Sharp, across: number): Promise<Buffer> {
  return head
    .resize(across, across + 1, { fit: 'fill' })
    .png()
    .toBuffer();
}

test('one person twice in a photo is one subject; two people are several', async () => {
  const { width, height } = await sharp(portrait).metadata();
  const ghost = (of: Buffer, share: number) =>
    sharp(of)
      .resize(Math.round(width * share))
      .greyscale()
      .linear(0.6, 90)
      .toBuffer();
  const pages = async (second: Buffer) => [
    await onSheet(1000, 640, [
      { input: portrait, left: 20, top: 20 },
      { input: await ghost(second, 0.5), left: 680, top: 300 },
    ]),
    await onSheet(2 * width + 40, height + 20, [
      { input: await sharp(second).resize(width, height).toBuffer(), left: 10, top: 10 },
      { input: portrait, left: width + 30, top: 10 },
    ]),
  ];
  /** A page with a photo and a round avatar. */
  const profile = async (second: Buffer) => {
    const side = 190;
    const disc = Buffer.alloc(4 * side * side);
    for (let i = 0; i < side * side; i++)
      if (Math.hypot((i % side) - side / 2, Math.floor(i / side) - side / 2) < side / 2)
        disc[4 * i + 3] = 255;
    const round = { input: disc, raw: { width: side, height: side, channels: 4 as const } };
    const avatar = sharp(second)
      .resize(side, side)
      .composite([{ ...round, blend: 'dest-in' }]);
    return onSheet(width, height + 240, [
      { input: portrait, left: 0, top: 240 },
      { input: await avatar.png().toBuffer(), left: 20, top: 20 },
    ]);
  };
  // The smaller its faces are in the picture, the less sure is the first look at each of them.
  const small = await sharp(portrait).resize(110).toBuffer();
  const strip = await onSheet(
    130,
    700,
    [5, 145, 285, 425, 565].map((top) => ({ input: small, left: 10, top })),
  );
  const alone = await enrolled(portrait);
  for (const page of [...(await pages(portrait)), await profile(portrait), strip]) {
    const analysis = await engine.enrol(page, { gate: GATE, samePerson: SAME_PERSON });
    assert.ok(analysis.kind === 'face', codeOf(analysis));
    assert.equal(analysis.found?.onePerson, true);
    assert.ok(distance(analysis.face, alone) < 0.2);
  }
  const other = await otherPerson();
  for (const page of [...(await pages(other)), await profile(other)])
    assert.equal(codeOf(await engine.enrol(page, { gate: GATE, samePerson: SAME_PERSON })), 'MULTIPLE_FACES');
});

test('each unusable photo is refused with its reason', async () => {
  const unusable: Record<string, Buffer> = {
    NO_FACE: await sharp(photo(6))
      .extract({ left: 300, top: 1000, width: 500, height: 500 })
      .jpeg()
      .toBuffer(),
    FACE_TOO_SMALL: await sharp(portrait).resize(60).jpeg().toBuffer(),
    FACE_CROPPED: await sharp(portrait)
      .extract({ left: 0, top: 0, width: 500, height: 330 })
      .jpeg()
      .toBuffer(),
    LOW_SHARPNESS: await sharp(portrait).blur(12).jpeg().toBuffer(),
    TOO_DARK: await sharp(portrait).linear(0.1, 0).jpeg().toBuffer(),
    TOO_BRIGHT: await sharp(portrait).linear(2.5, 0).jpeg().toBuffer(),
    CORRUPT_IMAGE: portrait.subarray(0, 9000),
  };
  for (const [code, bytes] of Object.entries(unusable))
    assert.equal(codeOf(await engine.enrol(bytes, { gate: GATE })), code);
});

/** Whether a place is painted: u to the right, v down, from between the eyes, in distances between them. */
type Shape = (u: number, v: number) => boolean;

const SURGICAL_MASK: Shape = (u, v) =>
  Math.abs(u) < 0.95 * Math.sqrt(Math.max(0, 1 - Math.max(0, v - 1) ** 2)) &&
  v > 0.45 + 0.15 * u * u &&
  v < 1.95;
const DARK_GLASSES: Shape = (u, v) =>
  (Math.abs(Math.abs(u) - 0.5) / 0.42) ** 3 + (Math.abs(v - 0.04) / 0.32) ** 3 <= 1 ||
  (Math.abs(v + 0.05) < 0.05 && Math.abs(u) < 1.05);
/** Rims alone. */
const SPECTACLES: Shape = (u, v) => {
  const within = (across: number, down: number) =>
    (Math.abs(Math.abs(u) - 0.5) / across) ** 3 + (Math.abs(v - 0.06) / down) ** 3 <= 1;
  return within(0.44, 0.36) && !within(0.38, 0.3);
};

/** A copy of the photo in which a shape is painted over the face whose eyes these are. */
async function wearing(
  bytes: Buffer,
  [left, right]: ExtractedFace['eyes'],
  shape: Shape,
  colour: readonly number[],
): Promise<Buffer> {
  const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const [across, down] = [right.x - left.x, right.y - left.y];
  const unit = across ** 2 + down ** 2;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [px, py] = [x - (left.x + right.x) / 2, y - (left.y + right.y) / 2];
      if (shape((px * across + py * down) / unit, (py * across - px * down) / unit))
        data.set(colour, (y * width + x) * channels);
    }
  }
  return sharp(data, { raw: { width, height, channels } }).jpeg({ quality: 92 }).toBuffer();
}

test('a frame is measured by the checks of enrolment, without a template', async () => {
  const measured = async (bytes: Buffer) => {
    const result = await engine.measure(bytes, 'frame', GATE);
    assert.equal(result.kind, 'measured');
    return result;
  };
  const good = await measured(portrait);
  const { box, quality } = await enrolled(portrait);
  assert.deepEqual([good.refusals, good.faces.length], [[], 1]);
  assert.deepEqual([good.faces[0]?.box, good.faces[0]?.quality], [box, quality]);
  const dark = await sharp(portrait).linear(0.1, 0).jpeg().toBuffer();
  assert.ok((await measured(dark)).refusals.includes('TOO_DARK'));
  const far = await sharp(portrait).resize(60).jpeg().toBuffer();
  assert.ok((await measured(far)).refusals.includes('FACE_TOO_SMALL'));
  const empty = { create: { width: 640, height: 480, channels: 3 as const, background: '#687' } };
  assert.deepEqual((await measured(await sharp(empty).jpeg().toBuffer())).refusals, ['NO_FACE']);
  assert.deepEqual((await measured(await sharp(photo(6)).jpeg().toBuffer())).refusals[0], 'MULTIPLE_FACES');
  const group = await engine.measure(await sharp(photo(6)).jpeg().toBuffer(), 'photo', GATE);
  assert.equal(group.kind === 'measured' && group.faces.length, 4);
});

test('masks and dark glasses are refused; bare faces and clear spectacles are not', async () => {
  const group = await sharp(photo(5)).jpeg({ quality: 95 }).toBuffer();
  const analysis = await engine.search(group);
  assert.equal(analysis.kind, 'faces');
  const portraits = [portrait];
  for (const { box } of analysis.faces.slice(0, 2)) {
    const [left, top] = [box.x - box.width / 2, box.y - box.height / 2].map((value) =>
      Math.max(0, Math.round(value)),
    ) as [number, number];
    const [width, height] = [Math.round(2 * box.width), Math.round(2 * box.height)];
    portraits.push(await sharp(group).extract({ left, top, width, height }).jpeg().toBuffer());
  }
  let refusedGlasses = 0;
  for (const bytes of portraits) {
    const { eyes } = await enrolled(bytes);
    await enrolled(await wearing(bytes, eyes, SPECTACLES, [60, 50, 45]));
    for (const colour of [
      [170, 205, 225],
      [25, 25, 28],
    ]) {
      const masked = await wearing(bytes, eyes, SURGICAL_MASK, colour);
      for (const arriving of [masked, await sharp(masked).greyscale().jpeg().toBuffer()])
        assert.equal(codeOf(await engine.enrol(arriving, { gate: GATE })), 'FACE_OBSCURED');
    }
    const glasses = await engine.enrol(await wearing(bytes, eyes, DARK_GLASSES, [22, 22, 24]), {
      gate: GATE,
    });
    if (codeOf(glasses) === 'FACE_OBSCURED') refusedGlasses++;
  }
  // Of dark glasses one pair in nine passes the gate.
  assert.ok(refusedGlasses >= portraits.length - 1, `${refusedGlasses} of ${portraits.length}`);
});

test('photos between usable and unusable end as the explanation page says', async () => {
  const { eyes } = await enrolled(portrait);
  const { width, height } = await sharp(portrait).metadata();
  /** The portrait with every pixel of a pattern mixed with a colour. */
  const under = (isInk: (x: number, y: number) => boolean, colour: readonly number[], opacity: number) => {
    const ink = Buffer.alloc(4 * width * height);
    for (let i = 0; i < width * height; i++)
      if (isInk(i % width, Math.floor(i / width))) ink.set([...colour, 255 * opacity], 4 * i);
    const input = { input: ink, raw: { width, height, channels: 4 as const } };
    return sharp(portrait).composite([input]).jpeg({ quality: 92 }).toBuffer();
  };
  const [left, right] = eyes;
  const across = right.x - left.x;
  const answers: [what: string, photo: Buffer, answer: string][] = [
    ['half a face', await wearing(portrait, eyes, (u) => u > 0 && u < 3, [120, 90, 60]), 'FACE_OBSCURED'],
    ['mask of skin', await wearing(portrait, eyes, SURGICAL_MASK, [205, 160, 135]), 'FACE_OBSCURED'],
    ['guilloche', await under((x, y) => (x + 9 * Math.sin(y / 9)) % 8 < 3, [60, 110, 150], 0.35), 'face'],
    ['print across', await under((x, y) => (x + y) % across < across / 5, [200, 20, 20], 0.5), 'face'],
    [
      'glare',
      await wearing(
        portrait,
        eyes,
        (u, v) => Math.hypot(Math.abs(u) - 0.42, v + 0.1) < 0.12,
        [250, 250, 250],
      ),
      'face',
    ],
  ];
  const blurred = await sharp(photo(6))
    .extract({ left: 560, top: 250, width: 430, height: 500 })
    .resize(200)
    .blur(4)
    .toBuffer();
  const beside = await sharp(portrait)
    .extend({ left: 220, background: '#888' })
    .composite([{ input: blurred, left: 10, top: 20 }])
    .jpeg({ quality: 92 })
    .toBuffer();
  answers.push(['a second face of low quality', beside, 'MULTIPLE_FACES']);
  for (const [what, bytes, answer] of answers)
    assert.equal(codeOf(await engine.enrol(bytes, { gate: GATE })), answer, what);
  const { data, info } = await sharp(portrait).greyscale().raw().toBuffer({ resolveWithObject: true });
  const fourTones = sharp(
    data.map((tone) => 85 * Math.round(tone / 85)),
    { raw: info },
  );
  assert.ok((await enrolled(await fourTones.png().toBuffer())).quality.score < 60);
});

test('without quality thresholds, faces that enrolment would refuse get a template', async () => {
  const dark = await sharp(portrait).linear(0.1, 0).jpeg().toBuffer();
  assert.equal((await engine.enrol(dark, {})).kind, 'face');
  assert.equal((await engine.search(dark)).kind, 'faces');
});

test('stricter thresholds refuse what the usual ones accept', async () => {
  assert.equal(
    codeOf(await engine.enrol(portrait, { gate: { ...GATE, minInterEyeDistance: 200 } })),
    'FACE_TOO_SMALL',
  );
  assert.equal(codeOf(await engine.enrol(portrait, { gate: { ...GATE, minSharpness: 1 } })), 'LOW_SHARPNESS');
});

test('a worse copy of a photo has a lower score', async () => {
  const { quality } = await enrolled(portrait);
  const worse = {
    blurred: await sharp(portrait).blur(4).jpeg().toBuffer(),
    small: await sharp(portrait).resize(110).jpeg().toBuffer(),
    dark: await sharp(portrait).linear(0.25, 0).jpeg().toBuffer(),
    glaring: await sharp(portrait).linear(1.5, 0).jpeg().toBuffer(),
    sideways: await sharp(portrait).rotate(90).jpeg().toBuffer(),
  };
  for (const [what, bytes] of Object.entries(worse)) {
    const { score } = (await enrolled(bytes)).quality;
    assert.ok(score <= quality.score - 10, `${what}: ${score} against ${quality.score}`);
  }
});
