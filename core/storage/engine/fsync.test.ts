import assert from 'node:assert/strict';
import type { FileHandle } from 'node:fs/promises';
import { test } from 'node:test';
import { writeAll } from './fsync.ts';

test('a disk that takes a part of a write gets the rest, byte for byte', async () => {
  const disk = slowDisk(5, 3, 3);
  await writeAll(disk.file, [Buffer.from('head'), Buffer.from('body'), Buffer.from('tag')]);
  assert.equal(disk.taken(), 'headbodytag');
});

test('a disk that is full after a part says so', async () => {
  await assert.rejects(writeAll(slowDisk(5).file, [Buffer.from('head'), Buffer.from('body')]), /ENOSPC/);
});

/** A file whose writes take so many bytes each, and then none. */
function slowDisk(...portions: number[]) {
  let taken = '';
  const take = (bytes: Uint8Array) => {
    const portion = portions.shift();
    if (portion === undefined) return Promise.reject(new Error('ENOSPC: no space left on device, write'));
    taken += Buffer.from(bytes).toString('latin1', 0, portion);
    return Promise.resolve({ bytesWritten: Math.min(portion, bytes.length) });
  };
  const file = {
    write: (bytes: Uint8Array) => take(bytes),
    writev: (buffers: readonly Uint8Array[]) => take(Buffer.concat(buffers)),
  };
  return { file: file as Pick<FileHandle, 'write' | 'writev'>, taken: () => taken };
}
