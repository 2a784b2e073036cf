import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeFile } from './incomingFile.ts';

const JPEG = Uint8Array.of(0xff, 0xd8, 0xff, 0xe0, 0, 16, 0x4a, 0x46, 0x49, 0x46);

/** A stream that hands out chunks of the given sizes and counts what was taken from it. */
function source(bytes: Uint8Array, chunk: number) {
  const state = { read: 0, closed: false };
  async function* content() {
    try {
      for (let at = 0; at < bytes.length; at += chunk) {
        await Promise.resolve();
        const piece = bytes.subarray(at, at + chunk);
        state.read += piece.length;
        yield piece;
      }
    } finally {
      state.closed = true;
    }
  }
  return { state, content: content() };
}

async function collect(_format: string | undefined, content: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return Buffer.concat(chunks);
}

function padded(bytes: number): Uint8Array {
  const all = new Uint8Array(bytes).fill(7);
  all.set(JPEG.subarray(0, bytes));
  return all;
}

test('a file is passed on whole, however its chunks fall', async () => {
  for (const chunk of [1, 3, 7, 8, 9, 100]) {
    const file = padded(60);
    const taken = await takeFile(source(file, chunk).content, 60, collect);
    assert.equal(taken.kind, 'kept');
    assert.deepEqual([...taken.kept], [...file], `chunks of ${chunk}`);
  }
});

test('a file one byte over the limit is refused, read to its end and not stored', async () => {
  let kept = 0;
  const { state, content } = source(padded(61), 5);
  const taken = await takeFile(content, 60, async (format, bytes) => {
    await collect(format, bytes);
    kept += 1;
  });
  assert.deepEqual(taken, { kind: 'refused', problems: ['tooLarge'] });
  assert.deepEqual([state.read, kept], [61, 0]);
});

test('content that is no JPEG or PNG is read to its end without keeping any', async () => {
  const { state, content } = source(new Uint8Array(40), 5);
  const taken = await takeFile(content, 60, () => Promise.reject(new Error('kept')));
  assert.deepEqual(taken, { kind: 'refused', problems: ['wrongType'] });
  assert.equal(state.read, 40);
});

test('a file that breaks off, or that cannot be kept, fails with that cause', async () => {
  async function* broken() {
    yield JPEG;
    await Promise.resolve();
    throw new Error('the caller hung up');
  }
  await assert.rejects(takeFile(broken(), 60, collect), /hung up/);
  const full = () => Promise.reject(new Error('no space'));
  await assert.rejects(takeFile(source(padded(60), 5).content, 60, full), /no space/);
});
