import { localApi } from '../../core/contracts/local.ts';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Command } from 'commander';
import type { SettableLimit } from '../../core/contracts/limits/limitShapes.ts';
import { createToken } from '../../core/domain/credentials/secrets.ts';
import { CRYPTO } from '../../core/platform/platform.ts';
import { withLocalApi } from '../../core/cli/client/localClient.ts';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { addCommands, createProgram } from '../../core/cli/program.ts';
import { lockHome, openHome } from '../../core/storage/index.ts';
import { portrait } from '../support/facePhotos.ts';
import { encoded, signings } from '../signatures/specimens.ts';
import { createCompany } from '../support/atHome.ts';
import { runHere } from '../support/runHere.ts';
import { run, startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

test('a command waits for a service that holds the home but does not answer yet', async (t) => {
  const folder = temporaryFolder(t);
  const lock = lockHome(openHome(folder));
  let released = false;
  const starting = setTimeout(() => {
    released = true;
    lock.release();
  }, 700);
  t.after(() => {
    clearTimeout(starting);
  });
  const companies = await withLocalApi(folder, async (api) => {
    assert.ok(released);
    return api.ask(localApi.companies);
  });
  assert.deepEqual(companies, []);
});

test('a folder is continued after a new name of its company and a new port', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const photos = join(folder, 'photos');
  mkdirSync(photos);
  writeFileSync(join(photos, 'cut.jpg'), (await portrait(1)).subarray(0, 2000));
  const sent = async (company: string) => {
    const { stdout } = await run(home, ['--json', 'enroll', photos, '--company', company]);
    return (JSON.parse(stdout) as { answers: { sent: string }[] }).answers.map((answer) => answer.sent);
  };
  const first = await startService(home, 0, 1);
  t.after(() => first.kill());
  await createCompany(home, 'Acme');
  assert.deepEqual(await sent('Acme'), ['now']);
  await withLocalApi(home, (api) => api.open('PATCH /company', { company: 'Acme', body: { name: 'Beta' } }));
  assert.deepEqual(await sent('Beta'), ['before']);
  await first.kill();
  const second = await startService(home, 0, 1);
  t.after(() => second.kill());
  assert.deepEqual(await sent('Beta'), ['before']);
  await createCompany(home, 'Acme');
  assert.deepEqual(await sent('Acme'), ['now']);
});

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
  t.after(() => service.kill());
  await createCompany(home, 'Acme');

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

  const made = await runHere(home, ['--json', 'flow', 'create', 'Visitors', '--company', 'Acme']);
  const flow = String((JSON.parse(made.stdout) as { id: number }).id);
  const rated = await runHere(home, ['--json', 'flow', 'list', '--company', 'Acme']);
  const shown = (JSON.parse(rated.stdout) as { name: string; duplicates: unknown }[]).find(
    ({ name }) => name === 'Visitors',
  );
  assert.deepEqual(shown?.duplicates, { oneIn: 10_000, per: 'comparison' });
  const verified = await run(home, ['--json', 'verify', selfie, '--flow', flow, '--company', 'Acme']);
  assert.equal(verified.code, EXIT.ok, verified.stderr);
  const detail = JSON.parse(verified.stdout) as { statusLabel: string; duplicates: unknown[] };
  assert.equal(detail.statusLabel, 'Review Needed');
  assert.equal(detail.duplicates.length, 1);

  await limitsAreSet(home, service.address);

  const blank = await runHere(home, [
    'signature',
    'compare',
    selfie,
    join(folder, 'nowhere.png'),
    '--company',
    'Acme',
  ]);
  assert.equal(blank.code, EXIT.usage);
  assert.match(blank.stderr, /nowhere\.png cannot be read/);
  const compared = await runHere(home, ['signature', 'compare', selfie, selfie, '--company', 'Acme']);
  assert.equal(compared.code, EXIT.ok, compared.stderr);
  assert.match(compared.stdout, /Inconclusive|similarity/);
  const signed = await Promise.all(signings(31, 3).map((picture) => encoded(picture)));
  const [questioned = '', ...known] = signed.map((png, index) => {
    const path = join(folder, `signed-${index}.png`);
    writeFileSync(path, png);
    return path;
  });
  // A photo without a face.
  for (const form of [[], ['--json']])
    assert.equal(
      (await runHere(home, [...form, 'search', questioned, '--company', 'Acme'])).code,
      EXIT.someImagesFailed,
    );
  const several = await runHere(home, ['signature', questioned, ...known, '--company', 'Acme']);
  assert.equal(several.code, EXIT.ok, several.stderr);
  const table = several.stdout.trim().split('\n').slice(-3);
  assert.deepEqual(
    table.map((line) => line.split(/ {2,}/)[0]),
    ['known', ...known],
    several.stdout,
  );
  const faces = await runHere(home, [
    '--json',
    'face',
    'compare',
    selfie,
    join(inbox, 'done', 'anna.jpg'),
    '--company',
    'Acme',
  ]);
  assert.equal(faces.code, EXIT.ok, faces.stderr);
  const { result } = JSON.parse(faces.stdout) as { result: { verdict: string; false_match_rate: number } };
  assert.match(result.verdict, /^(POSSIBLE_)?MATCH$/, 'two photos of the same person');
  assert.ok(result.false_match_rate <= 1e-4);
  const tokens = await runHere(home, ['--json', 'api-token', 'list', '--company', 'Acme']);
  const listed = (JSON.parse(tokens.stdout) as { name: string }[]).map(({ name }) => name);
  assert.deepEqual(listed, ['caller'], 'a token made for one run is not listed after it');
  await everyCommand(home);
  await service.stop();
});

