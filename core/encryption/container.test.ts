import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { temporaryFolder } from '../../test/support/site.ts';
import { ContainerReader, packContainer, type NewFile } from './container.ts';
import { ArchiveBroken, packTar, readTar, type NewTarEntry } from './tar.ts';

const AT = new Date('2026-05-01T12:00:00Z');
const KEYS = generateKeyPairSync('ed25519');
const FILES: Record<string, Buffer> = {
  'first.txt': Buffer.from('first'),
  'folder/empty': Buffer.alloc(0),
  'folder/block': randomBytes(512),
  'folder/large': randomBytes(300_001),
};

async function* files(): AsyncIterable<NewFile> {
  for (const [name, content] of Object.entries(FILES)) {
    if (content.length < 1000) yield await Promise.resolve({ name, content });
    else yield { name, size: content.length, content: pieces(content, 10_000) };
  }
}

async function* pieces(content: Uint8Array, size = 7_001): AsyncIterable<Uint8Array> {
  for (let at = 0; at < content.length; at += size)
    yield await Promise.resolve(content.subarray(at, at + size));
}

function container(): Promise<Buffer> {
  const about = () => ({ kind: 'test', version: 1, more: 'facts' });
  return buffer(packContainer(files(), { about, at: AT, signingKey: KEYS.privateKey }));
}

async function read(content: Uint8Array) {
  const reader = new ContainerReader(pieces(content));
  const found: Record<string, Buffer> = {};
  for await (const file of reader.files()) found[file.name] = await buffer(file.content);
  return { found, manifest: reader.manifest };
}

test('files come back, the manifest names them, and its signature is of one key', async () => {
  const { found, manifest } = await read(await container());
  assert.deepEqual(found, FILES);
  const { kind, more } = manifest.fields as { kind: string; more: string };
  assert.deepEqual([kind, more], ['test', 'facts']);
  assert.ok(manifest.isSignedBy(KEYS.publicKey));
  assert.ok(!manifest.isSignedBy(generateKeyPairSync('ed25519').publicKey));
});

test('tar, sha256sum and OpenSSL read a container', async (t) => {
  const folder = temporaryFolder(t);
  const unpacked = join(folder, 'unpacked');
  mkdirSync(unpacked);
  writeFileSync(join(folder, 'file.tar'), await container());
  writeFileSync(join(folder, 'key.pem'), KEYS.publicKey.export({ format: 'pem', type: 'spki' }));
  const run = (command: string, ...args: string[]) => {
    const { status, stdout, stderr } = spawnSync(command, args, { cwd: unpacked, encoding: 'utf8' });
    assert.equal(status, 0, `${command}: ${stderr}`);
    return stdout;
  };
  assert.match(run('tar', 'tvf', '../file.tar'), /-rw------- .* 300001 2026-05-01 .* folder\/large\n/);
  run('tar', 'xf', '../file.tar');
  run('sha256sum', '--check', '--strict', 'SHA256SUMS');
  const manifest = JSON.parse(readFileSync(join(unpacked, 'manifest.json'), 'utf8')) as { entries: unknown };
  const list = readFileSync(join(unpacked, 'SHA256SUMS'));
  const sha256 = createHash('sha256').update(list).digest('hex');
  assert.deepEqual(manifest.entries, [{ name: 'SHA256SUMS', size: list.length, sha256 }]);
  const signed = ['-rawin', '-in', 'manifest.json', '-sigfile', 'manifest.json.sig'];
  run('openssl', 'pkeyutl', '-verify', '-pubin', '-inkey', '../key.pem', ...signed);
});

test('what a reader does not read of a file is checked all the same', async () => {
  const whole = await container();
  const reader = new ContainerReader(pieces(whole));
  let seen = 0;
  for await (const file of reader.files()) {
    seen += 1;
    if (file.name === 'folder/large') for await (const _piece of file.content) break;
  }
  assert.equal(seen, 4);
  assert.ok(reader.manifest.isSignedBy(KEYS.publicKey));
});

