import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

test('loading and running a net leaves no trace of ONNX Runtime in the account', async (context) => {
  const home = await mkdtemp(join(tmpdir(), 'vouch-home-'));
  context.after(() => rm(home, { recursive: true }));
  const net = JSON.stringify(join(import.meta.dirname, 'facemesh.ts'));
  const models = JSON.stringify(join(import.meta.dirname, '../../../models'));
  const program = `
    const { loadFaceMesh } = await import(${net});
    const [{ flag }] = await (await loadFaceMesh(${models}))(new Uint8Array(192 * 192 * 3));
    console.log(flag);`;
  const { ORT_DISABLE_TELEMETRY: _, ...inherited } = process.env;
  const ran = spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
    encoding: 'utf8',
    env: { ...inherited, HOME: home, XDG_CACHE_HOME: join(home, '.cache') },
  });
  assert.match(ran.stdout, /^[\d.e-]+\s*$/, ran.stderr);
  assert.deepEqual(await readdir(home), []);
});
