import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { ColumnSeal } from './sealing.ts';

test('a sealed value opens with its key alone, and only unchanged', () => {
  const seal = new ColumnSeal(randomBytes(32));
  for (const plain of [new Uint8Array(), randomBytes(1), randomBytes(512)]) {
    const sealed = seal.seal(plain);
    assert.deepEqual(seal.open(sealed), new Uint8Array(plain));
    assert.throws(() => new ColumnSeal(randomBytes(32)).open(sealed));
    for (const at of [0, 12, sealed.length - 1]) {
      const changed = Buffer.from(sealed);
      changed[at]! ^= 1;
      assert.throws(() => seal.open(changed));
    }
  }
  assert.throws(() => seal.open(new Uint8Array(27)), /too short/);
});

test('equal values are sealed equally, so that a digest can be searched for', () => {
  const key = randomBytes(32);
  const digest = randomBytes(32);
  assert.deepEqual(new ColumnSeal(key).seal(digest), new ColumnSeal(key).seal(digest));
  assert.notDeepEqual(new ColumnSeal(key).seal(digest), new ColumnSeal(randomBytes(32)).seal(digest));
});

test('opened bytes have memory of their own, which a template can be read from', () => {
  const seal = new ColumnSeal(randomBytes(32));
  const vector = new Float32Array([0.5, -1, 0.25]);
  const opened = seal.open(seal.seal(new Uint8Array(vector.buffer)));
  assert.equal(opened.byteOffset, 0);
  assert.equal(opened.buffer.byteLength, opened.byteLength);
  assert.deepEqual(new Float32Array(opened.buffer as ArrayBuffer), vector);
});
