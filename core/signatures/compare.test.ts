import { test } from 'node:test';
import assert from 'node:assert/strict';
import sharp from 'sharp';
import { Chance } from '../../bench/signatures/random.ts';
import { encoded, onOnePage, paint, pngThatClaims, signings } from '../../test/signatures/specimens.ts';
import { comparePair, compareSignatures, prepareSignature } from './compare.ts';
import { runSignatureJob } from './engine.ts';
import { boldnessOf } from './penWidth.ts';

const compare = (image1: Uint8Array, image2: Uint8Array, pictures = false) =>
  runSignatureJob({ kind: 'pair', image1, image2, pictures });

const prepared = new WeakMap<Uint8Array, ReturnType<typeof prepareSignature>>();

/** The same image is prepared once, however often it is compared. */
async function preparedOnce(image: Uint8Array) {
  const preparing = prepared.get(image) ?? prepareSignature(image);
  prepared.set(image, preparing);
  const signature = await preparing;
  assert.ok(signature.kind === 'signature');
  return signature;
}

async function similarity(image1: Uint8Array, image2: Uint8Array): Promise<number> {
  return compareSignatures(await preparedOnce(image1), await preparedOnce(image2)).similarity;
}

test('similarity is the same to the last bit whichever image comes first', async () => {
  for (const person of [21, 23]) {
    const [one, again] = signings(person, 2);
    const [other] = signings(person + 50, 1, 'phone');
    const images = await Promise.all([encoded(one!), encoded(again!, 'jpeg'), encoded(other!)]);
    for (const [a, b] of [
      [images[0], images[1]],
      [images[0], images[2]],
      [images[2], images[1]],
    ])
      assert.equal(await similarity(a!, b!), await similarity(b!, a!));
  }
});

test('an image matches itself, also smaller, larger and in the other format', async () => {
  const [picture] = signings(31, 1);
  const image = await encoded(picture!);
  assert.ok((await similarity(image, image)) >= 95);
  const half = await sharp(image)
    .resize(Math.round(picture!.width / 2))
    .jpeg({ quality: 80 })
    .toBuffer();
  const thrice = await sharp(image)
    .resize(picture!.width * 3)
    .png()
    .toBuffer();
  assert.ok((await similarity(image, half)) >= 70);
  assert.ok((await similarity(half, thrice)) >= 70);
});

test('another signature near by makes no No Match: beside, above, touching', async () => {
  const [[own, again], [other]] = [signings(44, 2, 'tablet'), signings(19, 1, 'tablet')];
  const reference = await encoded(own!);
  const pages = [
    onOnePage(again!, other!, 12, 'beside'),
    onOnePage(other!, again!, 0, 'beside'),
    onOnePage(other!, again!, 10, 'stacked'),
    onOnePage(again!, other!, -12, 'stacked'),
  ];
  for (const [i, page] of pages.entries()) {
    const { similarity: whole, doubts } = comparePair(
      await preparedOnce(reference),
      await preparedOnce(await encoded(page)),
    );
    const said = doubts.find(({ verdicts }) => verdicts.includes('NO_MATCH'))?.reasons;
    assert.ok(whole >= 40 || said?.image2 !== undefined, `page ${i}: ${whole}`);
  }
});

test('signatures of different people are a No Match without a doubt', async () => {
  for (const [one, other] of [
    [44, 19],
    [52, 31],
    [21, 71],
  ]) {
    const images = [signings(one!, 1), signings(other!, 1)].map(([picture]) => encoded(picture!));
    const [image1, image2] = await Promise.all((await Promise.all(images)).map(preparedOnce));
    const { similarity: whole, doubts } = comparePair(image1!, image2!);
    assert.ok(whole < 40);
    assert.deepEqual(doubts, []);
  }
});

