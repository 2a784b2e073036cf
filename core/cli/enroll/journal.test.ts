import assert from 'node:assert/strict';
import { readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../../../test/support/site.ts';
import type { JournalAnswer, SentPhoto } from '../../contracts/journals.ts';
import { Journal } from './run.ts';

const [A, B, C] = ['a', 'b', 'c'].map((letter): SentPhoto => ({
  photo: letter.repeat(32),
  bytes: 8,
  modified: 1,
  content: letter.repeat(32),
})) as [SentPhoto, SentPhoto, SentPhoto];

const answer = ({ photo }: SentPhoto): JournalAnswer => ({
  photo,
  status: 'enrolled',
  trustValidationId: 1,
  failureCode: null,
  reason: null,
});

test('a reopened journal has results, open batches and the time of a touched photo', (t) => {
  const file = join(temporaryFolder(t), 'folder', 'journal.jsonl');
  const first = new Journal(file);
  first.sending('one', [A, B]);
  first.sending('two', [C]);
  first.sent('one', 'upload');
  first.answered('one', [answer(A), answer(B)]);
  first.touched([{ ...B, modified: 2 }]);
  first.close();
  const second = new Journal(file);
  t.after(() => {
    second.close();
  });
  assert.deepEqual(
    [...second.known.values()],
    [
      { file: A, answers: [answer(A)] },
      { file: { ...B, modified: 2 }, answers: [answer(B)] },
    ],
  );
  assert.deepEqual([...second.open.values()], [{ key: 'two', files: [C] }]);
});

test('a line that a crash cut short is dropped, and the next step is read', (t) => {
  const file = join(temporaryFolder(t), 'journal.jsonl');
  const whole = new Journal(file);
  whole.sending('one', [A]);
  whole.close();
  const length = readFileSync(file).length;
  for (let cut = 1; cut < length; cut += 1) {
    truncateSync(file, length - cut);
    const again = new Journal(file);
    assert.equal(again.open.size, 0, `cut by ${cut}`);
    again.sending('one', [A]);
    again.close();
    const last = new Journal(file);
    assert.deepEqual([...last.open.keys()], ['one']);
    last.close();
  }
});
