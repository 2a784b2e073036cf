import { problem } from '../../contracts/errors/problem.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchReport, type WatchReport } from '../../contracts/dashboard/folders.ts';
import { WatchReporter } from './reporter.ts';
import type { Outcome } from './watcher.ts';

const ENROLLED: Outcome = {
  path: 'anna.jpg',
  status: 'enrolled',
  trustValidationId: 7,
  reason: null,
  failureCode: null,
  cause: null,
  movedTo: 'done/anna.jpg',
};
const FAILED: Outcome = {
  ...ENROLLED,
  path: 'cut.jpg',
  status: 'failed',
  trustValidationId: null,
  reason: 'The file is damaged.',
  failureCode: 'CORRUPT_IMAGE',
};

function openReporter() {
  let now = Date.parse('2026-03-01T12:00:00.000Z');
  const sent: WatchReport[] = [];
  const problems: string[] = [];
  const service = { fails: false };
  const reporter = new WatchReporter({
    folder: '/srv/gate',
    send: (report) => {
      if (service.fails) return Promise.reject(new Error('gone'));
      sent.push(watchReport.parse(report));
      return Promise.resolve();
    },
    onProblem: (why) => problems.push(why),
    now: () => now,
  });
  return { reporter, sent, problems, service, pass: (milliseconds: number) => (now += milliseconds) };
}

test('files are counted, and the last one is reported with its result', async () => {
  const { reporter, sent, pass } = openReporter();
  await reporter.send();
  const left: Outcome = {
    ...FAILED,
    path: 'photo.part',
    status: 'left',
    failureCode: null,
    cause: 'unfinished',
  };
  for (const outcome of [left, ENROLLED, FAILED]) reporter.file(outcome);
  reporter.remaining(1);
  await reporter.send();
  assert.equal(sent.length, 1, 'at most one report a second');
  pass(1_000);
  await reporter.send();
  const { enrolled, failed, left: stays, lastFile, state } = sent[1]!;
  assert.deepEqual([enrolled, failed, stays, state], [1, 1, 1, 'watching']);
  assert.deepEqual([lastFile?.path, lastFile?.failureCode], ['cut.jpg', 'CORRUPT_IMAGE']);
  await reporter.stop(null);
  assert.deepEqual([sent[2]?.state, sent[2]?.id], ['stopped', sent[0]?.id]);
});

test('an unchanged folder is reported every ten seconds, and a wait at once', async () => {
  const { reporter, sent, pass } = openReporter();
  for (let second = 0; second < 21; second += 1) {
    await reporter.send();
    pass(1_000);
  }
  assert.equal(sent.length, 3);
  reporter.wait(problem('WATCH_QUEUE', { seconds: 5 }));
  await reporter.send();
  assert.deepEqual([sent[3]?.state, sent[3]?.problem?.code], ['waiting', 'WATCH_QUEUE']);
});

test('a service that takes no report is named once, and enrolment goes on', async () => {
  const { reporter, problems, service, pass } = openReporter();
  service.fails = true;
  for (let time = 0; time < 3; time += 1) {
    await reporter.send();
    pass(10_000);
  }
  assert.deepEqual(problems, ['The dashboard cannot show this folder: gone']);
});
