import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  createHash,
  createPublicKey,
  generateKeyPairSync,
  randomBytes,
  randomUUID,
  type KeyObject,
} from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { test, type TestContext } from 'node:test';
import { CliError } from '../../core/cli/terminal/output.ts';
import { publisherKey, publisherLine, verifyUpdate } from '../../core/cli/update/updateFile.ts';
import { tryVersion } from '../../core/cli/update/tryVersion.ts';
import { isUnfinished, finishUpdate, type TryVersion } from '../../core/cli/update/unfinished.ts';
import { applyUpdate, findLayout, unpack } from '../../core/cli/update/update.ts';
import { HomeLocked, openHome, openStorage } from '../../core/storage/index.ts';
import { writeSums } from '../../scripts/package/papers.ts';
import { programOf, signedUpdate } from '../../scripts/package/signedUpdate.ts';
import { writeTarGz } from '../../scripts/package/tar.ts';
import { fillDisk } from '../support/fullDisk.ts';
import { newCompany, temporaryFolder } from '../support/site.ts';

const PLATFORM = `${process.platform}-${process.arch}`;
const CLOCK = { now: () => new Date() };

/** A signed update that holds a program, an installation to put it on, and a home with one company. */
async function site(t: TestContext, { version = '0.2.0', platform = PLATFORM } = {}) {
  const folder = temporaryFolder(t);
  const staged = join(folder, 'staged');
  mkdirSync(join(staged, 'bin'), { recursive: true });
  writeFileSync(join(staged, 'bin', 'vouch'), '#!/bin/sh\n', { mode: 0o755 });
  await writeSums(staged);
  const archive = join(folder, `vouch-${version}-${platform}.tar.gz`);
  await writeTarGz(staged, `vouch-${version}-${platform}`, archive, 0);

  const keys = generateKeyPairSync('ed25519');
  const file = join(folder, 'stick.update');
  const about = { release: version, platform };
  await writeFile(file, signedUpdate(about, programOf(archive), keys.privateKey, 0));

  const root = join(folder, 'vouch');
  const running = join(root, 'versions', `vouch-0.1.0-${PLATFORM}`);
  mkdirSync(running, { recursive: true });
  symlinkSync(join('versions', `vouch-0.1.0-${PLATFORM}`), join(root, 'current'));
  const homeFolder = join(folder, 'home');
  const storage = await openStorage(openHome(homeFolder), CLOCK);
  await newCompany(storage, homeFolder);
  await storage.close();
  const apply = async (trial: TryVersion) => {
    const update = await verifyUpdate(file, [keys.publicKey], folder);
    try {
      const layout = await findLayout(running);
      return await applyUpdate(update, { layout, homeFolder, running: '0.1.0', tryVersion: trial });
    } finally {
      await update.close();
    }
  };
  return { file, keys, root, running, homeFolder, apply };
}

async function companies(homeFolder: string): Promise<string[]> {
  const storage = await openStorage(openHome(homeFolder), CLOCK);
  try {
    return (await storage.companies.list()).map((one) => one.name);
  } finally {
    await storage.close();
  }
}

/** Changes a database, as a new version does. */
async function migrate(home: string): Promise<void> {
  const storage = await openStorage(openHome(home), CLOCK);
  await newCompany(storage, home, 'Made by the new version');
  await storage.close();
}

test('an update is tried on a copy, activated, tried on the home, and cleans up', async (t) => {
  const { root, running, homeFolder, apply } = await site(t);
  const tried: string[] = [];
  const result = await apply(async (folder, home) => {
    assert(existsSync(join(folder, 'bin', 'vouch')));
    tried.push(home === homeFolder ? 'home' : 'copy');
    assert.equal(readlinkSync(join(root, 'current')).includes('0.2.0'), home === homeFolder);
    await migrate(home);
    return undefined;
  });
  assert.deepEqual(result, { from: '0.1.0', to: '0.2.0' });
  assert.deepEqual(tried, ['copy', 'home']);
  assert.equal(readlinkSync(join(root, 'current')), join('versions', `vouch-0.2.0-${PLATFORM}`));
  assert(existsSync(running), 'the version before stays');
  assert.deepEqual(await companies(homeFolder), ['Acme', 'Made by the new version']);
  assert(!readdirSync(homeFolder).some((name) => /^(trial|before|snapshot)/.test(name)));
});

