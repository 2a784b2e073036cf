import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted } from '../../contracts/ids.ts';
import type { WrittenImage } from '../ports/images.ts';
import { OutcomeUnknown, UnavailableError } from '../ports/machine.ts';
import { referTo } from './writtenImages.ts';

const company = trusted.company(1);
const id = trusted.image('a'.repeat(32));
const image: WrittenImage = { id, key: new Uint8Array(32), bytes: 1, sha256: '', format: 'jpeg' };

/** @returns what was done with the image after this transaction */
async function after(transaction: () => Promise<unknown>, discard = Promise.resolve()): Promise<string[]> {
  const done: string[] = [];
  const images = {
    discard: () => (done.push('discarded'), discard),
    settled: () => void done.push('settled'),
  };
  const log = { warn: () => void done.push('warned') };
  await referTo({ images, log }, company, [image], transaction).catch((error: unknown) => {
    done.push((error as Error).name);
  });
  return done;
}

test('files go only where no row can refer to them', async () => {
  assert.deepEqual(await after(() => Promise.resolve(7)), ['settled']);
  assert.deepEqual(await after(() => Promise.resolve(undefined)), ['discarded']);
  assert.deepEqual(await after(() => Promise.reject(new UnavailableError('full'))), [
    'discarded',
    'UnavailableError',
  ]);
  assert.deepEqual(await after(() => Promise.reject(new OutcomeUnknown('silent'))), [
    'settled',
    'OutcomeUnknown',
  ]);
});

test('a file that cannot be removed hides no error', async () => {
  const failing = () => Promise.reject(new TypeError('of the transaction'));
  assert.deepEqual(await after(failing, Promise.reject(new Error('no disk'))), [
    'discarded',
    'warned',
    'TypeError',
  ]);
});
