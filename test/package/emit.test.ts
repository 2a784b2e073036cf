import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { emitCore } from '../../scripts/package/emit.ts';
import { temporaryFolder } from '../support/site.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

test('the packaged service is JavaScript in few files without source names, and runs', async (t) => {
  const app = temporaryFolder(t);
  await emitCore(join(app, 'core'));
  const files = readdirSync(join(app, 'core'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((file) => /\.(ts|md)$|\.test\./.test(file)),
    [],
  );
  const programs = files.filter((file) => file.endsWith('.js'));
  assert.ok(programs.includes('vision.pool.worker.js'), programs.join(' '));
  assert.ok(programs.length < 200, `${programs.length} files`);
  for (const file of programs) {
    // Comments may name a source; strings that Node resolves may not.
    const code = readFileSync(join(app, 'core', file), 'utf8');
    assert.doesNotMatch(code, /(?:from|import|URL)\s*\(?\s*['"]\.[^'"\n]*\.ts['"]/, file);
    assert.doesNotMatch(code, /^import .* from ['"](fastify|kysely|zod)['"]/m, file);
    // Loaded by Fastify only where nothing else checks requests: half a megabyte.
    assert.doesNotMatch(code, /allowUnionTypes/, file);
    // Slow to import: see nodeHttp.ts.
    assert.doesNotMatch(code, /^import .* from ['"]node:http['"]/m, file);
  }
  for (const name of ['node_modules', 'resources']) symlinkSync(join(PROJECT, name), join(app, name));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', version: '9.8.7' }));
  const home = join(app, 'home');
  const vouch = (...line: string[]) =>
    spawnSync(process.execPath, [join(app, 'core', 'cli.js'), '--home', home, '--json', ...line], {
      encoding: 'utf8',
    });
  const version = vouch('--version');
  assert.match(version.stdout, /"version": "9\.8\.7"/, version.stderr);
  const created = vouch('company', 'create', 'Acme');
  assert.equal(created.status, 0, created.stderr);
  // Without its networks no worker starts, so the service is of no use.
  mkdirSync(join(app, 'models'));
  cpSync(join(PROJECT, 'models', 'manifest.json'), join(app, 'models', 'manifest.json'));
  const served = vouch('serve', '--port', '0');
  assert.equal(served.status, 1, served.stderr);
  assert.match(served.stderr, /vision workers cannot start: .* is not installed/);
});
