import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { JournalAnswer } from '../../contracts/journals.ts';
import { Journal } from './journal.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter) => letter.repeat(32)) as [string, string, string];

const answer = (photo: string): JournalAnswer => ({
  photo,
  status: 'enrolled',
  trustValidationId: 1,
  failureCode: null,
  reason: null,
});

test('what was sent and answered is known again after the end', (t) => {
  const file = join(temporaryFolder(t), 'folder', 'journal.jsonl');
  const first = new Journal(file);
  first.sent('one', [A, B]);
  first.sent('two', [C]);
  first.answered('one', [answer(A), answer(B)]);
  first.close();
  const second = new Journal(file);
  t.after(() => {
    second.close();
  });
  assert.deepEqual([...second.answers.keys()], [A, B]);
  assert.deepEqual([...second.open], [['two', [C]]]);
});

test('a line that a crash cut anywhere is dropped, and what is written after it is read again', (t) => {
  const file = join(temporaryFolder(t), 'journal.jsonl');
  const whole = new Journal(file);
  whole.sent('one', [A]);
  whole.close();
  const length = readFileSync(file).length;
  for (let cut = 1; cut < length; cut += 1) {
    truncateSync(file, length - cut);
    const again = new Journal(file);
    assert.equal(again.open.size, 0, `cut by ${cut}`);
    again.sent('one', [A]);
    again.close();
    const last = new Journal(file);
    assert.deepEqual([...last.open.keys()], ['one']);
    last.close();
  }
});
