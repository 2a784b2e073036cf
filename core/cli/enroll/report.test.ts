import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import { progressLine, summaryLines, writeCsv } from './report.ts';
import type { Answer } from './run.ts';

const enrolled = (path: string): Answer => ({
  path,
  status: 'enrolled',
  trustValidationId: 7,
  failureCode: null,
  reason: null,
  sent: 'now',
});
const failed = (path: string): Answer => ({
  path,
  status: 'failed',
  trustValidationId: null,
  failureCode: 'TOO_DARK',
  reason: 'Image is too dark. Please use a photo with more light on the face.',
  sent: 'now',
});

test('the summary groups failures by reason, with what to do, the most frequent first', () => {
  const answers = [enrolled('a'), ...Array.from({ length: 7 }, (_, index) => failed(`dark ${index}`))];
  const lines = summaryLines(answers, [{ path: 'x.txt', reason: 'Not a JPEG or PNG image by its content.' }]);
  const text = lines.join('\n');
  assert.match(text, /^7 × Image is too dark\..*Add light on the face/m);
  assert.match(text, /… and 2 more/);
  assert.match(text, /1 × Not sent: Not a JPEG/);
  assert.equal(lines.at(-1), '1 enrolled, 7 failed, 1 not sent.');
});

test('a replaced photo is counted separately; a name with a line break is one line', () => {
  const changed: Answer = {
    ...enrolled('a\nb.jpg'),
    status: 'changed',
    reason: 'Changed since.',
    sent: 'before',
  };
  const again: Answer = { ...enrolled('c.jpg'), sent: 'again: changed' };
  const lines = summaryLines([changed, again], []);
  assert.ok(lines.includes('    a\\nb.jpg'), lines.join('|'));
  assert.ok(lines.includes('Sent again: 1, because the photos changed or --retry-failed was given.'));
  assert.equal(lines.at(-1), '1 enrolled, 0 failed, 1 changed since they were enrolled, 0 not sent.');
});

test('a file name cannot break the CSV, nor run as a formula in a spreadsheet', (t) => {
  const file = join(temporaryFolder(t), 'answers.csv');
  writeCsv(file, [enrolled('=HYPERLINK("x"),\r\n.jpg'), enrolled('plain.jpg')], []);
  const [head, first, ...rest] = readFileSync(file, 'utf8').split(/\r\n(?=[^.])/);
  assert.equal(head, '\ufefffile,status,trustValidationId,failureCode,reason,remedy,sent');
  assert.equal(first, `"'=HYPERLINK(""x""),\r\n.jpg",enrolled,7,,,,now`);
  assert.match(rest.join(''), /^plain\.jpg,enrolled,7,,,,now/);
});

test('the progress line shows counts, this run’s own rate and the time left', () => {
  const state = { total: 1000, enrolled: 490, failed: 10, before: 300 };
  const line = progressLine(state, 20);
  assert.match(line, /500\/1000 {2}490 enrolled, 10 failed {2}10\.0\/s {2}50 s left/);
  assert.match(progressLine({ ...state, enrolled: 290 }, 20), /– left/);
});