test('a container that is cut anywhere is refused', async () => {
  const whole = await container();
  const cuts = new Set([0, 1, 511, 512, 513, whole.length - 1, whole.length - 512, whole.length - 1024]);
  for (let at = 0; at < whole.length; at += 4001) cuts.add(at);
  for (let at = 0; at < whole.length; at += 512 * 17) cuts.add(at);
  for (const at of cuts) await assert.rejects(read(whole.subarray(0, at)), ArchiveBroken, `cut at ${at}`);
});

test('a file that was changed, added, removed, renamed or moved is refused', async () => {
  const entries: NewTarEntry[] = [];
  for await (const { header, content } of readTar(pieces(await container())))
    entries.push({ header, content: [await buffer(content)] });
  const pack = (list: readonly NewTarEntry[]) => buffer(packTar(list));
  await read(await pack(entries));
  const [first, second, ...rest] = entries as [NewTarEntry, NewTarEntry, ...NewTarEntry[]];
  const file = (name: string, content: Uint8Array, type: 'file' | 'symlink' = 'file') => ({
    header: { name, size: content.length, type, mtime: AT },
    content: type === 'file' ? [content] : [],
  });
  const text = Buffer.from('other');
  const without = (name: string) => entries.filter(({ header }) => header.name !== name);
  const withOther = (name: string, content: Uint8Array) =>
    entries.map((entry) => (entry.header.name === name ? file(name, content) : entry));
  const broken = {
    changed: [file('first.txt', text), second, ...rest],
    added: [first, second, file('added', text), ...rest],
    removed: [second, ...rest],
    renamed: [{ ...first, header: { ...first.header, name: 'other.txt' } }, second, ...rest],
    moved: [second, first, ...rest],
    'a link': [first, file('link', Buffer.alloc(0), 'symlink'), second, ...rest],
    'after the manifest': [...entries, file('late', text)],
    'two signatures': [...entries, entries.at(-1)!],
    'a short signature': withOther('manifest.json.sig', text),
    'no list': without('SHA256SUMS'),
    'no manifest': without('manifest.json'),
    'another list': withOther('SHA256SUMS', text),
    'no JSON': withOther('manifest.json', text),
    'another manifest': withOther('manifest.json', Buffer.from('{"kind":"test","version":1,"entries":[]}')),
  };
  for (const [name, list] of Object.entries(broken))
    await assert.rejects(async () => read(await pack(list)), ArchiveBroken, name);
  const { manifest } = await read(await pack(without('manifest.json.sig')));
  assert.ok(!manifest.isSignedBy(KEYS.publicKey));
  const forged = withOther('manifest.json.sig', sign(null, text, KEYS.privateKey));
  assert.ok(!(await read(await pack(forged))).manifest.isSignedBy(KEYS.publicKey));
});

test('an archive with bytes after its end, or with a wrong checksum, is refused', async () => {
  const whole = await container();
  await assert.rejects(read(Buffer.concat([whole, Buffer.from('x')])), ArchiveBroken);
  await read(Buffer.concat([whole, Buffer.alloc(8192)]));
  const changed = Buffer.from(whole);
  changed[0]! ^= 1;
  await assert.rejects(read(changed), ArchiveBroken);
});

