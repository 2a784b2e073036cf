import assert from 'node:assert/strict';
import childProcess from 'node:child_process';
import { syncBuiltinESMExports } from 'node:module';
import { test } from 'node:test';
import type { AdminCommand } from '../../core/contracts/admin/commands.ts';
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
  const commands: [AdminCommand, object][] = [
    ['company.create', { name: company }],
    ['company.list', {}],
    ['status', {}],
    ['blacklist.create', { company, name: 'Banned' }],
    ['blacklist.list', { company }],
    ['erase.find', { company, name: 'Jane' }],
    ['retention.show', { company }],
    ['pipeline.status', {}],
    ['calibration.show', { company }],
    ['audit.verify', {}],
  ];
  try {
    for (const [command, input] of commands) await home.runAdminCommand(command, input);
    assert.equal(mock.callCount(), 0);
    const image = (await portrait(0)).toString('base64');
    const found = await home.runAdminCommand('search', { company, image, limit: 1 });
    assert.equal(found.refused, null);
    assert.equal(mock.callCount(), 1);
  } finally {
    await home.close();
  }
});
