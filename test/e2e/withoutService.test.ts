import { localApi } from '../../core/contracts/local.ts';
import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import { LocalApi, type Route, type Sent } from '../../core/cli/client/localClient.ts';
import { openForCommands } from '../../core/service/offline.ts';
import { portrait } from '../support/facePhotos.ts';
import { temporaryFolder } from '../support/site.ts';

test('without a service, only a command that recognises faces starts a worker process', async (t) => {
  const { mock } = t.mock.method(childProcess, 'fork');
  syncBuiltinESMExports();
  t.after(() => {
    mock.restore();
    syncBuiltinESMExports();
  });
  const home = await openForCommands({ home: temporaryFolder(t), workers: 1 });
  const company = 'Acme';
  const api = new LocalApi(home.send);
  const operations: [Route, Sent?][] = [
    ['POST /local/companies', { body: { name: company } }],
    ['GET /local/companies'],
    ['GET /local/status'],
    ['POST /blacklists', { company, body: { name: 'Banned' } }],
    ['GET /blacklists', { company }],
    ['GET /local/erasures/find', { company, query: { name: 'Jane' } }],
    ['GET /retention', { company }],
    ['GET /local/pipelines/companies'],
    ['GET /calibration', { company }],
    ['POST /local/audit/verify', { body: {} }],
  ];
  try {
    for (const [route, asked] of operations) await api.open(route, asked);
    assert.equal(mock.callCount(), 0);
    const asked = { company, query: { limit: 1 }, body: await portrait(0) };
    const found = await api.ask(localApi.search, asked);
    assert.equal(found.refused, null);
    assert.equal(mock.callCount(), 1);
  } finally {
    await home.close();
  }
});