test('a picture on its side, head or aslant compares as the upright one', async () => {
  for (const person of [44, 52]) {
    const [one, again] = await Promise.all(signings(person, 2).map((picture) => encoded(picture)));
    const upright = await similarity(one!, again!);
    for (const degrees of [90, 180, 270, 105, 164, 45, 140, 225]) {
      const turned = await sharp(again).rotate(degrees, { background: '#fff' }).png().toBuffer();
      const there = await similarity(one!, turned);
      const most = degrees % 90 > 20 && degrees % 90 < 70 ? 15 : 10;
      assert.ok(
        Math.abs(there - upright) <= most,
        `person ${person} by ${degrees}°: ${upright} and ${there}`,
      );
      assert.equal(await similarity(turned, one!), there);
    }
    const lying = await Promise.all([one!, again!].map((image) => sharp(image).rotate(90).png().toBuffer()));
    assert.ok(Math.abs((await similarity(lying[0]!, lying[1]!)) - upright) <= 10);
  }
});

test('a small signature on a large page compares as it does without the page', async () => {
  for (const person of [44, 52]) {
    const [one, again] = await Promise.all(signings(person, 2).map((picture) => encoded(picture)));
    for (const [width, height, wide] of [
      [600, 300, 180],
      [1240, 1754, 190],
      [2480, 3508, 380],
    ] as const) {
      const crop = await sharp(again).resize(wide).png().toBuffer();
      const page = await sharp({ create: { width, height, channels: 3, background: '#fff' } })
        .composite([{ input: crop, left: width - wide - 40, top: height >> 2, blend: 'multiply' }])
        .png()
        .toBuffer();
      const [alone, small] = [await similarity(one!, crop), await similarity(one!, page)];
      assert.ok(alone - small <= 10, `person ${person}, ${wide} px on ${width} px: ${alone} and ${small}`);
    }
  }
});

test('two signings by one hand are more alike than those of different people', async () => {
  let right = 0;
  const people = Array.from({ length: 5 }, (_, i) => 40 + i);
  for (const person of people) {
    const [one, again] = await Promise.all(signings(person, 2).map((picture) => encoded(picture)));
    const [other] = await Promise.all(signings(person + 100, 1).map((picture) => encoded(picture)));
    const own = await similarity(one!, again!);
    // A form that is too simple to tell people apart is like no other.
    const compared = await compare(one!, other!);
    const foreign = compared.kind === 'compared' ? compared.similarity : 0;
    assert.ok(foreign < 70, `person ${person}: another writer reaches ${foreign}`);
    if (own > foreign) right++;
  }
  assert.ok(right >= 4, `${right} of ${people.length}`);
});

test('the alignment lays the second ink picture over the first, and back when swapped', async () => {
  const [picture] = signings(31, 1);
  const image = await encoded(picture!);
  const turned = await sharp(image).rotate(8, { background: '#fff' }).png().toBuffer();
  const there = await compare(image, turned);
  const back = await compare(turned, image);
  assert.ok(there.kind === 'compared' && back.kind === 'compared');
  const [a, b, c, d, e, f] = there.alignment;
  const [p, q, r, s, t, u] = back.alignment;
  const [x, y] = [a * 100 + b * 50 + c, d * 100 + e * 50 + f];
  assert.ok(Math.abs(p * x + q * y + r - 100) < 0.01);
  assert.ok(Math.abs(s * x + t * y + u - 50) < 0.01);
  const turn = (Math.atan2(d, a) * 180) / Math.PI;
  assert.ok(Math.abs(turn + 8) < 3, `turned back by ${turn}°`);
});

test('two signatures that lie nearer are compared, and a low similarity is doubtful', async () => {
  const [one, again] = signings(13, 2, 'tablet');
  const both = await encoded(onOnePage(one!, again!, 120, 'beside'));
  const result = await compare(await encoded(one!), both);
  assert.ok(result.kind === 'compared');
  assert.deepEqual(result.doubts, [{ verdicts: ['NO_MATCH'], reasons: { image2: 'SEVERAL_SIGNATURES' } }]);
  const alone = await compare(await encoded(one!), await encoded(again!));
  assert.ok(alone.kind === 'compared');
  assert.deepEqual(alone.doubts, []);
});

