import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createCipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { bech32 } from '@scure/base';
import { Decrypter, Encrypter } from 'age-encryption';
import { temporaryFolder } from '../../test/support/site.ts';
import { CodedError } from '../contracts/errors/problem.ts';
import { DecryptionFailed, encryptAge, NotAgeFile, openAge } from './age.ts';
import { createBackupKey, readBackupKey } from './backupKey.ts';

const KEY = createBackupKey();
const RECIPIENT = bech32.encode('age', bech32.toWords(KEY.publicKey));
const LABEL = ['vouch-test', '1', 'abc'];
const CHUNK = 64 * 1024;
/** Around the boundaries of chunks, and one of many chunks. */
const LENGTHS = [0, 1, CHUNK - 1, CHUNK, CHUNK + 1, 2 * CHUNK, 1_000_003];

async function* pieces(content: Uint8Array, size: number): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(content.subarray(at, at + size));
}

function encrypted(content: Uint8Array): Promise<Buffer> {
  return buffer(encryptAge(KEY.publicKey, LABEL, pieces(content, 70_001)).content);
}

async function decrypted(file: Uint8Array, { privateKey } = KEY): Promise<Buffer | undefined> {
  const opened = await openAge(pieces(file, 99_991));
  const fileKey = opened.unwrap(privateKey);
  return fileKey && buffer(opened.decrypt(fileKey));
}

test('this module, age-encryption and the age program decrypt content of any length', async (t) => {
  const folder = temporaryFolder(t);
  const hasAge = spawnSync('age', ['--version']).status === 0;
  if (!hasAge) t.diagnostic('the age program is not installed here: it was not tried');
  const [identity, file] = [join(folder, 'key.txt'), join(folder, 'file.age')];
  // As an administrator types it into a file.
  writeFileSync(identity, `${KEY.text}\n`);
  for (const length of LENGTHS) {
    const content = randomBytes(length);
    const written = await encrypted(content);
    assert.deepEqual(await decrypted(written), content, `${length} bytes`);
    const decrypter = new Decrypter();
    decrypter.addIdentity(KEY.text);
    assert.deepEqual(Buffer.from(await decrypter.decrypt(written)), content, `${length} bytes`);
    if (!hasAge) continue;
    writeFileSync(file, written);
    const { status, stdout, stderr } = spawnSync('age', ['-d', '-i', identity, file], { maxBuffer: 1 << 26 });
    assert.equal(status, 0, stderr.toString());
    assert.ok(stdout.equals(content), `${length} bytes`);
  }
});

test('what age-encryption and the age program wrote is decrypted', async (t) => {
  const plain = join(temporaryFolder(t), 'plain');
  for (const length of LENGTHS) {
    const content = randomBytes(length);
    const encrypter = new Encrypter();
    encrypter.addRecipient(RECIPIENT);
    assert.deepEqual(await decrypted(await encrypter.encrypt(content)), content, `${length} bytes`);
    writeFileSync(plain, content);
    const { status, stdout } = spawnSync('age', ['-r', RECIPIENT, plain], { maxBuffer: 1 << 26 });
    if (status === 0) assert.deepEqual(await decrypted(stdout), content, `${length} bytes`);
  }
});

test('several recipients and stanzas of another type are read past', async () => {
  const encrypter = new Encrypter();
  encrypter.addRecipient(bech32.encode('age', bech32.toWords(createBackupKey().publicKey)));
  encrypter.addRecipient({
    wrapFileKey: () => [{ args: ['grease', '0123'], body: randomBytes(96) }],
  });
  encrypter.addRecipient(RECIPIENT);
  const opened = await openAge(pieces(await encrypter.encrypt('text'), 7));
  assert.deepEqual(opened.label('grease'), ['0123']);
  assert.equal(opened.label('vouch-test'), undefined);
  assert.equal((await buffer(opened.decrypt(opened.unwrap(KEY.privateKey)!))).toString(), 'text');
});

test('a label is read before the file is decrypted, and a changed one is detected', async () => {
  const written = await encrypted(Buffer.from('text'));
  assert.deepEqual((await openAge(pieces(written, 9))).label('vouch-test'), ['1', 'abc']);
  const changed = Buffer.from(written);
  changed.write('abd', changed.indexOf('abc'));
  await assert.rejects(decrypted(changed), DecryptionFailed);
});

