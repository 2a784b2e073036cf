import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CodedError } from '../contracts/errors/problem.ts';
import { SILENT_LOG } from '../../test/support/fakes.ts';
import { startTimers } from './timers.ts';

const MINUTE = 60_000;

/** Ports of timers whose jobs do nothing, beside those of the test. */
const withIdle = (ports: object) =>
  ({
    audit: {
      head: () => Promise.resolve({ sequence: 1, hash: 'a' }),
      hashOf: () => Promise.resolve('a'),
      takeWritten: () => undefined,
    },
    anchors: {
      next: () => Promise.resolve(),
      read: () => Promise.resolve({ kept: [], external: { problem: null } }),
    },
    retention: { check: () => Promise.resolve() },
    backups: { checkSchedule: () => Promise.resolve() },
    faceListingService: { follow: () => Promise.resolve() },
    refreshKeys: () => Promise.resolve(),
    rowTotals: { lost: () => Promise.resolve([]), changed: () => Promise.resolve([]) },
    blacklistTransfer: { forgetUnused: () => Promise.resolve() },
    calibrationRuns: { forgetUnused: () => undefined },
    signatureCalibrationRuns: { forgetUnused: () => undefined },
    mosipLinks: { follow: () => Promise.resolve() },
    sweepOrphans: () => Promise.resolve(),
    leads: () => true,
    clock: { now: () => new Date() },
    log: SILENT_LOG,
    ...ports,
  }) as unknown as Parameters<typeof startTimers>[0];

test('rows that went back end the service within a minute, once', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  let lost: string[] = [];
  const ended: unknown[] = [];
  const end = startTimers(
    withIdle({
      rowTotals: { lost: () => Promise.resolve(lost), changed: () => Promise.resolve([]) },
      fail: ({ problem }: CodedError) => void ended.push(problem),
    }),
  );
  t.mock.timers.tick(MINUTE);
  await new Promise(setImmediate);
  assert.deepEqual(ended, []);
  lost = ['row_total (company_id 1)', 'row_total (company_id 2)'];
  for (let minute = 0; minute < 3; minute += 1) {
    t.mock.timers.tick(MINUTE);
    await new Promise(setImmediate);
  }
  assert.deepEqual(ended, [{ code: 'ROWS_WENT_BACK', parameters: { rows: lost.join('; ') } }]);
  await end();
});

test('periodic jobs run on time, one run at a time, and end', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const runs = { anchor: 0, retention: 0, sweep: 0, calibration: 0, signatures: 0, packages: 0, end: 0 };
  let hash = 'a';
  const slow = Promise.withResolvers<undefined>();
  const end = startTimers(
    withIdle({
      audit: {
        head: () => Promise.resolve({ sequence: 1, hash: 'a' }),
        hashOf: () => Promise.resolve(hash),
        takeWritten: () => undefined,
      },
      fail: () => {
        runs.end += 1;
      },
      anchors: {
        next: () => {
          runs.anchor += 1;
          return Promise.resolve();
        },
        read: () => Promise.resolve({ kept: [], external: { problem: null } }),
      },
      retention: {
        check: () => {
          runs.retention += 1;
          return slow.promise;
        },
      },
      blacklistTransfer: {
        forgetUnused: () => {
          runs.packages += 1;
          return Promise.resolve();
        },
      },
      calibrationRuns: { forgetUnused: () => void (runs.calibration += 1) },
      signatureCalibrationRuns: { forgetUnused: () => void (runs.signatures += 1) },
      sweepOrphans: () => {
        runs.sweep += 1;
        return Promise.reject(new Error('a disk that is gone'));
      },
    }),
  );
  assert.deepEqual(
    runs,
    { anchor: 0, retention: 1, sweep: 1, calibration: 0, signatures: 0, packages: 0, end: 0 },
    'the log was anchored at the opening',
  );
  t.mock.timers.tick(10 * MINUTE);
  await new Promise(setImmediate);
  assert.deepEqual(
    [runs.anchor, runs.retention, runs.sweep],
    [1, 1, 1],
    'a run that lasts is not begun again',
  );
  assert.ok(runs.calibration > 0 && runs.signatures > 0, 'calibrations that were left are forgotten');
  assert.ok(runs.packages > 0, 'received packages that were left are deleted');
  slow.resolve(undefined);
  await new Promise(setImmediate);
  t.mock.timers.tick(24 * 60 * MINUTE);
  assert.ok(runs.retention > 1 && runs.sweep === 2, 'a failed run is followed by the next one');
  await new Promise(setImmediate);
  assert.equal(runs.end, 0);
  hash = 'b';
  t.mock.timers.tick(MINUTE);
  await new Promise(setImmediate);
  assert.equal(runs.end, 1, 'a log that went back ends the service within a minute');
  await end();
  const ended = { ...runs };
  t.mock.timers.tick(24 * 60 * MINUTE);
  assert.deepEqual(runs, ended);
});
