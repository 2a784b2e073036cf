import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/output.ts';
import { portrait } from '../support/portraits.ts';
import { run, startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

test('a folder is watched and a visitor verified from a terminal, in JSON for programs', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const inbox = join(folder, 'inbox');
  mkdirSync(inbox);
  writeFileSync(join(inbox, 'anna.jpg'), await portrait(0));
  writeFileSync(join(inbox, 'cut.jpg'), (await portrait(1)).subarray(0, 2000));
  const selfie = join(folder, 'selfie.jpg');
  writeFileSync(selfie, await portrait(0, 3));
  const service = await startService(home, 0, 1);
  await run(home, ['company', 'create', 'Acme']);

  const watched = await run(home, ['--json', 'watch', inbox, '--company', 'Acme', '--once', '--settle', '0']);
  assert.equal(watched.code, EXIT.someImagesFailed, watched.stderr);
  const outcomes = watched.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { path: string; status: string });
  assert.deepEqual(
    outcomes.map(({ path, status }) => `${path} ${status}`),
    ['anna.jpg enrolled', 'cut.jpg failed'],
  );
  assert.deepEqual(readdirSync(inbox).sort(), ['done', 'failed']);

  const made = await run(home, ['--json', 'flow', 'create', 'Visitors', '--company', 'Acme']);
  const flow = String((JSON.parse(made.stdout) as { id: number }).id);
  const verified = await run(home, ['--json', 'verify', selfie, '--flow', flow, '--company', 'Acme']);
  assert.equal(verified.code, EXIT.ok, verified.stderr);
  const detail = JSON.parse(verified.stdout) as { statusLabel: string; duplicates: unknown[] };
  assert.equal(detail.statusLabel, 'Review Needed');
  assert.equal(detail.duplicates.length, 1);

  const memory = async (...args: string[]) => {
    const { stdout } = await run(home, ['--json', 'gallery', 'memory', ...args]);
    return (JSON.parse(stdout) as { exactVectorsInMemory: string }).exactVectorsInMemory;
  };
  assert.equal(await memory('64'), '64 MiB');
  assert.equal(await memory(), '64 MiB');
  assert.equal(await memory('all'), 'all');
  const unknown = await run(home, ['gallery', 'memory', 'plenty']);
  assert.equal(unknown.code, EXIT.usage);
  assert.match(unknown.stderr, /whole number/);

  const blank = await run(home, ['signature', selfie, join(folder, 'nowhere.png'), '--company', 'Acme']);
  assert.equal(blank.code, EXIT.usage);
  assert.match(blank.stderr, /nowhere\.png cannot be read/);
  const compared = await run(home, ['signature', selfie, selfie, '--company', 'Acme']);
  assert.equal(compared.code, EXIT.ok, compared.stderr);
  assert.match(compared.stdout, /Inconclusive|similarity/);
  const tokens = await run(home, ['--json', 'token', 'list', '--company', 'Acme']);
  for (const token of JSON.parse(tokens.stdout) as { revokedAt: string | null }[])
    assert.notEqual(token.revokedAt, null, 'a token made for one run is revoked after it');
  assert.equal(await service.stop(), 0);
});

test('the completion of bash completes commands, what follows them, and choices', async (t) => {
  const folder = temporaryFolder(t);
  const { stdout: script } = await run(folder, ['completion', 'bash']);
  const complete = (...words: string[]) => {
    const program = `${script}
COMP_WORDS=(vouch ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _vouch; echo "\${COMPREPLY[@]}"`;
    const { stdout, status, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout.trim().split(' ');
  };
  assert.deepEqual(complete('back'), ['backup']);
  assert.deepEqual(complete('company', ''), ['create', 'list', 'set']);
  assert(complete('company', 'set', 'Acme', '--').includes('--registration'));
  assert.deepEqual(complete('serve', '--log-level', 'w'), ['warn']);
  for (const shell of ['zsh', 'fish']) {
    const { stdout, code } = await run(folder, ['completion', shell]);
    assert.equal(code, EXIT.ok);
    assert.match(stdout, /recovery-key/);
  }
  assert.equal((await run(folder, ['completion', 'tcsh'])).code, EXIT.usage);
});
