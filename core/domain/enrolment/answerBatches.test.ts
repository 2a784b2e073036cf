import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId, UploadItemId } from '../../contracts/ids.ts';
import type { ItemAnswer, LeasedItem } from '../ports/uploads.ts';
import { AnswerBatches } from './dispatcher.ts';

const [ONE, OTHER] = [1 as CompanyId, 2 as CompanyId];

function answer(id: number, companyId = ONE): ItemAnswer {
  return { item: { id: id as UploadItemId, companyId } as LeasedItem, failed: { code: 'NO_FACE' } };
}

/** @param refused items that make their transaction fail */
function batches(refused: readonly number[] = []) {
  const transactions: number[][] = [];
  let elapse: () => void = () => assert.fail('no timer runs');
  const made = new AnswerBatches({
    queue: {
      commit(company, answers) {
        const ids = answers.map(({ item }) => item.id);
        assert.ok(answers.every(({ item }) => item.companyId === company));
        transactions.push(ids);
        if (ids.some((id) => refused.includes(id))) return Promise.reject(new Error(`refused ${ids.join()}`));
        return Promise.resolve(ids.map((id) => ({ faceId: id }) as never));
      },
    },
    clock: { now: () => new Date(0) },
    timer: {
      after(_, work) {
        elapse = work;
        return () => (elapse = () => undefined);
      },
    },
  });
  return { made, transactions, elapse: () => elapse() };
}

test('answers of a company are written together when their time is over', async () => {
  const { made, transactions, elapse } = batches();
  const written = [made.add(answer(1)), made.add(answer(2)), made.add(answer(3, OTHER))];
  assert.deepEqual(transactions, []);
  elapse();
  assert.deepEqual(await Promise.all(written), [{ faceId: 1 }, { faceId: 2 }, { faceId: 3 }]);
  assert.deepEqual(transactions, [[1, 2], [3]]);
});

test('sixteen answers wait for no timer, and nothing is written twice', async () => {
  const { made, transactions, elapse } = batches();
  const ids = Array.from({ length: 17 }, (_, index) => index + 1);
  const written = ids.map((id) => made.add(answer(id)));
  await Promise.all(written.slice(0, 16));
  assert.deepEqual(transactions, [ids.slice(0, 16)]);
  elapse();
  await written[16];
  made.flush();
  assert.deepEqual(transactions, [ids.slice(0, 16), [17]]);
});

test('an answer that cannot be written fails alone', async () => {
  const { made, transactions } = batches([2]);
  const written = [1, 2, 3].map((id) => made.add(answer(id)));
  made.flush();
  const results = await Promise.allSettled(written);
  assert.deepEqual(
    results.map(({ status }) => status),
    ['fulfilled', 'rejected', 'fulfilled'],
  );
  assert.deepEqual(transactions, [[1, 2, 3], [1], [2], [3]]);
});
