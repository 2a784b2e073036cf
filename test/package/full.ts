/**
 * `npm run test:package`: builds the packages twice, installs them into trees that hold nothing but a C library and a
 * shell, without a network, and does there what the guides say. Some minutes.
 */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { writeSums } from '../../scripts/package/papers.ts';
import { writeTarGz } from '../../scripts/package/tar.ts';
import { portrait } from '../support/facePhotos.ts';
import { BareRoot, shellBlocks } from './bareRoot.ts';

const PROJECT = join(import.meta.dirname, '..', '..');
const work = mkdtempSync(join(tmpdir(), 'vouch-package-'));
after(() => {
  rmSync(work, { recursive: true, force: true });
});
/** Packages that were built already are tested as they are: VOUCH_RELEASE names their folder. */
const release = process.env.VOUCH_RELEASE ?? join(work, 'release');
const packages: { tar: string; deb: string | undefined } = { tar: '', deb: undefined };

before(() => {
  if (process.env.VOUCH_RELEASE === undefined) build(release);
  const files = readdirSync(release);
  packages.tar = files.find((file) => file.endsWith('.tar.gz')) ?? '';
  packages.deb = files.find((file) => file.endsWith('.deb'));
});

/** The guides in the order in which an administrator follows them after the installation. */
const OPERATION = [
  'first-day.md',
  'back-up-and-restore.md',
  'share-blacklists.md',
  'network-access.md',
  'verify-the-audit-log.md',
  'update.md',
  'operate.md',
];

/** The programs that dpkg, the package's scripts and the guide call. */
const DEBIAN_TOOLS = [
  ...['dpkg', 'dpkg-deb', 'dpkg-split', 'diff', 'ldconfig', 'start-stop-daemon', 'find'],
  ...['useradd', 'getent', 'install', 'id', 'chown', 'setpriv', 'sed', 'env'],
];

function build(folder: string): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [join(PROJECT, 'scripts', 'package', 'service.ts'), folder],
    { encoding: 'utf8' },
  );
  assert.equal(status, 0, stderr);
}

test('two builds of one commit have the same bytes', () => {
  const again = join(work, 'again');
  build(again);
  assert.equal(
    readFileSync(join(again, 'SHA256SUMS'), 'utf8'),
    readFileSync(join(release, 'SHA256SUMS'), 'utf8'),
  );
  rmSync(again, { recursive: true });
});

