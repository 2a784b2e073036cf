/** Output that cannot be written is a failure of the command, and a secret that could not be shown is not active. */
import { credentialApi } from '../../core/contracts/dashboard/credentials.ts';
import { localApi } from '../../core/contracts/local.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { withLocalApi } from '../../core/cli/client/localClient.ts';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { createCompany } from '../support/atHome.ts';
import { run, startService, type ServiceProcess } from '../support/serviceProcess.ts';

const CLI = join(import.meta.dirname, '..', '..', 'core', 'cli.ts');
const NO_FULL_DEVICE = existsSync('/dev/full') ? false : 'this system has no /dev/full';

const folder = mkdtempSync(join(tmpdir(), 'vouch-output-'));
const home = join(folder, 'home');
const tokenOf = (name: string) => [
  'api-token',
  'create',
  '--company',
  'Acme',
  '--name',
  name,
  '--scope',
  'enroll',
];
let service: ServiceProcess;

before(async () => {
  await createCompany(home, 'Acme');
  if (NO_FULL_DEVICE === false) {
    fails('audit anchor');
    voids('backup-key create');
  }
  service = await startService(home, 0, 1, { VOUCH_PIPELINE: 'light' });
});
after(async () => {
  await service.kill();
  rmSync(folder, { recursive: true });
});

/** Runs a command line of a shell; `$vouch` is the program on the home. */
function shell(line: string): { status: number | null; stdout: string; stderr: string } {
  const vouch = `'${process.execPath}' '${CLI}' --home '${home}'`;
  return spawnSync('bash', ['-c', `set -o pipefail; ${line.replaceAll('$vouch', vouch)}`], {
    encoding: 'utf8',
  });
}

/** The secrets that lost output must not activate. */
async function activeSecrets(): Promise<{ tokens: unknown; key: unknown }> {
  return withLocalApi(home, async (api) => ({
    tokens: await api.ask(credentialApi.list, { company: 'Acme' }),
    key: await api.ask(localApi.backupKey),
  }));
}

function fails(args: string): void {
  const { status, stderr } = shell(`$vouch ${args} > /dev/full`);
  assert.equal(status, EXIT.failed, args);
  assert.match(stderr, /output could not be written: that disk is full/, args);
}

function voids(args: string): void {
  const { status, stderr } = shell(`$vouch ${args} > /dev/full`);
  assert.equal(status, EXIT.failed, args);
  assert.match(stderr, /output could not be written.*not active/, args);
  assert.doesNotMatch(stderr, /vouch_|(\w{4}-){7}/, args);
}

test(
  'output of which a full disk takes nothing ends with 1, and its secrets are void',
  { skip: NO_FULL_DEVICE },
  async () => {
    const earlier = await activeSecrets();
    assert.deepEqual(
      earlier,
      { tokens: { items: [] }, key: { fingerprint: null, createdAt: null } },
      'void without a service',
    );
    for (const args of ['status', '--json audit list']) fails(args);
    for (const args of [tokenOf('lost').join(' '), '--json backup-key create']) voids(args);
    // A reader that is gone has not read the secret.
    const gone = shell(`$vouch ${tokenOf('unread').join(' ')} | true`);
    assert.match(gone.stderr, /not active/);
    assert.deepEqual(await activeSecrets(), earlier);
  },
);

test('a reader that has read enough is no failure', () => {
  const { status, stdout, stderr } = shell('$vouch help | head -1');
  assert.deepEqual([status, stderr], [EXIT.ok, '']);
  assert.match(stdout, /Usage/);
});

test('a secret goes to standard output alone, its explanation to standard error', async () => {
  const { code, stdout, stderr } = await run(home, tokenOf('shown'));
  assert.equal(code, EXIT.ok, stderr);
  assert.match(stdout, /^vouch_[\w-]{43}\n$/);
  assert.match(stderr, /Number of the credential: \d+/);
});

test('with --output a secret is in a private file and not on the terminal', async () => {
  const file = join(folder, 'token.txt');
  const made = await run(home, [...tokenOf('filed'), '--output', file]);
  assert.equal(made.code, EXIT.ok, made.stderr);
  const token = readFileSync(file, 'utf8').trim();
  assert.match(token, /^vouch_[\w-]{43}$/);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.doesNotMatch(made.stdout + made.stderr, /vouch_/);
  const earlier = await activeSecrets();
  const again = await run(home, [...tokenOf('twice'), '--output', file]);
  assert.equal(again.code, EXIT.usage);
  const nowhere = await run(home, ['backup-key', 'create', '--output', join(folder, 'no', 'folder')]);
  assert.equal(nowhere.code, EXIT.usage);
  assert.deepEqual(await activeSecrets(), earlier);
});