test('the real program is tried, answers, and ends when it was tried', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  mkdirSync(join(folder, 'bin'));
  const cli = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');
  writeFileSync(join(folder, 'bin', 'vouch'), `#!/bin/sh\nexec '${process.execPath}' '${cli}' "$@"\n`, {
    mode: 0o755,
  });
  assert.equal(await tryVersion(folder, home), undefined);
  await (await openStorage(openHome(home), CLOCK)).close();
  const broken = join(folder, 'broken');
  mkdirSync(join(broken, 'bin'), { recursive: true });
  writeFileSync(join(broken, 'bin', 'vouch'), '#!/bin/sh\necho "no such chip" >&2\n', { mode: 0o755 });
  assert.equal(await tryVersion(broken, home), 'no such chip');
});

test('a version that does not work on the copy changes nothing', async (t) => {
  const { root, homeFolder, apply } = await site(t);
  await assert.rejects(
    apply(async (_folder, home) => {
      assert.notEqual(home, homeFolder);
      await migrate(home);
      return 'the net is missing';
    }),
    /does not work on a copy.*Nothing was changed\.\nthe net is missing/s,
  );
  assert.equal(readlinkSync(join(root, 'current')), join('versions', `vouch-0.1.0-${PLATFORM}`));
  assert.deepEqual(readdirSync(join(root, 'versions')), [`vouch-0.1.0-${PLATFORM}`]);
  assert.deepEqual(await companies(homeFolder), ['Acme']);
});

test('a disk that fills up during unpacking is reported, and the update leaves nothing', async (t) => {
  const { root, homeFolder, apply } = await site(t);
  const withRoom = fillDisk((path) => path.includes('.partial'));
  const never: TryVersion = () => Promise.reject(new Error('It must not be started.'));
  await assert.rejects(apply(never), /is full.*Nothing was changed; free some room and run it again/);
  withRoom();
  assert.equal(readlinkSync(join(root, 'current')), join('versions', `vouch-0.1.0-${PLATFORM}`));
  assert.deepEqual(readdirSync(join(root, 'versions')), [`vouch-0.1.0-${PLATFORM}`]);
  assert(!readdirSync(homeFolder).some((name) => /^(trial|before|snapshot|update\.json)/.test(name)));
  assert.deepEqual(await companies(homeFolder), ['Acme']);
});

test('an unhealthy version is rolled back, with the database as it was', async (t) => {
  const { root, homeFolder, apply } = await site(t);
  await assert.rejects(
    apply(async (_folder, home) => {
      await migrate(home);
      return home === homeFolder ? 'the disk is another one' : undefined;
    }),
    /0\.1\.0 is current again, and the database is as it was/,
  );
  assert.equal(readlinkSync(join(root, 'current')), join('versions', `vouch-0.1.0-${PLATFORM}`));
  assert.deepEqual(await companies(homeFolder), ['Acme']);
});