/** Limits changed at the terminal apply to the next request to the running service. */
async function limitsAreSet(home: string, address: string): Promise<void> {
  const settings = async (...args: string[]) => {
    const { code, stdout, stderr } = await runHere(home, ['--json', ...args]);
    assert.equal(code, EXIT.ok, stderr);
    const rows = JSON.parse(stdout) as SettableLimit[];
    return rows.map(({ setting, value }) => `${setting} ${String(value)}`);
  };
  const { token, hex } = createToken(CRYPTO);
  const body = { kind: 'token', name: 'caller', scopes: ['enroll'], hash: hex };
  const { id } = await withLocalApi(home, (api) =>
    api.ask(localApi.storeCredential, { company: 'Acme', body }),
  );
  const send = async (images: number) => {
    const form = new FormData();
    for (let index = 0; index < images; index += 1)
      form.append('images[]', new Blob([Buffer.from('ffd8ffe000104a46', 'hex')]), `${index}.jpg`);
    const headers = { authorization: `Bearer ${token}` };
    const response = await fetch(`${address}/api/v3/duplicate-detection/faces`, {
      method: 'POST',
      body: form,
      headers,
    });
    return { status: response.status, text: await response.text() };
  };
  assert.deepEqual(await settings('company', 'settings', 'set', 'maxBatchImages=10', 'maxImageBytes=2MiB'), [
    'maxBatchImages 10',
    'maxImageBytes 2097152',
  ]);
  const eleven = await send(11);
  assert.equal(eleven.status, 422);
  assert.match(eleven.text, /The images field must not have more than 10 items/);
  assert.equal((await send(10)).status, 202);
  assert.deepEqual(await settings('company', 'settings', 'reset', 'maxBatchImages', '--company', 'Acme'), [
    'maxBatchImages 50',
  ]);
  assert.equal((await send(11)).status, 202);
  assert.deepEqual(await settings('settings', 'set', 'galleryMemoryMiB=64 MiB', 'minFreeBytes=0'), [
    'minFreeBytes 0',
    'galleryMemoryMiB 64',
  ]);
  assert.deepEqual(await settings('settings', 'set', 'galleryMemoryMiB=all'), ['galleryMemoryMiB null']);
  for (const [wrong, words] of [
    ['maxBatchImages=501', /maxBatchImages must be a whole number from 1 to 500 images/],
    ['maxImageBytes=lots', /from 1 MiB to 50 MiB/],
    ['signatures.match=30', /signatures.possibleMatch must not be above signatures.match/],
    ['retention.verified=1', /Unknown setting retention.verified. All settings: vouch company/],
    ['maxBatchImages', /not NAME=VALUE/],
  ] as const) {
    const { code, stderr } = await runHere(home, ['company', 'settings', 'set', wrong]);
    assert.equal(code, EXIT.usage, wrong);
    assert.match(stderr, words);
  }
  await withLocalApi(home, (api) => api.open(`POST /credentials/token/${id}/revoke`, { company: 'Acme' }));
  const text = await runHere(home, ['company', 'settings', 'show', 'maxImageBytes']);
  assert.match(
    text.stdout,
    /^setting +value +default +allowed +effect\nmaxImageBytes +2 MiB +10 MiB +1 MiB to 50 MiB/,
  );
}

/** Values for arguments and mandatory options: valid where the command changes no data, else the name of something absent. */
const GIVEN: Record<string, string> = {
  company: 'Acme',
  scope: 'enroll',
  role: 'operator',
  'home-copies': 'keep',
  name: 'walked',
  shell: 'bash',
  names: 'localhost',
  profile: 'default',
};
/** Listens or would change the program itself; what they print is tested where they are. */
const NOT_WALKED = ['serve', 'watch', 'update', 'queue pause', 'help'];