test('a changed, cut, moved, repeated or foreign byte is detected', async () => {
  const whole = await encrypted(randomBytes(2 * CHUNK + 100));
  const start = whole.indexOf('\n', whole.indexOf('\n--- ') + 1) + 1 + 16;
  const record = CHUNK + 16;
  const chunk = (number: number) => whole.subarray(start + number * record, start + (number + 1) * record);
  const broken: Record<string, Buffer> = {
    swapped: Buffer.concat([whole.subarray(0, start), chunk(1), chunk(0), chunk(2)]),
    'one chunk twice': Buffer.concat([whole.subarray(0, start + record), whole.subarray(start)]),
    'one chunk missing': Buffer.concat([whole.subarray(0, start), whole.subarray(start + record)]),
    'cut between chunks': whole.subarray(0, start + record),
    longer: Buffer.concat([whole, Buffer.from([0])]),
    'a whole chunk longer': Buffer.concat([whole, randomBytes(record)]),
  };
  for (let at = 22; at < start + 40; at += 1) {
    broken[`cut at ${at}`] = whole.subarray(0, at);
    const changed = Buffer.from(whole);
    changed[at]! ^= 1;
    // With another type, share or wrapped key the file is one for another recipient.
    const isOfRecipient = at > whole.indexOf('X25519') - 1 && at < whole.indexOf('\n--- ');
    if (!isOfRecipient) broken[`changed at ${at}`] = changed;
    else assert.equal(await decrypted(changed).catch(() => undefined), undefined, `changed at ${at}`);
  }
  broken['cut at its last byte'] = whole.subarray(0, -1);
  for (const [name, content] of Object.entries(broken))
    await assert.rejects(decrypted(content), DecryptionFailed, name);
  for (const content of [
    '',
    'age-encryption.org/v1',
    'age-encryption.org/v2\n--- x\n',
    'a letter\n',
    'x'.repeat(99_999),
  ])
    await assert.rejects(decrypted(Buffer.from(content)), NotAgeFile, content.slice(0, 30));
  assert.equal(await decrypted(whole, createBackupKey()), undefined, 'another key');
});

test('an empty last chunk after others is refused', async () => {
  const { fileKey, content } = encryptAge(KEY.publicKey, LABEL, pieces(Buffer.alloc(0), 1));
  const empty = await buffer(content);
  const start = empty.length - 16;
  const key = Buffer.from(hkdfSync('sha256', fileKey, empty.subarray(start - 16, start), 'payload', 32));
  const chunk = (number: number, last: number, plain: Uint8Array) => {
    const nonce = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number, last]);
    const cipher = createCipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 });
    return [cipher.update(plain), cipher.final(), cipher.getAuthTag()];
  };
  const plain = Buffer.alloc(CHUNK);
  const head = empty.subarray(0, start);
  assert.deepEqual(await decrypted(Buffer.concat([head, ...chunk(0, 1, plain)])), plain);
  const file = Buffer.concat([head, ...chunk(0, 0, plain), ...chunk(1, 1, Buffer.alloc(0))]);
  await assert.rejects(decrypted(file), DecryptionFailed);
});

test('an ephemeral share of low order is refused', async () => {
  const text = (await encrypted(Buffer.from('text'))).toString('latin1');
  const share = /-> X25519 (\S+)/.exec(text)![1]!;
  await assert.rejects(
    decrypted(Buffer.from(text.replace(share, 'A'.repeat(43)), 'latin1')),
    DecryptionFailed,
  );
});

test('a source is closed wherever reading it ends', async () => {
  const written = await encrypted(randomBytes(3 * CHUNK));
  let open = 0;
  const source = async function* () {
    open += 1;
    try {
      yield* pieces(written, 10_000);
    } finally {
      open -= 1;
    }
  };
  await (await openAge(source())).close();
  const opened = await openAge(source());
  for await (const _piece of opened.decrypt(opened.unwrap(KEY.privateKey)!)) break;
  await assert.rejects(openAge(pieces(Buffer.from('a letter\n'), 3)), NotAgeFile);
  assert.equal(open, 0);
});

test('a backup key is an age identity, and is read however it is typed', () => {
  assert.match(KEY.text, /^AGE-SECRET-KEY-1[0-9A-Z]{58}$/);
  const data = KEY.text.slice('AGE-SECRET-KEY-1'.length);
  const typings = [
    KEY.text,
    ` ${KEY.text.toLowerCase()}\n`,
    data,
    KEY.text.replaceAll(/(.{5})/g, '$1 '),
    `AGE-SECRET-KEY-1${data.replaceAll('0', 'o').replaceAll('8', 'b').replaceAll('L', '1')}`,
  ];
  for (const typed of typings) {
    const { publicKey, privateKey, fingerprint } = readBackupKey(typed);
    assert.deepEqual(publicKey, KEY.publicKey, typed);
    assert.ok(privateKey.equals(KEY.privateKey));
    assert.match(fingerprint, /^([0-9a-f]{4}-){3}[0-9a-f]{4}$/);
  }
  const refused = (typed: string, expected: RegExp) =>
    assert.throws(
      () => readBackupKey(typed),
      (error) => error instanceof CodedError && expected.test(error.message) && !error.message.includes(data),
    );
  refused('  \n', /No backup key was entered/);
  refused('ABCD-EFGH', /58 letters and digits; 8 were entered/);
  refused(`${KEY.text.slice(0, -1)}${KEY.text.endsWith('Q') ? 'P' : 'Q'}`, /mistyped/);
});
