import assert from 'node:assert/strict';
import { createPublicKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { keyAsRecipient, keyForRecipient, rawPublicKey } from './keys.ts';
import { createBackupKey, backupKeyPair } from './backupKey.ts';
import { RequestSignatureInvalid, sealStream, unsealStream } from './sealedStream.ts';

const KEY = randomBytes(32);
const CONTEXT = Buffer.from('header');
const CHUNK = 256 * 1024;

async function sealed(content: Uint8Array): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(sealStream(pieces(content, 70_001), KEY, CONTEXT)));
}

async function unsealed(content: Uint8Array, key = KEY, context = CONTEXT): Promise<Buffer> {
  return Buffer.concat(await Array.fromAsync(unsealStream(pieces(content, 99_991), key, context)));
}

async function* pieces(content: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(content.subarray(at, at + size));
}

test('content of any length comes back as it was', async () => {
  for (const length of [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 3 * CHUNK]) {
    const content = randomBytes(length);
    assert.deepEqual(await unsealed(await sealed(content)), content, `${length} bytes`);
  }
});

test('a changed, cut, moved or foreign byte is noticed', async () => {
  const whole = await sealed(randomBytes(2 * CHUNK + 100));
  const record = CHUNK + 16;
  const changed = Buffer.from(whole);
  changed[record + 5]! ^= 1;
  const swapped = Buffer.concat([
    whole.subarray(record, 2 * record),
    whole.subarray(0, record),
    whole.subarray(2 * record),
  ]);
  const broken = {
    changed,
    swapped,
    'cut inside a chunk': whole.subarray(0, -1),
    'cut between chunks': whole.subarray(0, record),
    'cut to nothing': whole.subarray(0, 0),
    longer: Buffer.concat([whole, Buffer.from([0])]),
    'one chunk twice': Buffer.concat([whole.subarray(0, record), whole]),
  };
  for (const [name, content] of Object.entries(broken))
    await assert.rejects(unsealed(content), RequestSignatureInvalid, name);
  await assert.rejects(unsealed(whole, randomBytes(32)), RequestSignatureInvalid);
  await assert.rejects(unsealed(whole, KEY, Buffer.from('another')), RequestSignatureInvalid);
});

test('sender and recipient agree on a key, and nobody else gets it', () => {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  const { contentKey, ephemeral } = keyForRecipient(rawPublicKey(publicKey), 'test');
  assert.deepEqual(keyAsRecipient(privateKey, ephemeral, 'test'), contentKey);
  assert.notDeepEqual(keyAsRecipient(privateKey, ephemeral, 'another purpose'), contentKey);
  const stranger = generateKeyPairSync('x25519').privateKey;
  assert.notDeepEqual(keyAsRecipient(stranger, ephemeral, 'test'), contentKey);
});

test('a recovery key is read however it is typed', () => {
  const { key, publicKey } = createBackupKey();
  const typed = key.toLowerCase().replaceAll('-', ' ').replaceAll('0', 'o').replaceAll('1', 'l');
  const pair = backupKeyPair(typed);
  assert.deepEqual(pair.publicKey, publicKey);
  assert.deepEqual(rawPublicKey(createPublicKey(pair.privateKey)), publicKey);
  assert.match(pair.fingerprint, /^([0-9a-f]{4}-){3}[0-9a-f]{4}$/);
});
