import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { EXIT } from '../../core/cli/terminal/output.ts';
import type { AuditPage } from '../../core/contracts/audit.ts';
import type { NetworkAccessState } from '../../core/contracts/network.ts';
import { runHere } from '../support/runHere.ts';
import { askOverTls, freePort } from '../support/network.ts';
import { startService } from '../support/serviceProcess.ts';
import { temporaryFolder } from '../support/site.ts';

const NAME = 'vouch.site.lan';

test('network access is enabled, its certificate renewed, and access disabled', async (t) => {
  const folder = temporaryFolder(t);
  const home = join(folder, 'home');
  const service = await startService(home, 0, 1);
  const network = async (...args: string[]) => {
    const { stdout, stderr, code } = await runHere(home, ['--json', 'network', ...args]);
    assert.equal(code, EXIT.ok, stderr);
    return JSON.parse(stdout) as NetworkAccessState;
  };
  const port = await freePort();
  const on = await network('enable', NAME, '10.0.0.5', '--port', String(port), '--address', '127.0.0.1');
  const file = join(folder, 'vouch.pem');
  assert.deepEqual(await network('status', '--output', file), on);
  const ca = readFileSync(file, 'utf8');
  const certificate = new X509Certificate(ca);
  assert.equal(certificate.fingerprint256, on.listener?.fingerprint);
  assert.equal(certificate.checkIP('10.0.0.5'), '10.0.0.5');
  assert.equal((await askOverTls({ name: NAME, port, ca })).status, 200);
  const next = join(folder, 'next.pem');
  const renewed = await network('renew-certificate', '--output', next);
  assert.notEqual(renewed.listener?.fingerprint, on.listener?.fingerprint);
  assert.deepEqual(renewed.listener?.names, on.listener?.names);
  assert.equal((await askOverTls({ name: NAME, port, ca: readFileSync(next, 'utf8') })).status, 200);
  const half = await runHere(home, ['network', 'enable', NAME, '--certificate', file]);
  assert.equal(half.code, EXIT.usage);
  assert.match(half.stderr, /Give both --certificate and --key, or neither/);
  assert.deepEqual(await network('disable'), { listener: null, problem: null });
  await assert.rejects(askOverTls({ name: NAME, port, ca }), { code: 'ECONNREFUSED' });
  const { stdout } = await runHere(home, ['--json', 'audit', 'list', '--limit', '2']);
  assert.deepEqual(
    (JSON.parse(stdout) as AuditPage).items.map(({ actor, action }) => `${actor} ${action}`),
    ['local-admin network.disabled', 'local-admin network.enabled'],
  );
  const [{ sequence: newest }] = (JSON.parse(stdout) as AuditPage).items as [AuditPage['items'][number]];
  const older = await runHere(home, [
    '--json',
    'audit',
    'list',
    '--before-entry',
    String(newest),
    '--limit',
    '1',
  ]);
  assert.equal((JSON.parse(older.stdout) as AuditPage).items[0]?.sequence, newest - 1);
  const wrong = await runHere(home, ['audit', 'list', '--action', 'network.moved']);
  assert.equal(wrong.code, EXIT.usage);
  assert.match(wrong.stderr, /Unknown action "network\.moved"/);
  await service.stop();
});
