/** Marks that everybody makes, and what is no handwriting: never a match, whoever made them. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { COLOURS, FOREIGN, laidOn, lettering, stampAt } from '../../bench/signatures/foreign.ts';
import type { Canvas } from '../../bench/signatures/foreign.ts';
import { developSignature, sign } from '../../bench/signatures/hand.ts';
import { DRAWN, LIKE_NAMES, MARKS, photographed } from '../../bench/signatures/marks.ts';
import { SHORT_NAMES } from '../../bench/signatures/names.ts';
import { MEDIA, render } from '../../bench/signatures/page.ts';
import { Chance } from '../../bench/signatures/random.ts';
import { SIGNATURE_REASON_TEXT } from '../../core/contracts/signatures.ts';
import { doubtOf } from '../../core/domain/signatures/matching.ts';
import { cleanInk } from '../../core/signatures/clean.ts';
import { compareSignatures, prepareSignature } from '../../core/signatures/compare.ts';
import { doubtsOfPair } from '../../core/signatures/doubts.ts';
import { runPrepareJob } from '../../core/signatures/known/jobs.ts';
import { encoded, paint, signings } from './specimens.ts';

const HANDS = [1, 2, 3, 4];

for (const [kind, draw] of Object.entries(MARKS))
  test(`${kind}: two hands never match`, async () => {
    const images = await Promise.all(
      HANDS.map(async (hand) => prepareSignature(await encoded(await draw(new Chance(700 + hand))))),
    );
    for (const [i, one] of images.entries())
      for (const other of images.slice(i + 1)) {
        if (one.kind !== 'signature' || other.kind !== 'signature') continue;
        const { similarity } = compareSignatures(one, other);
        assert.ok(similarity < 70, `${kind}: ${similarity}`);
      }
    const refused = images.filter(({ kind: result }) => result === 'unusable').length;
    assert.ok(refused >= HANDS.length / 2, `${refused} of ${HANDS.length} are refused`);
  });

test('a mark that looks like a name: hands may be alike, and hardly ever match', async () => {
  let [pairs, alike, matching] = [0, 0, 0];
  for (const draw of Object.values(LIKE_NAMES)) {
    const marks = await Promise.all(
      Array.from({ length: 24 }, (_, hand) => {
        const chance = new Chance(7_300 + hand);
        return encoded(photographed(draw(chance), chance)).then(prepareSignature);
      }),
    );
    for (const [i, one] of marks.entries())
      for (const other of marks.slice(i + 1, i + 4)) {
        pairs += 1;
        if (one.kind !== 'signature' || other.kind !== 'signature') continue;
        if (compareSignatures(one, other).similarity < 70) continue;
        alike += 1;
        if (doubtOf('MATCH', doubtsOfPair(one, other)) === undefined) matching += 1;
      }
  }
  // By the fit 2 %.
  assert.ok(alike >= 5 && matching <= 0.04 * pairs, `${alike} and ${matching} of ${pairs}`);
});

const pages = new Map<string, ReturnType<typeof drawPage>>();

/** A hand's mark on a white page, and where it lies. Drawn once for all tests. */
function markOnPage(kind: string, hand: number): ReturnType<typeof drawPage> {
  const key = `${kind} ${hand}`;
  const page = pages.get(key) ?? drawPage(kind, hand);
  pages.set(key, page);
  return page;
}

function drawPage(kind: string, hand: number) {
  const chance = new Chance(hand);
  const mark = render(DRAWN[kind]!(chance), chance.pick(MEDIA), chance);
  const scale = Math.min(chance.between(160, 320) / mark.width, chance.between(140, 220) / mark.height);
  const [width, height] = [Math.round(mark.width * scale), Math.round(mark.height * scale)];
  const ink = { left: 120, top: 110, width, height };
  const colours = paint(800, 420, (x, y) => {
    const [u, v] = [Math.floor((x - ink.left) / scale), Math.floor((y - ink.top) / scale)];
    if (x < ink.left || y < ink.top || u >= mark.width || v >= mark.height) return [255, 255, 255];
    const at = (v * mark.width + u) * 3;
    return [mark.data[at]!, mark.data[at + 1]!, mark.data[at + 2]!];
  });
  return { colours, canvas: { width: 800, height: 420, ink } };
}

/** Ink that an office has on all its forms, by the page and a draw of chance. */
const ON_FORMS: Record<string, (canvas: Canvas, chance: Chance) => string> = {
  'a stamp over it': ({ ink }, chance) =>
    stampAt(ink.left + ink.width, ink.top + ink.height / 2, 90, COLOURS.red, chance),
  'a watermark': FOREIGN['grey watermark'].draw,
  'a code': FOREIGN.code.draw,
  'a phone screen': FOREIGN['phone screen'].draw,
};

