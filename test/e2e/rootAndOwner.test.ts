/** Root on the home of the service's own account, as an administrator with sudo is. */
import assert from 'node:assert/strict';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { run } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const AS_ROOT = { skip: reasonToSkip() };
/** `nobody` of Debian: an account that owns nothing. */
const OWNER = 65_534;

test('as root, a command leaves no file of root in the home of another account', AS_ROOT, async (t) => {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o711);
  const home = join(folder, 'home');
  mkdirSync(home, { mode: 0o700 });
  chownSync(home, OWNER, OWNER);
  const made = await run(home, ['company', 'create', 'Acme']);
  assert.equal(made.code, 0, made.stderr);
  const listed = await run(home, ['--json', 'company', 'list']);
  assert.match(listed.stdout, /Acme/);
  const examined = await run(home, ['doctor']);
  assert.match(examined.stdout, /audit/, examined.stderr);
  const foreign = readdirSync(home, { recursive: true, encoding: 'utf8' }).filter(
    (file) => statSync(join(home, file)).uid !== OWNER,
  );
  assert.deepEqual(foreign, []);
});

function reasonToSkip(): string | false {
  if (process.getuid?.() !== 0) return 'only root can act as another account';
  for (let path = import.meta.dirname; path !== dirname(path); path = dirname(path))
    if ((statSync(path).mode & 0o005) !== 0o005) return `${path} is closed to other accounts`;
  return false;
}
