/**
 * Damaged and invented age files and tar archives end in one of the errors that their readers document, and never in changed
 * content. `VOUCH_MUTATIONS=20000` for the long run; `VOUCH_SEED=<number>` repeats a run.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import fc from 'fast-check';
import { DecryptionFailed, encryptAge, NotAgeFile, openAge } from '../../core/encryption/age.ts';
import { createBackupKey, readBackupKey } from '../../core/encryption/backupKey.ts';
import { ContainerReader, packContainer, type NewFile } from '../../core/encryption/container.ts';
import { ArchiveBroken } from '../../core/encryption/tar.ts';
import { CodedError } from '../../core/contracts/errors/problem.ts';
import { SEED } from '../support/seed.ts';

const RUNS = Number(process.env.VOUCH_MUTATIONS ?? 150);
const KEY = createBackupKey();
const CONTENT = randomBytes(70_000);
const FILES: readonly [string, Buffer][] = [
  ['first', randomBytes(10)],
  ['folder/second', randomBytes(2_000)],
];

/** A change of some bytes: replaced, removed or inserted. */
const change = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  removed: fc.nat(40),
  inserted: fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.constantFrom('\n', '-> X25519 ', '--- ', '\0'.repeat(512)),
  ),
});
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** @param within bytes from the start in which the changes are made */
function changed(whole: Buffer, within: number, changes: readonly Change[]): Buffer {
  return changes.reduce((content, { at, removed, inserted }) => {
    const start = Math.floor(at * Math.min(within, content.length));
    return Buffer.concat([
      content.subarray(0, start),
      Buffer.from(inserted as string),
      content.subarray(start + removed),
    ]);
  }, whole);
}

test(`a damaged age file is refused, or is read as it was (VOUCH_SEED=${SEED})`, async () => {
  const source = ReadableStream.from([CONTENT]);
  const whole = await buffer(encryptAge(KEY.publicKey, ['label', 'a', 'b'], source).content);
  const inHeaderOrAnywhere = fc.constantFrom(300, whole.length);
  const changes = fc.array(change, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(inHeaderOrAnywhere, changes, async (within, made) => {
      const file = changed(whole, within, made);
      try {
        const opened = await openAge(ReadableStream.from([file]));
        const fileKey = opened.unwrap(KEY.privateKey);
        if (fileKey !== undefined) assert.ok((await buffer(opened.decrypt(fileKey))).equals(CONTENT));
      } catch (cause) {
        assert.ok(cause instanceof NotAgeFile || cause instanceof DecryptionFailed, String(cause));
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test(`a damaged container is refused, or is read as it was (VOUCH_SEED=${SEED})`, async () => {
  const files = async function* (): AsyncIterable<NewFile> {
    for (const [name, content] of FILES) yield await Promise.resolve({ name, content });
  };
  const about = () => ({ kind: 'test', version: 1 });
  const whole = await buffer(packContainer(files(), { about, at: new Date(0) }));
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (made) => {
      const reader = new ContainerReader(ReadableStream.from([changed(whole, whole.length, made)]));
      try {
        const read: [string, Buffer][] = [];
        for await (const { name, content } of reader.files()) read.push([name, await buffer(content)]);
        assert.deepEqual(read, FILES);
      } catch (cause) {
        assert.ok(cause instanceof ArchiveBroken, String(cause));
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});

test(`a mistyped backup key is refused, never taken for another (VOUCH_SEED=${SEED})`, () => {
  const typed = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 80 }),
    // Up to four other characters are detected for certain (Bech32).
    fc
      .array(
        fc.tuple(
          fc.integer({ min: 16, max: 73 }),
          fc.constantFrom(...Array.from('QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L')),
        ),
        {
          minLength: 1,
          maxLength: 4,
        },
      )
      .map((mistakes) =>
        mistakes.reduce((text, [at, letter]) => text.slice(0, at) + letter + text.slice(at + 1), KEY.text),
      ),
  );
  fc.assert(
    fc.property(typed, (text) => {
      try {
        assert.deepEqual(readBackupKey(text).publicKey, KEY.publicKey);
        assert.equal(text, KEY.text);
      } catch (cause) {
        assert.ok(cause instanceof CodedError, String(cause));
      }
    }),
    { numRuns: RUNS, seed: SEED },
  );
});