for (const [name, draw] of Object.entries(ON_FORMS))
  test(`marks of two hands on forms with ${name} never match`, async () => {
    for (const [kind, form] of [
      ['x', 50],
      ['cross', 51],
    ] as const) {
      const images = [];
      for (const hand of [3000, 3001, 3002, 3003]) {
        const { colours, canvas } = markOnPage(kind, hand);
        const laid = await laidOn(colours, draw(canvas, new Chance(form)));
        images.push(await prepareSignature(await encoded(laid)));
      }
      for (const [i, one] of images.entries())
        for (const other of images.slice(i + 1)) {
          if (one.kind !== 'signature' || other.kind !== 'signature') continue;
          const { similarity } = compareSignatures(one, other);
          assert.ok(similarity < 70, `${kind} on form ${form}: ${similarity}`);
        }
    }
  });

/** The reason for the first hand's mark, in a comparison of two images and in a known set alike. */
async function reasonOf(kind: string): Promise<string> {
  const image = await encoded(await MARKS[kind]!(new Chance(701)));
  const [pair, known] = [
    await prepareSignature(image),
    await runPrepareJob({ kind: 'prepare', image, pictures: false }),
  ];
  assert.ok(pair.kind === 'unusable' && known.kind === 'unusable', kind);
  assert.equal(pair.reason, known.reason);
  return pair.reason;
}

test('a mark, a thumbprint, a stamp and print each have their own reason', async () => {
  for (const kind of ['x', 'dash', 'wave', 'stroke']) assert.equal(await reasonOf(kind), 'TOO_SIMPLE', kind);
  assert.equal(await reasonOf('thumbprint'), 'THUMBPRINT');
  assert.equal(await reasonOf('seal'), 'STAMP');
  assert.equal(await reasonOf('typed name'), 'PRINT');
  for (const reason of ['TOO_SIMPLE', 'THUMBPRINT', 'STAMP', 'PRINT', 'FOREIGN_INK'] as const)
    assert.match(SIGNATURE_REASON_TEXT[reason], /\. \w/);
});

test('signatures in every script are complex enough', async () => {
  assert.ok(Object.keys(DRAWN).length >= 9);
  const reasons: string[] = [];
  for (let person = 0; person < 14; person++) {
    const image = await prepareSignature(await encoded(signings(100 + person, 1)[0]!));
    if (image.kind === 'unusable') reasons.push(image.reason);
  }
  assert.deepEqual(reasons, []);
});

test('initials and names of two characters are mostly complex enough', async () => {
  const simple: string[] = [];
  for (const [kind, invent] of Object.entries(SHORT_NAMES))
    for (const person of [811, 812, 813, 814]) {
      const chance = new Chance(person);
      const image = photographed(sign(developSignature(invent(chance), chance), chance), chance);
      const prepared = await prepareSignature(await encoded(image));
      if (prepared.kind === 'unusable' && prepared.reason === 'TOO_SIMPLE') simple.push(`${kind} ${person}`);
    }
  assert.ok(simple.length <= 3, `too simple: ${simple.join(', ')}`);
});

test('typed names are print: short ones, with tall capitals and letters below the line', async () => {
  const blank = { width: 800, height: 220, data: new Uint8Array(800 * 220 * 3).fill(255) };
  for (const name of ['John Lopez', 'Ann Ng', 'Li Bo', 'John Petrova', 'Wei Chen'])
    for (const size of [48, 66, 90])
      for (const weight of ['regular', 'bold'] as const) {
        const letters = lettering(name, 30, 140, { size, colour: '#111', weight });
        const { reason } = cleanInk(await laidOn(blank, letters));
        assert.equal(reason, 'PRINT', `${name}, ${size} px, ${weight}`);
      }
});

/** Ridges about the middle of an oval, so many pixels apart. */
const isRidge = (x: number, y: number, apart: number) => {
  const radius = Math.hypot(x, y / 1.35);
  return radius < 90 && (radius / apart) % 1 < 0.5;
};

test('even ridges of a finger are a thumbprint; a signature beside them stays one', async () => {
  for (const apart of [9, 12, 16]) {
    const print = paint(420, 420, (x, y) =>
      isRidge(x - 210, y - 210, apart) ? [15, 15, 15] : [255, 255, 255],
    );
    const alone = await prepareSignature(await encoded(print));
    assert.equal(alone.kind === 'unusable' && alone.reason, 'THUMBPRINT', `ridges ${apart} px apart`);
  }
  const [signature] = signings(44, 1, 'tablet');
  const { width, height, data } = signature!;
  const beside = paint(width + 320, Math.max(height, 300), (x, y) => {
    if (isRidge(x - width - 180, y - 150, 12)) return [15, 15, 15];
    const at = (y * width + x) * 3;
    return x < width && y < height ? [data[at]!, data[at + 1]!, data[at + 2]!] : [255, 255, 255];
  });
  assert.equal((await prepareSignature(await encoded(beside))).kind, 'signature');
});
