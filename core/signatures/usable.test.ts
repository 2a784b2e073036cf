import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { landscape } from '../../test/signatures/specimens.ts';
import { groupPhoto, portrait } from '../../test/support/facePhotos.ts';
import { cleanInk } from './clean.ts';
import { decodeSignature } from './decode.ts';

async function reasonOf(image: Uint8Array) {
  const decoded = await decodeSignature(image);
  assert.ok(decoded.kind !== 'fault');
  return cleanInk(decoded.colours).reason;
}

test('a photo of a real face is no ink, large and sharp or small and soft', async () => {
  for (const i of [1, 6, 10]) {
    const large = await portrait(i);
    const soft = await sharp(large).resize(250).blur(3.5).jpeg().toBuffer();
    assert.equal(await reasonOf(large), 'NOT_INK', `portrait ${i}`);
    assert.equal(await reasonOf(soft), 'NOT_INK', `portrait ${i}, soft`);
  }
});

/** Parts of the group photos that show no people: [photo, x, y, width, height]. */
const ROOMS = {
  railing: [5, 0, 0, 560, 700],
  stairs: [5, 250, 0, 450, 280],
  blinds: [6, 120, 20, 300, 350],
  window: [6, 400, 20, 330, 260],
  sofa: [2, 0, 900, 560, 400],
} as const;

test('groups of people, and rooms with rails, steps and blinds, are no ink', async () => {
  for (const number of [1, 3, 4])
    assert.equal(await reasonOf(await readFile(groupPhoto(number))), 'NOT_INK', `group ${number}`);
  for (const [name, [photo, left, top, width, height]] of Object.entries(ROOMS)) {
    const room = await sharp(await readFile(groupPhoto(photo)))
      .extract({ left, top, width, height })
      .jpeg()
      .toBuffer();
    assert.equal(await reasonOf(room), 'NOT_INK', name);
  }
});

test('a landscape is no ink: sky, ridges, trees and a lake', () => {
  for (const seed of [1, 2]) assert.equal(cleanInk(landscape(seed)).reason, 'NOT_INK', `landscape ${seed}`);
});
