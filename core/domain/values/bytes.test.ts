import { test } from 'node:test';
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { base64UrlOf, bytesOfHex, concatBytes, equalBytes, hexOf, latin1Bytes } from './bytes.ts';

test('bytes are written as Node writes them', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 70 }), fc.uint8Array({ maxLength: 9 }), (bytes, more) => {
      assert.equal(hexOf(bytes), Buffer.from(bytes).toString('hex'));
      assert.equal(base64UrlOf(bytes), Buffer.from(bytes).toString('base64url'));
      assert.deepEqual(bytesOfHex(hexOf(bytes)), bytes);
      const latin1 = Buffer.from(bytes).toString('latin1');
      assert.deepEqual(latin1Bytes(latin1), bytes);
      assert.deepEqual(Buffer.from(concatBytes(bytes, more)), Buffer.concat([bytes, more]));
      assert.equal(equalBytes(bytes, more), Buffer.compare(bytes, more) === 0);
    }),
  );
});