test('killed during an update, a matching program and database remain', async (t) => {
  const script = join(import.meta.dirname, '../support/updateAndDie.ts');
  for (const [point, version, names, afterwards] of [
    ['copy', '0.1.0', ['Acme'], '0.1.0'],
    ['pointed', '0.2.0', ['Acme'], '0.1.0'],
    ['home', '0.2.0', ['Acme', 'Made by the new version'], '0.1.0'],
    ['back', '0.2.0', ['Acme'], '0.1.0'],
    ['returned', '0.1.0', ['Acme'], '0.1.0'],
  ] as const) {
    const { file, keys, root, running, homeFolder } = await site(t);
    const publisher = publisherLine(keys.publicKey);
    const args = [script, point, file, publisher, running, homeFolder];
    const { signal, stderr } = spawnSync(process.execPath, args);
    assert.equal(signal, 'SIGKILL', `${point}: ${stderr.toString()}`);
    const current = () => readlinkSync(join(root, 'current'));
    assert.equal(current(), join('versions', `vouch-${version}-${PLATFORM}`), point);
    assert.ok(existsSync(join(root, current())), 'what is current is there, whole');
    assert.deepEqual(await companies(homeFolder), names, point);
    assert.ok(!readdirSync(homeFolder).some((name) => /^(trial|snapshot)/.test(name)), 'no copy of the key');

    const unhealthy = finishUpdate(homeFolder, () => Promise.resolve('the disk is another one'));
    if (point === 'copy') await unhealthy;
    else await assert.rejects(unhealthy, /interrupted.*0\.1\.0-\S+ is current again/s, point);
    assert.equal(current(), join('versions', `vouch-${afterwards}-${PLATFORM}`), point);
    assert.deepEqual(await companies(homeFolder), ['Acme'], point);
    assert.ok(!isUnfinished(homeFolder), point);
    assert.ok(!readdirSync(homeFolder).some((name) => name.startsWith('before-')), 'no copy of faces');
  }
});

test('a note that was cut off while it was written is removed at the next start', async (t) => {
  const { homeFolder, root } = await site(t);
  const before = readlinkSync(join(root, 'current'));
  writeFileSync(join(homeFolder, 'update.json.next'), '{"root":');
  assert.ok(isUnfinished(homeFolder));
  assert.equal(await finishUpdate(homeFolder, () => Promise.resolve('not to be tried')), undefined);
  assert.ok(!existsSync(join(homeFolder, 'update.json.next')) && !isUnfinished(homeFolder));
  assert.equal(readlinkSync(join(root, 'current')), before);
});

test('an interrupted update completes once the new version works', async (t) => {
  const { file, keys, root, running, homeFolder } = await site(t);
  const script = join(import.meta.dirname, '../support/updateAndDie.ts');
  spawnSync(process.execPath, [script, 'home', file, publisherLine(keys.publicKey), running, homeFolder]);
  const done = await finishUpdate(homeFolder, async () => {
    await assert.rejects(
      finishUpdate(homeFolder, () => Promise.resolve('no')),
      /in progress/,
    );
    return undefined;
  });
  assert.equal(done?.to, `vouch-0.2.0-${PLATFORM}`);
  assert.match(readlinkSync(join(root, 'current')), /0\.2\.0/);
  assert.deepEqual(await companies(homeFolder), ['Acme', 'Made by the new version']);
  assert.ok(!isUnfinished(homeFolder));
});

test('the next start of a home first completes an update that was cut off', async (t) => {
  const { file, keys, root, running, homeFolder } = await site(t);
  const script = join(import.meta.dirname, '../support/updateAndDie.ts');
  spawnSync(process.execPath, [script, 'home', file, publisherLine(keys.publicKey), running, homeFolder]);
  // The program of this update does nothing at all, which is not healthy.
  const cli = join(import.meta.dirname, '../../core/cli.ts');
  const { status, stderr } = spawnSync(
    process.execPath,
    [cli, '--home', homeFolder, 'serve', '--port', '0'],
    {
      encoding: 'utf8',
    },
  );
  assert.equal(status, 1, stderr);
  assert.match(stderr, /interrupted.*is current again.*It ended without a message/s);
  assert.match(readlinkSync(join(root, 'current')), /0\.1\.0/);
  assert.deepEqual(await companies(homeFolder), ['Acme']);
});