test('the package has its checksums, licences and bill of materials', () => {
  const staged = join(release, 'service');
  const { status, stderr } = spawnSync('sha256sum', ['--quiet', '-c', 'SHA256SUMS'], {
    cwd: staged,
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  const bill = JSON.parse(readFileSync(join(staged, 'sbom.cdx.json'), 'utf8')) as {
    components: { type: string; name: string; version?: string }[];
  };
  const licences = readdirSync(join(staged, 'licences'));
  for (const { type, name, version } of bill.components)
    if (type === 'library') assert(licences.includes(`${name.replace('/', '+')}@${version}`), name);
  assert(licences.includes('mobilefacenet.onnx.LICENCE.txt'), 'the vendored network brings its licence');
  for (const name of ['react', '@mantine/core', 'fastify', 'node', 'onnxruntime-node'])
    assert(
      bill.components.some((one) => one.name === name),
      `${name} is shipped`,
    );
  for (const name of ['vite', 'typescript', 'electron'])
    assert(!bill.components.some((one) => one.name === name), `${name} is not`);
});

test('the folder installs and operates as documented, without Node, npm or network', async (t) => {
  const root = BareRoot.make(t, join(work, 'folder-root'), join(release, 'service'));
  if (root === undefined) return;
  const stick = join(root.folder, 'home', 'operator');
  await carry(stick);
  root.give(stick);
  const publisher = await signedUpdate(join(root.folder, 'media', 'stick', 'vouch-0.2.0-linux-x64.update'));
  const [install, operate] = [shellBlocks('install.md'), OPERATION.flatMap(shellBlocks)];
  const program = [
    ...textsOf(install, ''),
    ...textsOf(operate, ''),
    // The page says: with the service stopped, and signed by a publisher that the installation trusts.
    `kill "$(cat vouch.pid)" && wait; echo '${publisher}' > vouch/current/app/resources/publishers.txt`,
    ...textsOf(operate, 'update'),
    'vouch --json status',
    'vouch serve > vouch.log & echo $! > vouch.pid; until grep listens vouch.log; do sleep 1; done',
    ...textsOf(install, 'uninstall'),
  ];
  assert(program.length >= 12);
  const { status, output } = root.run(`set -e; cd /home/operator\n${program.join('\n')}`);
  assert.equal(status, 0, output);
  for (const expected of [
    /listens on http:\/\/127\.0\.0\.1:4610/,
    /2 enrolled/,
    /anna +100\.00/,
    /written and verified/,
    /Restored to .*elsewhere/,
    /entries read/,
    /0\.1\.0 +0\.2\.0/,
    /"version": "0\.2\.0"/,
  ])
    assert.match(output, expected);
  assert(existsSync(join(stick, '.local', 'share', 'vouch', 'vouch.db')), 'the data is kept');
  assert(!existsSync(join(stick, 'vouch')), 'the program is gone');
});

function textsOf(blocks: ReturnType<typeof shellBlocks>, kind: string): string[] {
  return blocks.filter((block) => block.kind === kind).map((block) => block.text);
}

/** Fills a USB drive as an operator does: the packages, their checksums, and two photos. */
async function carry(stick: string): Promise<void> {
  mkdirSync(join(stick, 'photos'), { recursive: true });
  for (const name of [packages.tar, packages.deb, 'SHA256SUMS'])
    if (name !== undefined) cpSync(join(release, name), join(stick, name));
  for (const [index, name] of ['anna', 'berta'].entries())
    writeFileSync(join(stick, 'photos', `${name}.jpg`), await portrait(index));
}

/** The same service under a later version, signed by a publisher of its own. @returns the publisher's line */
async function signedUpdate(file: string): Promise<string> {
  const next = join(work, 'next');
  cpSync(join(release, 'service'), next, { recursive: true });
  const about = join(next, 'app', 'package.json');
  writeFileSync(about, readFileSync(about, 'utf8').replace('"0.1.0"', '"0.2.0"'));
  rmSync(join(next, 'SHA256SUMS'));
  await writeSums(next);
  const archive = join(work, 'vouch-0.2.0-linux-x64.tar.gz');
  await writeTarGz(next, 'vouch-0.2.0-linux-x64', archive, 0);
  mkdirSync(dirname(file), { recursive: true });
  const script = join(PROJECT, 'scripts', 'package', 'update.ts');
  const key = join(work, 'publisher.pem');
  const { stdout } = spawnSync(process.execPath, [script, '--new-key', key], { encoding: 'utf8' });
  const { status, stderr } = spawnSync(process.execPath, [script, archive, key, file], { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
  return stdout.trim();
}

test('the Debian package installs, operates and uninstalls as documented, keeping data', async (t) => {
  if (packages.deb === undefined || process.getuid?.() !== 0) {
    t.skip('installing a .deb needs dpkg and root');
    return;
  }
  const root = BareRoot.make(t, join(work, 'deb-root'), join(release, 'service'), DEBIAN_TOOLS);
  if (root === undefined) return;
  root.beDebian();
  await carry(join(root.folder, 'root'));
  const [install, operate] = [shellBlocks('install.md'), OPERATION.flatMap(shellBlocks)];
  const sums = install[0]!;
  assert.match(sums.text, /^sha256sum/);
  const program = [
    sums.text,
    ...textsOf(install, 'debian'),
    ...textsOf(operate, ''),
    // Another version is installed over the one that is there: here the same.
    ...textsOf(install, 'debian'),
    'vouch company list',
    'echo STILL $(cat /run/vouch.pid)',
    ...textsOf(install, 'debianend'),
  ];
  assert(program.length >= 11);
  const { status, output } = root.run(`set -e; cd /root\n${program.join('\n')}`, 'root');
  assert.equal(status, 0, output);
  for (const expected of [
    /\d+ +database +ok|ok +6|6 +ok/i,
    /2 enrolled/,
    /anna +100\.00/,
    /written and verified/,
    /Restored to .*elsewhere/,
    /entries read/,
    /Acme[^]*STILL \d+/,
    /data stays in \/var\/lib\/vouch/,
  ])
    assert.match(output, expected);
  const account = /^vouch:x:(\d+):/m.exec(readFileSync(join(root.folder, 'etc', 'passwd'), 'utf8'));
  const data = statSync(join(root.folder, 'var', 'lib', 'vouch', 'vouch.db'));
  assert.equal(String(data.uid), account?.[1], 'the service ran under its own account');
  assert(!existsSync(join(root.folder, 'usr', 'lib', 'vouch')), 'the program is gone');
  assert(
    !existsSync(join(root.folder, 'etc', 'systemd', 'system', 'multi-user.target.wants', 'vouch.service')),
  );
});
