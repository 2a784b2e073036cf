import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sniffImageFormat } from './imageFormat.ts';

test('JPEG and PNG are known by their first bytes, everything else is not taken', () => {
  assert.equal(sniffImageFormat(Buffer.from('ffd8ffe000104a46', 'hex')), 'jpeg');
  assert.equal(sniffImageFormat(Buffer.from('89504e470d0a1a0a', 'hex')), 'png');
  for (const other of ['GIF89a..', 'RIFF....', '<svg xml', 'II*\0....', '\0\0\1\0....', 'BM......'])
    assert.equal(sniffImageFormat(Buffer.from(other, 'latin1')), undefined, other);
});

test('a file cut inside its signature is not taken', () => {
  assert.equal(sniffImageFormat(Buffer.from('89504e470d0a1a', 'hex')), undefined);
  assert.equal(sniffImageFormat(Buffer.from('ffd8', 'hex')), undefined);
  assert.equal(sniffImageFormat(new Uint8Array()), undefined);
});