test('an untrusted or changed update is refused before anything is touched', async (t) => {
  const { file, keys } = await site(t);
  const whole = readFileSync(file);
  const refuse = async (content: Buffer, key: KeyObject, expected: RegExp) => {
    writeFileSync(file, content);
    await assert.rejects(verifyUpdate(file, [key], dirname(file)), expected);
  };
  const foreignKey = generateKeyPairSync('ed25519').publicKey;
  await refuse(whole, foreignKey, /not signed by a publisher that this installation trusts/);
  const manifest = Buffer.from(whole);
  manifest.write('9', whole.indexOf('0.2.0'));
  await refuse(manifest, keys.publicKey, /not signed/);
  const content = Buffer.from(whole);
  content[whole.indexOf('\u001f\u008b', 0, 'latin1') + 40]! ^= 1;
  await refuse(content, keys.publicKey, /damaged/);
  await refuse(whole.subarray(0, -1), keys.publicKey, /damaged/);
  await refuse(Buffer.concat([whole, Buffer.from('x')]), keys.publicKey, /damaged/);
  await refuse(Buffer.from('a letter'), keys.publicKey, /not an update of Vouch/);
  await assert.rejects(verifyUpdate(`${file}.nowhere`, [], dirname(file)), /cannot be read/);
});

test('an update cut at any boundary is refused with a message', async (t) => {
  const keys = generateKeyPairSync('ed25519');
  const folder = temporaryFolder(t);
  const program = join(folder, 'program.tar.gz');
  writeFileSync(program, randomBytes(40_000));
  const file = join(folder, 'stick.update');
  const about = { release: '0.2.0', platform: PLATFORM };
  await writeFile(file, signedUpdate(about, programOf(program), keys.privateKey, 0));
  await (await verifyUpdate(file, [keys.publicKey], dirname(file))).close();
  const end = statSync(file).size;
  const head = end - 1024 - Math.ceil(40_000 / 512) * 512;
  const inContent = Array.from({ length: 10 }, (_, block) => head + block * 4096);
  const inHead = Array.from({ length: head / 16 }, (_, step) => step * 16 + (step % 16));
  for (const at of [...inHead, ...inContent, end - 1024, end - 512, end - 16, end - 1].toReversed()) {
    truncateSync(file, at);
    await assert.rejects(verifyUpdate(file, [keys.publicKey], dirname(file)), (error: Error) => {
      assert(error instanceof CliError, `cut at ${at}: ${String(error)}`);
      assert.match(
        error.message,
        /is damaged.*Nothing was changed; copy it again|cut off.*Nothing was changed/s,
      );
      return true;
    });
  }
});

test('an older, foreign or ill-timed update is refused with its reason', async (t) => {
  const never: TryVersion = () => Promise.reject(new Error('It must not be started.'));
  await assert.rejects((await site(t, { version: '0.1.0' })).apply(never), /0\.1\.0 is installed/);
  await assert.rejects((await site(t, { version: '0.0.9' })).apply(never), /0\.1\.0 is installed/);
  await assert.rejects((await site(t, { platform: 'plan9-mips' })).apply(never), /is for plan9-mips/);
  const { homeFolder, apply } = await site(t);
  const running = await openStorage(openHome(homeFolder), CLOCK);
  await assert.rejects(apply(never), HomeLocked);
  await running.close();
  await assert.rejects(findLayout(join(homeFolder, 'usr', 'lib', 'vouch')), /sudo dpkg -i/);
});

test('a publisher is one line to compare and to keep', () => {
  const { publicKey } = generateKeyPairSync('ed25519');
  const line = publisherLine(publicKey);
  assert.equal(line.length, 44);
  assert(
    createPublicKey(publicKey.export({ format: 'pem', type: 'spki' })).equals(publisherKey(`${line}\n`)),
  );
  assert.throws(() => publisherKey('nonsense'), /not the key of a publisher/);
});

test('an update that changes after it was verified is installed as it was verified', async (t) => {
  const { file, keys, running, homeFolder, root } = await site(t);
  const update = await verifyUpdate(file, [keys.publicKey], dirname(file));
  writeFileSync(file, randomBytes(readFileSync(file).length));
  const passes = () => Promise.resolve(undefined);
  const layout = await findLayout(running);
  await applyUpdate(update, { layout, homeFolder, running: '0.1.0', tryVersion: passes });
  await update.close();
  const program = join(root, 'current', 'bin', 'vouch');
  assert.equal(readFileSync(program, 'utf8'), '#!/bin/sh\n');
  assert.equal(statSync(program).mode & 0o7777, 0o755);
});