/** Every command once, with `--json`: one value or nothing, an error as its last line, and a code that the page lists for it. */
async function everyCommand(home: string): Promise<void> {
  const page = readFileSync(
    join(import.meta.dirname, '..', '..', 'docs', 'reference', 'terminal.md'),
    'utf8',
  );
  const besides = new Map(
    [...page.matchAll(/^\| ([134]) \| (.*`.*) \|$/gm)].map(([, code = '', text = '']) => [
      Number(code),
      text,
    ]),
  );
  assert.deepEqual([...besides.keys()], [1, 3, 4]);
  let walked = 0;
  const wrong: string[] = [];
  const program = createProgram({});
  await addCommands(program);
  for (const { path, command } of leavesOf(program)) {
    const name = path.join(' ');
    if (NOT_WALKED.includes(name)) continue;
    const valueOf = (wanted: string) =>
      GIVEN[wanted] ?? (wanted.endsWith('id') ? '999' : join(home, 'nowhere', wanted));
    const options = command.options.filter(
      ({ mandatory, long }) => mandatory || (long ?? '').endsWith('file'),
    );
    const line = [
      ...command.registeredArguments.filter(({ required }) => required).map((one) => valueOf(one.name())),
      ...options.flatMap(({ long = '', flags }) => [
        long,
        valueOf(flags.includes('<id>') ? 'id' : long.slice(2)),
      ]),
    ];
    const { code, stdout, stderr } = await runHere(home, ['--json', ...path, ...line]);
    const listed = [0, 2, ...besides].some((one) =>
      typeof one === 'number' ? one === code : one[0] === code && one[1].includes(`\`${name}\``),
    );
    if (!listed) wrong.push(`${name} ended with ${code}: ${stderr}`);
    if (name === 'completion') assert.match(stdout, /complete -o/);
    else if (code === EXIT.ok && !isJson(stdout)) wrong.push(`${name} printed: ${stdout}`);
    if (code !== EXIT.ok) {
      const { error } = JSON.parse(stderr.trim().split('\n').at(-1) ?? '') as {
        error: { exitCode: number; message: string };
      };
      assert.equal(error.exitCode, code, name);
      if (/\bE[A-Z]{4,}\b|\n {4}at /.test(error.message))
        wrong.push(`${name} is not in words: ${error.message}`);
    }
    walked += 1;
  }
  assert.deepEqual(wrong, []);
  assert.ok(walked > 60, `${walked} commands were walked`);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function leavesOf(command: Command, path: string[] = []): { path: string[]; command: Command }[] {
  return command.commands.flatMap((one) => {
    const own = [...path, one.name()];
    return one.commands.length > 0 ? leavesOf(one, own) : [{ path: own, command: one }];
  });
}

test('a purge of a pipeline without templates is refused and erases nothing', async (t) => {
  const home = join(temporaryFolder(t), 'home');
  await createCompany(home, 'Acme');
  const { code, stdout, stderr } = await runHere(home, [
    'pipeline',
    'purge',
    'nonsense',
    '--company',
    'Acme',
  ]);
  assert.deepEqual([code, stdout], [EXIT.usage, '']);
  assert.match(
    stderr,
    /has no templates of "nonsense"\. Nothing was erased\. It has templates of: no pipeline\./,
  );
});

test('the completion of bash completes commands, what follows them, and choices', async (t) => {
  const folder = temporaryFolder(t);
  const { stdout: script } = await runHere(folder, ['completion', 'bash']);
  const complete = (...words: string[]) => {
    const program = `${script}
COMP_WORDS=(vouch ${words.map((word) => `'${word}'`).join(' ')}); COMP_CWORD=${words.length}; _vouch; echo "\${COMPREPLY[@]}"`;
    const { stdout, status, stderr } = spawnSync('bash', ['-c', program], { encoding: 'utf8', cwd: folder });
    assert.equal(status, 0, stderr);
    return stdout.trim().split(' ');
  };
  assert.deepEqual(complete('back'), ['backup-key', 'backup']);
  assert.deepEqual(complete('company', ''), ['create', 'list', 'update', 'settings']);
  assert(complete('company', 'update', 'Acme', '--').includes('--registration'));
  assert.deepEqual(complete('serve', '--log-level', 'w'), ['warn']);
  for (const shell of ['zsh', 'fish']) {
    const { stdout, code } = await runHere(folder, ['completion', shell]);
    assert.equal(code, EXIT.ok);
    assert.match(stdout, /backup-key/);
  }
  assert.equal((await runHere(folder, ['completion', 'tcsh'])).code, EXIT.usage);
});