test('pictures of the ink come only when asked for, as PNG of the stated size', async () => {
  const [picture] = signings(31, 1);
  const image = await encoded(picture!);
  const without = await compare(image, image);
  assert.ok(without.kind === 'compared' && without.pictures === undefined);
  const withThem = await compare(image, image, true);
  assert.ok(withThem.kind === 'compared' && withThem.pictures);
  const { png, width, height } = withThem.pictures.image1;
  const { format, ...size } = await sharp(png).metadata();
  assert.deepEqual([format, size.width, size.height], ['png', width, height]);
});

test('an image that claims too many pixels is refused by its header alone', async () => {
  const [picture] = signings(31, 1);
  const result = await compare(await encoded(picture!), pngThatClaims(30_000, 30_000));
  assert.deepEqual(result, { kind: 'refused', faults: { image2: 'TOO_MANY_PIXELS' } });
});

test('an image with too many pixels in a row is refused by its header', async () => {
  const whole = await encoded(signings(31, 1)[0]!);
  assert.deepEqual(await compare(pngThatClaims(390_625, 64), whole), {
    kind: 'refused',
    faults: { image1: 'TOO_LARGE' },
  });
});

test('images too small, cut off or of another kind are refused, each by name', async () => {
  const small = await encoded(paint(300, 63, () => [255, 255, 255]));
  const whole = await encoded(signings(31, 1)[0]!);
  assert.deepEqual(await compare(small, whole.subarray(0, whole.length / 2)), {
    kind: 'refused',
    faults: { image1: 'TOO_SMALL', image2: 'UNDECODABLE' },
  });
  const gif = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  assert.deepEqual(await compare(gif, Buffer.from('<svg/>')), {
    kind: 'refused',
    faults: { image1: 'UNDECODABLE', image2: 'UNDECODABLE' },
  });
});

test('a transparent image without ink is blank; ink on transparency is found', async () => {
  const { width, height, data } = signings(31, 1, 'tablet')[0]!;
  const cover = Uint8Array.from({ length: width * height }, (_, i) => 255 - data[i * 3]!);
  const onTransparency = (tone: number) =>
    sharp(
      Uint8Array.from({ length: cover.length * 4 }, (_, i) => (i % 4 === 3 ? cover[i >> 2]! : tone)),
      {
        raw: { width, height, channels: 4 },
      },
    )
      .png()
      .toBuffer();
  const black = await onTransparency(0);
  assert.ok((await similarity(black, await onTransparency(255))) >= 90);
  const nothing = await sharp({ create: { width: 300, height: 200, channels: 4, background: '#0000' } })
    .png()
    .toBuffer();
  const result = await compare(nothing, black);
  assert.ok(result.kind === 'inconclusive');
  assert.deepEqual(result.reasons, { image1: 'BLANK' });
});

test('no damage to a file makes its preparation throw', async () => {
  const chance = new Chance(9);
  for (const format of ['png', 'jpeg'] as const) {
    const image = await encoded(
      paint(80, 70, (x, y) => (x === y ? [0, 0, 0] : [255, 255, 255])),
      format,
    );
    for (let i = 0; i < 40; i++) {
      const damaged = Uint8Array.from(image);
      for (let k = chance.whole(1, 6); k > 0; k--)
        damaged[chance.whole(0, damaged.length - 1)] = chance.whole(0, 255);
      const { kind } = await prepareSignature(damaged.subarray(0, chance.whole(1, damaged.length)));
      assert.ok(['fault', 'unusable', 'signature'].includes(kind));
    }
  }
});

test('signatures of a pen as broad as a felt tip are no stamped words', async () => {
  for (const person of [21, 27]) {
    const thin = await encoded(signings(person, 1)[0]!);
    const broad = await prepareSignature(await sharp(thin).dilate(11).png().toBuffer());
    assert.ok(broad.kind === 'signature', `${person}`);
    const boldness = boldnessOf(broad.ink.mask);
    assert.ok(boldness > 0.14, `${person}: ${boldness}`);
  }
});
