import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { temporaryFolder } from '../../../test/support/site.ts';
import { batches, batchKey, planFolder } from './plan.ts';
import { PhotoNames } from '../photoNames.ts';

const JPEG = Buffer.from('ffd8ffe000104a46', 'hex');

const NAMES = new PhotoNames(new Uint8Array(32));

test('a folder is walked whole: photos are planned by content, everything else is skipped with its reason', async (t) => {
  const folder = temporaryFolder(t);
  mkdirSync(join(folder, 'b', 'deep'), { recursive: true });
  mkdirSync(join(folder, '.hidden'));
  writeFileSync(join(folder, 'b', 'deep', 'photo without extension'), JPEG);
  writeFileSync(join(folder, 'a.jpg'), JPEG);
  writeFileSync(join(folder, 'empty.jpg'), '');
  writeFileSync(join(folder, 'text.jpg'), 'just words');
  writeFileSync(join(folder, 'large.jpg'), Buffer.concat([JPEG, Buffer.alloc(2000)]));
  writeFileSync(join(folder, '.hidden', 'x.jpg'), JPEG);
  symlinkSync(join(folder, 'a.jpg'), join(folder, 'link.jpg'));
  const plan = await planFolder(folder, 1000);
  assert.deepEqual(
    plan.files.map((file) => file.path),
    ['a.jpg', 'b/deep/photo without extension'],
  );
  assert.deepEqual(
    plan.skipped.map(({ path, reason }) => [path, reason.split(/[.;]/)[0]]),
    [
      ['empty.jpg', 'The file is empty'],
      ['large.jpg', 'The file has 2 KB'],
      ['text.jpg', 'Not a JPEG or PNG image by its content'],
    ],
  );
});

test('batches hold every file once, in order, and none is larger than asked', () => {
  fc.assert(
    fc.property(fc.array(fc.nat()), fc.integer({ min: 1, max: 60 }), (files, size) => {
      const split = batches(files, size);
      assert.deepEqual(split.flat(), files);
      assert(split.every((batch) => batch.length > 0 && batch.length <= size));
    }),
  );
});

test('a batch has the same key as long as its files are the same, and another when one has changed', () => {
  const file = { path: 'a.jpg', bytes: 8, modified: 1 };
  const key = batchKey(NAMES, '/photos', [file]);
  assert.equal(batchKey(NAMES, '/photos', [{ ...file }]), key);
  for (const other of [
    { ...file, bytes: 9 },
    { ...file, modified: 2 },
    { ...file, path: 'b.jpg' },
  ])
    assert.notEqual(batchKey(NAMES, '/photos', [other]), key);
  assert.notEqual(batchKey(NAMES, '/elsewhere', [file]), key);
  const elsewhere = new PhotoNames(new Uint8Array(32).fill(1));
  assert.notEqual(
    batchKey(elsewhere, '/photos', [file]),
    key,
    'nobody without the key of the home can tell the files',
  );
});
