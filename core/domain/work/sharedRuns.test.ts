import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SharedRuns } from './turns.ts';

function controlled() {
  const begun: PromiseWithResolvers<undefined>[] = [];
  const runs = new SharedRuns<string>(() => {
    const run = Promise.withResolvers<undefined>();
    begun.push(run);
    return run.promise;
  });
  return { runs, begun };
}

const turn = () => new Promise(setImmediate);

test('callers of one moment share a run; those of a running one share the next', async () => {
  const { runs, begun } = controlled();
  const first = [runs.run('a'), runs.run('a')];
  await turn();
  assert.equal(begun.length, 1);
  const later = [runs.run('a'), runs.run('a'), runs.run('a')];
  await turn();
  assert.equal(begun.length, 1, 'a run that began before a call does not serve it');
  begun[0]!.resolve(undefined);
  await Promise.all(first);
  await turn();
  assert.equal(begun.length, 2);
  begun[1]!.resolve(undefined);
  await Promise.all(later);
  const afterwards = runs.run('a');
  await turn();
  begun[2]!.resolve(undefined);
  await afterwards;
});

test('a failure reaches its own callers alone, and keys do not wait for each other', async () => {
  const { runs, begun } = controlled();
  const failing = assert.rejects(runs.run('a'), /full/);
  const other = runs.run('b');
  await turn();
  const next = runs.run('a');
  begun[0]!.reject(new Error('full'));
  begun[1]!.resolve(undefined);
  await Promise.all([failing, other]);
  await turn();
  begun[2]!.resolve(undefined);
  await next;
});
