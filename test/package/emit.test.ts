import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { emitCore } from '../../scripts/package/emit.ts';
import { temporaryFolder } from '../support/site.ts';

const PROJECT = join(import.meta.dirname, '..', '..');

test('the packaged service is JavaScript that names no source file, and its programs run', async (t) => {
  const app = temporaryFolder(t);
  await emitCore(join(app, 'core'));
  const files = readdirSync(join(app, 'core'), { recursive: true, encoding: 'utf8' });
  assert.deepEqual(
    files.filter((file) => /\.(ts|md)$|\.test\./.test(file)),
    [],
  );
  const programs = files.filter((file) => file.endsWith('.js'));
  assert.ok(programs.length > 300);
  for (const file of programs) {
    // Comments may name a source; strings that Node resolves may not.
    const named = /(?:from|import|URL)\s*\(?\s*['"]\.[^'"\n]*\.ts['"]/.exec(
      readFileSync(join(app, 'core', file), 'utf8'),
    );
    assert.equal(named, null, file);
  }
  symlinkSync(join(PROJECT, 'node_modules'), join(app, 'node_modules'));
  writeFileSync(join(app, 'package.json'), JSON.stringify({ type: 'module', version: '9.8.7' }));
  const cli = join(app, 'core', 'cli.js');
  const version = spawnSync(process.execPath, [cli, '--json', '--version'], { encoding: 'utf8' });
  assert.match(version.stdout, /"version": "9\.8\.7"/, version.stderr);
  const home = join(app, 'home');
  const created = spawnSync(process.execPath, [cli, '--home', home, 'company', 'create', 'Acme'], {
    encoding: 'utf8',
  });
  assert.equal(created.status, 0, created.stderr);
});
