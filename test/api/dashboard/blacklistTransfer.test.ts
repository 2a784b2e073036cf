import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  installationView,
  trustedInstallationList,
  trustedInstallationView,
} from '../../../core/contracts/blacklistTransfer.ts';
import { good, openDashboardSite } from './dashboardSite.ts';

test('an admin trusts an installation by its certificate and fingerprint', async (t) => {
  const [here, there] = await Promise.all([openDashboardSite(t), openDashboardSite(t)]);
  const reviewer = await there.as('reviewer');
  const { certificate, fingerprint, name } = good(
    await reviewer('GET', '/installations/own'),
    installationView,
  );
  assert.deepEqual(
    good(await reviewer('GET', '/installations/own'), installationView).fingerprint,
    fingerprint,
    'made once',
  );
  const admin = await here.as('admin');

  const misheard = fingerprint.replaceAll(/\d/g, 'a');
  const refused = await admin('POST', '/installations', { certificate, fingerprint: misheard });
  assert.equal(refused.status, 422);
  assert.match(refused.text, /Do not trust this certificate/);
  const other = good(await (await here.as('reviewer'))('GET', '/installations/own'), installationView);
  const mixed = { ...certificate, receivingKey: other.certificate.receivingKey };
  assert.match(
    (await admin('POST', '/installations', { certificate: mixed, fingerprint })).text,
    /certificate was changed/,
  );
  const operator = await here.as('operator');
  assert.equal((await operator('POST', '/installations', { certificate, fingerprint })).status, 403);
  assert.deepEqual(good(await admin('GET', '/installations'), trustedInstallationList).items, []);

  const spoken = fingerprint.toUpperCase().replaceAll('-', ' ');
  const trusted = good(
    await admin('POST', '/installations', { certificate, fingerprint: spoken }),
    trustedInstallationView,
  );
  assert.deepEqual([trusted.name, trusted.fingerprint], [name, fingerprint]);
  const named = good(
    await admin('POST', '/installations', { certificate, fingerprint, name: 'North' }),
    trustedInstallationView,
  );
  assert.deepEqual([named.id, named.name], [trusted.id, 'North'], 'the same site, by another name');

  assert.equal((await admin('DELETE', '/installations/99')).status, 404);
  assert.equal((await admin('DELETE', `/installations/${trusted.id}`)).status, 204);
  assert.deepEqual(good(await operator('GET', '/installations'), trustedInstallationList).items, []);
});
