import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { Answer } from '../../contracts/journals.ts';
import { Journal } from './journal.ts';

const answer = (path: string): Answer => ({
  path,
  status: 'enrolled',
  trustValidationId: 1,
  failureCode: null,
  reason: null,
});

test('what was sent and answered is known again after the end', (t) => {
  const file = join(temporaryFolder(t), 'folder', 'journal.jsonl');
  const first = new Journal(file);
  first.sent('one', ['a.jpg', 'b.jpg']);
  first.sent('two', ['c.jpg']);
  first.answered('one', [answer('a.jpg'), answer('b.jpg')]);
  first.close();
  const second = new Journal(file);
  t.after(() => {
    second.close();
  });
  assert.deepEqual([...second.answers.keys()], ['a.jpg', 'b.jpg']);
  assert.deepEqual([...second.open], [['two', ['c.jpg']]]);
});

test('a line that a crash cut anywhere is dropped, and what is written after it is read again', (t) => {
  const file = join(temporaryFolder(t), 'journal.jsonl');
  const whole = new Journal(file);
  whole.sent('one', ['a.jpg']);
  whole.close();
  const length = readFileSync(file).length;
  for (let cut = 1; cut < length; cut += 1) {
    truncateSync(file, length - cut);
    const again = new Journal(file);
    assert.equal(again.open.size, 0, `cut by ${cut}`);
    again.sent('one', ['a.jpg']);
    again.close();
    const last = new Journal(file);
    assert.deepEqual([...last.open.keys()], ['one']);
    last.close();
  }
});
