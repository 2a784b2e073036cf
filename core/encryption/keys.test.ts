import assert from 'node:assert/strict';
import { generateKeyPairSync, sign } from 'node:crypto';
import { test } from 'node:test';
import { ed25519Verifies } from './keys.ts';

test('a stored public key with one changed bit verifies nothing', () => {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const spki = publicKey.export({ format: 'der', type: 'spki' });
  const message = Buffer.from('message');
  const signature = sign(null, message, privateKey);
  const verifies = (stored: Uint8Array) => ed25519Verifies(stored, message, signature);
  assert.ok(verifies(spki));
  for (let bit = 0; bit < spki.length * 8; bit += 1) {
    const changed = Buffer.from(spki);
    changed[bit >> 3]! ^= 1 << (bit & 7);
    assert.ok(!verifies(changed), `bit ${bit}`);
  }
  assert.ok(!verifies(Buffer.concat([spki, Buffer.of(0)])), 'a byte more');
  assert.ok(!verifies(spki.subarray(0, -1)), 'a byte less');
});