test('an archive that escapes its folder or holds special entries is refused', async (t) => {
  const folder = temporaryFolder(t);
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  const refused = async (expected: RegExp, ...entries: Entry[]) => {
    const into = join(folder, randomUUID());
    mkdirSync(into);
    await assert.rejects(unpack(Readable.from([gzipSync(tarOf(entries))]), into), (error: Error) => {
      assert.ok(error instanceof CliError, String(error));
      assert.match(error.message, expected);
      return true;
    });
    assert.deepEqual(readdirSync(outside), []);
  };
  const file = (name: string) => ({ name: `top/${name}`, type: '0', content: 'planted' });
  const link = (name: string, to: string, type = '2') => ({ name: `top/${name}`, type, link: to });
  await refused(/outside/, file('../planted'));
  await refused(/outside/, file('a/../../planted'));
  await refused(/outside/, { ...file('x'), name: '/etc/planted' });
  await refused(/outside/, link('l', outside));
  await refused(/outside/, link('l', '../outside'));
  await refused(/outside/, link('d/l', '../../outside'));
  await refused(/outside/, link('here', '.'), link('l', 'here/../../outside'));
  await refused(/through a link/, link('l', '.'), file('l/planted'));
  await refused(/through a link/, file('f'), file('f/planted'));
  await refused(/neither file, folder nor symbolic link/, link('hard', 'f', '1'));
  for (const type of ['3', '4', '6']) await refused(/neither/, { ...file('f'), type });
  // A name that a record before the file puts in the place of the file's own is checked like any other.
  await refused(/outside/, { name: 'record', type: 'x', content: '23 path=top/../planted\n' }, file('f'));
  await refused(/cut off or malformed/, { ...file('f'), checksum: 1 });
  await refused(/cut off or malformed/, { ...file('f'), size: 4096 });

  const into = join(folder, 'good');
  mkdirSync(into);
  const sums = `${createHash('sha256').update('planted').digest('hex')}  d/suid\n`;
  const entries = [
    { ...file('d/suid'), mode: 0o6777 },
    link('d/up', '../d/suid'),
    { name: 'top/SHA256SUMS', type: '0', content: sums, mode: 0o666 },
  ];
  await unpack(Readable.from([gzipSync(tarOf(entries))]), into);
  assert.equal(statSync(join(into, 'd', 'suid')).mode & 0o7777, 0o755);
  assert.equal(statSync(join(into, 'SHA256SUMS')).mode & 0o7777, 0o644);
  assert.equal(readFileSync(join(into, 'd', 'up'), 'utf8'), 'planted');
});

interface Entry {
  name: string;
  type: string;
  content?: string;
  link?: string;
  mode?: number;
  /** Instead of the right ones. */
  size?: number;
  checksum?: number;
}

/** An archive as only an attacker writes one. */
function tarOf(entries: readonly Entry[]): Buffer {
  const blocks = entries.flatMap(({ name, type, content = '', link = '', mode = 0o644, size, checksum }) => {
    const header = Buffer.alloc(512);
    const octal = (number: number, digits: number) => number.toString(8).padStart(digits, '0');
    header.write(name, 0);
    header.write(octal(mode, 7), 100);
    header.write(octal(size ?? content.length, 11), 124);
    header.write('        ', 148);
    header.write(type, 156);
    header.write(link, 157);
    header.write('ustar\u000000', 257);
    const sum = header.reduce((total, byte) => total + byte, 0);
    header.write(`${octal(checksum ?? sum, 6)}\0 `, 148);
    return [header, Buffer.from(content), Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return Buffer.concat([...blocks, ...(entries.some(({ size }) => size) ? [] : [Buffer.alloc(1024)])]);
}
