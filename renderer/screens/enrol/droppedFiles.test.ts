import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planOf } from './droppedFiles.ts';

test('a dropped folder leaves out hidden and system files, also those that are photos', async () => {
  const limits = { blocked: null, imagesPerUpload: 50, bytesPerImage: 1_000 };
  const photo = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16);
  const ofSystems = ['.DS_Store', '._x.jpg', '@eaDir/x.jpg', '.trash/y.jpg'].map(
    (path) => [path, photo] as const,
  );
  const found = [['x.jpg', photo] as const, ...ofSystems, ['Thumbs.db', 'no photo'] as const].map(
    ([path, content]) => ({ path: `photos/${path}`, file: new File([content], path) }),
  );
  const { files, skipped } = await planOf(found, limits);
  assert.deepEqual(
    files.map(({ path }) => path),
    ['photos/x.jpg'],
  );
  assert.deepEqual(
    skipped.map(({ path, reason }) => [path, reason]),
    [...ofSystems.map(([path]) => [`photos/${path}`, 'system']), ['photos/Thumbs.db', 'notAnImage']],
  );
});
