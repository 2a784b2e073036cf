import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { createBackupKey } from '../../core/encryption/backupKey.ts';
import { EXIT } from '../../core/cli/terminal/output.ts';
import { createCompany } from '../support/atHome.ts';
import { runHere } from '../support/runHere.ts';
import { portrait } from '../support/facePhotos.ts';
import { startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

test('an installation moves to another machine with a file and a key on paper', async (t) => {
  const folder = temporaryFolder(t);
  const [home, elsewhere, photos, bundle, paper] = [
    'home',
    'elsewhere',
    'photos',
    'site.vouch',
    'paper.txt',
  ].map((name) => join(folder, name)) as [string, string, string, string, string];
  mkdirSync(photos);
  writeFileSync(join(photos, 'anna.jpg'), await portrait(0));
  const service = await startService(home, 0, 1);
  await createCompany(home, 'Acme');
  assert.equal((await runHere(home, ['enroll', photos, '--company', 'Acme'])).code, EXIT.ok);

  const tooEarly = await runHere(home, ['backup', bundle]);
  assert.equal(tooEarly.code, EXIT.usage);
  assert.match(tooEarly.stderr, /vouch backup-key create/);
  const made = await runHere(home, ['--json', 'backup-key', 'create']);
  writeFileSync(paper, (JSON.parse(made.stdout) as { backupKey: string }).backupKey);
  const again = await runHere(home, ['backup-key', 'create']);
  assert.equal(again.code, EXIT.usage, 'a second key is not made by accident');

  const backedUp = await runHere(home, ['backup', bundle]);
  assert.equal(backedUp.code, EXIT.ok, backedUp.stderr);
  assert.match(backedUp.stdout, /1 images, written and verified/);
  assert.deepEqual(
    readdirSync(folder).filter((name) => name.includes('partial')),
    [],
  );
  const content = readFileSync(bundle);
  for (const secret of ['anna', 'Acme', readFileSync(join(home, 'store.key'), 'utf8').trim()])
    assert(!content.includes(secret), secret);
  assert.equal((await runHere(home, ['backup', bundle])).code, EXIT.usage, 'it overwrites nothing');
  assert.deepEqual(readFileSync(bundle), content);

  const locked = await runHere(home, ['restore', bundle, '--backup-key-file', paper]);
  assert.equal(locked.code, EXIT.failed);
  assert.match(locked.stderr, /Stop it first/);
  await service.stop();

  const occupied = await runHere(home, ['restore', bundle, '--backup-key-file', paper]);
  assert.equal(occupied.code, EXIT.usage);
  assert.match(
    occupied.stderr,
    /has an installation already\. .* Nothing was changed\. Replace it with --replace/,
  );
  assert.deepEqual(
    readdirSync(home).filter((name) => name.startsWith('restoring') || name.startsWith('before-restore')),
    [],
  );

  writeFileSync(join(folder, 'wrong.txt'), createBackupKey().text);
  const wrong = await runHere(elsewhere, ['restore', bundle, '--backup-key-file', join(folder, 'wrong.txt')]);
  assert.equal(wrong.code, EXIT.usage);
  assert.match(wrong.stderr, /Wrong backup key\. This backup needs the key with fingerprint/);
  assert(!existsSync(join(elsewhere, 'vouch.db')));

  // With the paper and ordinary programs alone, as for an installation of which nothing else is left.
  if (spawnSync('age', ['--version']).status === 0) {
    const listed = spawnSync('sh', ['-c', 'age -d -i "$1" "$2" | tar tf -', 'sh', paper, bundle], {
      encoding: 'utf8',
    });
    assert.match(listed.stdout, /^images\/1\/[0-9a-f]{32}\n(.*\n)*vouch\.db\n(.*\n)*manifest\.json\n$/);
  } else t.diagnostic('the age program is not installed here: it was not tried');

  const restored = await runHere(elsewhere, ['restore', bundle, '--backup-key-file', paper]);
  assert.equal(restored.code, EXIT.ok, restored.stderr);
  const found = await runHere(elsewhere, ['search', join(photos, 'anna.jpg'), '--company', 'Acme']);
  assert.match(found.stdout, /anna +100\.00/);
  assert.equal((await runHere(elsewhere, ['audit', 'verify'])).code, EXIT.ok);
  const replaced = await runHere(elsewhere, ['restore', bundle, '--backup-key-file', paper, '--replace']);
  assert.equal(replaced.code, EXIT.ok, replaced.stderr);
  assert.ok(readdirSync(elsewhere).some((name) => name.startsWith('before-restore')));
});