test('records before an entry are one short pax header without mistakes', async () => {
  const named = (pax: Record<string, string>) =>
    buffer(packTar([{ header: { name: 'a', size: 1, mtime: AT, pax }, content: [Buffer.from('x')] }]));
  const namesOf = async (archive: Uint8Array) => {
    const names: string[] = [];
    for await (const { header } of readTar(pieces(archive, 100))) names.push(header.name);
    return names;
  };
  const good = await named({ path: 'b', comment: 'x'.repeat(4057) });
  assert.deepEqual(await namesOf(good), ['b']);
  /** @param text instead of the records, 4080 bytes, as often as it fits */
  const withRecords = (text: string, type = 'x') => {
    const changed = Buffer.from(good);
    changed.fill(text, 512, 512 + Number.parseInt(good.toString('latin1', 124, 135), 8));
    changed.write(type, 156);
    const sum = changed
      .subarray(0, 512)
      .reduce((total, byte, at) => total + (at < 148 || at > 155 ? byte : 32), 0);
    changed.write(sum.toString(8).padStart(6, '0'), 148);
    return changed;
  };
  assert.deepEqual(await namesOf(withRecords('8 p=abc\n')), ['a']);
  const records = good.subarray(0, good.indexOf('a\0\0'));
  const broken = {
    'too long': await named({ comment: 'x'.repeat(4096) }),
    'two of them': Buffer.concat([records, good]),
    global: withRecords('8 p=abc\n', 'g'),
    'a long name': withRecords('b\0', 'L'),
    // The next record begins inside this one, so that a lax reader looks at the rest again for each byte.
    overlapping: withRecords('1\n'),
    'of no length': withRecords('0 p=abc\n'),
    'without a key': withRecords('8 =abcd\n'),
    'with a NUL': await named({ path: 'b\0c' }),
    'of a size that is no number': withRecords('12 size=1e3\n'),
  };
  for (const [name, archive] of Object.entries(broken))
    await assert.rejects(namesOf(archive), ArchiveBroken, name);
});

test('an error of the source or of the files is thrown as it is, and both are closed', async () => {
  const failure = new Error('the disk failed');
  const failing = async function* () {
    yield (await container()).subarray(0, 5000);
    throw failure;
  };
  await assert.rejects(Array.fromAsync(new ContainerReader(failing()).files()), failure);
  const broken = async function* (): AsyncIterable<NewFile> {
    yield* files();
    throw failure;
  };
  const options = { about: () => ({ kind: 'test', version: 1 }), at: AT };
  await assert.rejects(buffer(packContainer(broken(), options)), failure);

  let open = 0;
  const opened = async function* <T>(source: AsyncIterable<T>) {
    open += 1;
    try {
      yield* source;
    } finally {
      open -= 1;
    }
  };
  for await (const _piece of packContainer(opened(files()), options)) break;
  for await (const _file of new ContainerReader(opened(pieces(await container(), 600))).files()) break;
  const cut = pieces((await container()).subarray(0, 700));
  await assert.rejects(Array.fromAsync(readTar(opened(cut))), ArchiveBroken);
  assert.equal(open, 0);
});

test('a file whose length is not what was said is refused by its writer', async () => {
  const options = { about: () => ({ kind: 'test', version: 1 }), at: AT };
  for (const size of [4, 6]) {
    const wrong = async function* (): AsyncIterable<NewFile> {
      yield await Promise.resolve({ name: 'x', size, content: pieces(Buffer.from('12345')) });
    };
    await assert.rejects(buffer(packContainer(wrong(), options)), /size|Size/);
  }
});

test('sizes above 8 GiB and names above 100 bytes are written as tar reads them', async (t) => {
  const name = `${'a'.repeat(90)}/${'b'.repeat(90)}/${'c'.repeat(99)}/d`;
  const long = join(temporaryFolder(t), 'long.tar');
  writeFileSync(
    long,
    await buffer(packTar([{ header: { name, size: 1, mtime: AT }, content: [Buffer.from('x')] }])),
  );
  assert.equal(spawnSync('tar', ['tf', long], { encoding: 'utf8' }).stdout, `${name}\n`);
  const size = 9 * 1024 ** 3;
  const { promise: released, resolve: release } = Promise.withResolvers<undefined>();
  const endless = async function* () {
    await released;
    yield Buffer.alloc(1);
  };
  const head: Uint8Array[] = [];
  for await (const piece of packTar([{ header: { name: 'large', size, mtime: AT }, content: endless() }])) {
    head.push(piece);
    if (head.length < 4) continue;
    release(undefined);
    break;
  }
  const large = join(temporaryFolder(t), 'large.tar');
  writeFileSync(large, Buffer.concat(head));
  assert.match(spawnSync('tar', ['tvf', large], { encoding: 'utf8' }).stdout, / 9663676416 .* large\n/);
  const zeros = async function* () {
    yield* head;
    for (;;) yield await Promise.resolve(Buffer.alloc(65_536));
  };
  for await (const { header } of readTar(zeros())) {
    assert.equal(header.size, size);
    break;
  }
});
