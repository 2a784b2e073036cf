/** Homes that are none, that cannot be written, and command lines that name a wrong one. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { run, vouch } from '../support/serviceProcess.ts';
import { newCompany, temporaryFolder } from '../support/site.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');

async function madeHome(t: TestContext): Promise<string> {
  const home = join(temporaryFolder(t), 'home');
  const storage = await openStorage(openHome(home), { now: () => new Date() });
  await newCompany(storage, home);
  await storage.close();
  return home;
}

test('a mistyped --home is refused and creates nothing', async (t) => {
  const folder = temporaryFolder(t);
  const typo = join(folder, 'typo');
  for (const args of [['audit', 'verify'], ['doctor'], ['backup', join(folder, 'site.vouch')]]) {
    const { code, stderr } = await run(typo, args);
    assert.equal(code, EXIT.usage, args.join(' '));
    assert.match(stderr, /holds no installation of Vouch/);
  }
  assert.deepEqual(readdirSync(folder), []);
  const nowhere = await run('', ['status']);
  assert.equal(nowhere.code, EXIT.usage);
  assert.match(nowhere.stderr, /data directory is not known/);
  assert.equal((await run(typo, ['company', 'create', 'Acme'])).code, EXIT.ok);
});

test('a restore without a key, or with a part of one, says so', async (t) => {
  const folder = temporaryFolder(t);
  const file = join(folder, 'site.vouch');
  writeFileSync(file, 'not looked at');
  const home = join(folder, 'home');
  const none = await run(home, ['restore', file]);
  assert.deepEqual([none.code, existsSync(home)], [EXIT.usage, false]);
  assert.match(none.stderr, /No backup key was entered/);
  const keyFile = join(folder, 'key.txt');
  writeFileSync(keyFile, 'ABCD-EFGH\n');
  const short = await run(home, ['restore', file, '--backup-key-file', keyFile]);
  assert.equal(short.code, EXIT.usage);
  assert.match(short.stderr, /AGE-SECRET-KEY-1 followed by 58 letters and digits; 8 were entered/);
});

test('a command says what it waits for while another process has the data directory', async (t) => {
  const home = await madeHome(t);
  const storage = await openStorage(openHome(home), { now: () => new Date() });
  const program = vouch(home, ['company', 'list']);
  const ended = once(program, 'exit');
  let said = '';
  for await (const chunk of program.stderr ?? []) {
    said += String(chunk);
    if (said.includes('Waiting')) break;
  }
  assert.match(said, /Another process uses the data directory/);
  await storage.close();
  assert.deepEqual(await ended, [EXIT.ok, null]);
});

test('a port that another program has, or that is none, is named', async (t) => {
  const home = await madeHome(t);
  const other = createServer();
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  t.after(() => other.close());
  const { port } = other.address() as AddressInfo;
  const taken = await run(home, ['serve', '--workers', '1', '--port', String(port)], {
    VOUCH_PIPELINE: 'light',
  });
  assert.equal(taken.code, EXIT.failed);
  assert.match(taken.stderr, new RegExp(`Port ${port} of this machine is taken by another program`));
  const none = await run(home, ['serve', '--port', '99999']);
  assert.equal(none.code, EXIT.usage);
  assert.match(none.stderr, /port from 0 to 65535/);
});

test('the certificate of an installation itself is not trusted', async (t) => {
  const home = await madeHome(t);
  const certificate = join(home, '..', 'own.certificate');
  const shown = await run(home, ['--json', 'installation', 'show', '--output', certificate]);
  const { fingerprint } = JSON.parse(shown.stdout) as { fingerprint: string };
  const args = ['installation', 'trust', certificate, '--company', 'Acme', '--fingerprint', fingerprint];
  const { code, stderr } = await run(home, args);
  assert.equal(code, EXIT.usage);
  assert.match(stderr, /installation certificate is your own/);
});

/** Linux as a disk error leaves it: a part of the tree mounted read-only. */
function onReadOnlyDisk(folder: string, args: readonly string[]) {
  const mounts = ['--dev-bind', '/', '/', '--ro-bind', folder, folder];
  return spawnSync('bwrap', [...mounts, process.execPath, CLI, ...args], { encoding: 'utf8' });
}

const NO_MOUNTS =
  spawnSync('bwrap', ['--dev-bind', '/', '/', 'true']).status === 0 ? false : 'bubblewrap cannot mount here';
test('a disk that is mounted read-only is distinguished from damage', { skip: NO_MOUNTS }, async (t) => {
  const home = await madeHome(t);
  const { status, stderr } = onReadOnlyDisk(home, ['--home', home, 'company', 'list']);
  assert.equal(status, EXIT.failed);
  assert.match(stderr, /mounted read-only/);
  assert.doesNotMatch(stderr, /damaged, or/);
  const examined = onReadOnlyDisk(home, ['--home', home, '--json', 'doctor']);
  const { checks } = JSON.parse(examined.stdout) as { checks: { code: string; finding: string }[] };
  assert.ok(checks.some(({ code }) => code === 'permissionsReadOnly'));
  assert.match(checks.find(({ code }) => code === 'databaseClosed')!.finding, /mounted read-only/);
  const above = join(home, '..', 'disk');
  mkdirSync(above);
  const made = onReadOnlyDisk(above, ['--home', join(above, 'new', 'home'), 'company', 'create', 'Acme']);
  assert.equal(made.status, EXIT.failed);
  assert.match(made.stderr, /mounted read-only/);
});
