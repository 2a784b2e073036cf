import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SILENT_LOG } from '../../test/support/fakes.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { openFoundation } from './foundation.ts';

test('as many signature workers are opened as the setting says', async (t) => {
  const most = async (signatureWorkers: { signatureWorkers?: number }) => {
    const options = { home: temporaryFolder(t), workers: 1, ...signatureWorkers };
    const { signatures, ending } = await openFoundation(options, () => SILENT_LOG);
    const { max } = signatures.workerStats();
    await ending.run();
    return max;
  };
  assert.deepEqual([await most({}), await most({ signatureWorkers: 3 })], [1, 3]);
});

test('a step of the end that fails leaves no later step out', async (t) => {
  const home = temporaryFolder(t);
  const { ending } = await openFoundation({ home, workers: 1 }, () => SILENT_LOG);
  ending.add('the disk', () => Promise.reject(new Error('the disk is read-only')));
  await assert.rejects(ending.run(), /^AggregateError: the disk is read-only$/);
  // The home is free.
  await (await openFoundation({ home, workers: 1 }, () => SILENT_LOG)).ending.run();
});
