/** The converted nets give the numbers that the packages themselves give, on photos. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, test } from 'node:test';
import sharp from 'sharp';
import { loadBlazeFace } from '../core/vision/nets/blazeface.ts';
import { loadFaceMesh } from '../core/vision/nets/facemesh.ts';
import { loadMobileFaceNet, loadRecognition } from '../core/vision/nets/descriptors.ts';
import { loadNet, openSession, Tensor } from '../core/vision/nets/net.ts';
import { unit } from '../core/vision/fusion.ts';
import { CATALOGUE, convertRecognition } from './catalogue.ts';
import { NetBuilder } from './convert/net-builder.ts';
import { loadFaceApi } from './reference/face-api.ts';
import { loadLayers } from './reference/mobilefacenet.ts';
import { loadHumanNet, packagePath, startWasm } from './reference/tfjs.ts';

const MODELS = import.meta.dirname;
const PHOTOS = [1, 2, 3, 4, 5, 6].map((n) =>
  packagePath('@vladmandic/face-api', '..', 'demo', `sample${n}.jpg`),
);
const TOLERANCE = 1e-5;

/** The photo filled into a square of RGB bytes. */
async function square(photo: string, size: number): Promise<Uint8Array> {
  return new Uint8Array(await sharp(photo).resize(size, size).removeAlpha().raw().toBuffer());
}

/** Largest difference, relative to the largest number of the reference. */
function relativeError(ours: Float32Array, reference: Float32Array): number {
  assert.equal(ours.length, reference.length);
  let difference = 0;
  let largest = 0;
  for (const [i, expected] of reference.entries()) {
    difference = Math.max(difference, Math.abs(ours[i]! - expected));
    largest = Math.max(largest, Math.abs(expected));
  }
  assert.ok(largest > 0, 'a reference of zeros proves nothing');
  return difference / largest;
}

function assertEqualNumbers(ours: Float32Array, reference: Float32Array): void {
  const error = relativeError(ours, reference);
  assert.ok(error <= TOLERANCE, `relative error ${error}`);
}

before(startWasm);

test('BlazeFace gives the numbers of the package at every anchor', async () => {
  const net = await loadNet(MODELS, 'blazeface');
  const reference = await loadHumanNet('blazeface');
  for (const photo of PHOTOS) {
    const image = await square(photo, 256);
    const expected = await reference(
      Float32Array.from(image, (value) => value / 127.5 - 1),
      256,
      ['Identity', 'Identity_1', 'Identity_2', 'Identity_3'],
    );
    const ours = await net.run(image);
    for (const [i, name] of ['scores16', 'scores8', 'boxes16', 'boxes8'].entries())
      assertEqualNumbers(ours[name]!, expected[i]!);
  }
});

test('the best face candidate is where the package decodes its best anchor', async () => {
  const find = await loadBlazeFace(MODELS);
  const reference = await loadHumanNet('blazeface');
  for (const photo of PHOTOS) {
    const image = await square(photo, 256);
    const [logits16, logits8, boxes16, boxes8] = await reference(
      Float32Array.from(image, (value) => value / 127.5 - 1),
      256,
      ['Identity', 'Identity_1', 'Identity_2', 'Identity_3'],
    );
    // The package's own list of anchors: 16-pixel cells with two, then 32-pixel cells with six, row by row.
    const anchors: [number, number][] = [];
    for (const [cell, count] of [[16, 2] as const, [32, 6] as const])
      for (let y = cell / 2; y < 256; y += cell)
        for (let x = cell / 2; x < 256; x += cell) for (let n = 0; n < count; n++) anchors.push([x, y]);
    const logits = [...logits16!, ...logits8!];
    const boxes = [...boxes16!, ...boxes8!];
    const best = logits.indexOf(Math.max(...logits));
    const [dx, dy, width, height, eyeX, eyeY] = boxes.slice(best * 16);
    const [anchorX, anchorY] = anchors[best]!;

    const {
      faces: [candidate],
    } = await find(image, 0.3);
    assert.ok(candidate, photo);
    const expected = [1 / (1 + Math.exp(-logits[best]!)), anchorX + dx! - width! / 2];
    expected.push(anchorY + dy! - height! / 2, width!, height!, anchorX + eyeX!, anchorY + eyeY!);
    assertEqualNumbers(
      Float32Array.of(
        candidate.score,
        candidate.x,
        candidate.y,
        candidate.width,
        candidate.height,
        ...candidate.points.slice(0, 2),
      ),
      Float32Array.from(expected),
    );
  }
});

test('the mesh of a face and its flag are those of the package', async () => {
  const mesh = await loadFaceMesh(MODELS);
  const reference = await loadHumanNet('facemesh');
  for (const photo of PHOTOS) {
    const image = await square(photo, 192);
    const [points, flag] = await reference(
      Float32Array.from(image, (value) => value / 255),
      192,
      ['Identity_2', 'Identity_1'],
    );
    const [ours] = await mesh(image);
    assertEqualNumbers(ours!.points, points!);
    assert.ok(Math.abs(ours!.flag - flag![0]!) <= TOLERANCE);
  }
});

/** In bytes the descriptor moves; photos of LFW by 0.03 in the middle, squares of whole scenes further. */
const MOVED_BY_BYTES = 0.1;

test('the 128-D net in floats is that of face-api, and in bytes nearly', async () => {
  const faceApi = await loadFaceApi();
  const [description, weights] = await Promise.all(
    CATALOGUE.recognition.files.map((file) => readFile(packagePath('@vladmandic/face-api', '..', file))),
  );
  const inFloats = await openSession(
    convertRecognition(description!.toString('utf8'), weights!, new NetBuilder('128-D in floats')),
  );
  const inBytes = await loadRecognition(MODELS);
  for (const photo of PHOTOS) {
    const crop = await square(photo, 150);
    const reference = await faceApi.templateOfCrop(crop);
    const { descriptor } = await inFloats.run({ image: new Tensor('uint8', crop, [1, 150, 150, 3]) });
    assertEqualNumbers(descriptor!.data as Float32Array, reference);
    const [ours, expected] = [unit((await inBytes(crop))[0]!), unit(reference)];
    const moved = Math.hypot(...ours.map((value, i) => value - expected[i]!));
    assert.ok(moved < MOVED_BY_BYTES, `moved by ${moved}`);
  }
});

test('MobileFaceNet gives what its layers give one by one, with PReLU as it is defined', async () => {
  const describe = await loadMobileFaceNet(MODELS);
  const reference = await loadLayers();
  for (const photo of PHOTOS.slice(0, 2)) {
    const crop = await square(photo, 112);
    const [ours] = await describe(crop);
    assertEqualNumbers(ours!, reference(crop));
  }
});

test('images in one run are described as they are alone', async () => {
  const describe = await loadRecognition(MODELS);
  const crops = await Promise.all(PHOTOS.slice(0, 2).map((photo) => square(photo, 150)));
  const together = await describe(Buffer.concat(crops));
  for (const [i, crop] of crops.entries()) assertEqualNumbers(together[i]!, (await describe(crop))[0]!);
});
