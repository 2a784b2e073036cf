import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TEST_ACT } from '../../../test/support/act.ts';
import { rowsOf } from '../../../test/support/rowsOf.ts';
import { temporaryStorage } from '../../../test/support/site.ts';
import { AuditLog } from '../audit/auditLog.ts';
import { openHome, openStorage } from '../index.ts';
import { NetworkListeners } from './companies.ts';

const listenerOf = (address: string) => ({
  names: [`${address}.site.lan`],
  address,
  port: 4611,
  certificate: `the certificate of ${address}`,
  privateKey: `the key of ${address}`,
});

test('services that share a database have listeners of their own', async (t) => {
  const { storage, folder, clock } = await temporaryStorage(t);
  await storage.networkListeners.keep(listenerOf('10.0.0.1'), TEST_ACT);
  await storage.close();

  const db = await rowsOf(t, folder);
  const other = new NetworkListeners(db, new AuditLog(db), { service: 'another service' });
  assert.equal(await other.find(), undefined);
  assert.equal(await other.drop(TEST_ACT), false);
  for (const port of [4612, 4613]) await other.keep({ ...listenerOf('10.0.0.2'), port }, TEST_ACT);
  await db.destroy();

  const again = await openStorage(openHome(folder), clock);
  t.after(() => again.close());
  assert.deepEqual(await again.networkListeners.find(), listenerOf('10.0.0.1'));
  assert.equal(await again.networkListeners.drop(TEST_ACT), true);
  const { names, port } = await (
    await rowsOf(t, folder)
  )
    .selectFrom('network_listener')
    .select(['names', 'port'])
    .executeTakeFirstOrThrow();
  assert.deepEqual({ names, port }, { names: '["10.0.0.2.site.lan"]', port: 4613 });
});
