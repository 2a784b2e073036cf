import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CachedLookup } from './cachedLookup.ts';

test('what was read is read again only after a change', async () => {
  const stored = new Map([['a', 1]]);
  let reads = 0;
  const remembered = new CachedLookup<string, number>((key) => {
    reads++;
    return Promise.resolve(stored.get(key));
  });
  assert.deepEqual([await remembered.get('a'), await remembered.get('a'), reads], [1, 1, 1]);
  stored.set('a', 2);
  remembered.invalidate();
  assert.deepEqual([await remembered.get('a'), reads], [2, 2]);
  assert.deepEqual([await remembered.get('b'), await remembered.get('b'), reads], [undefined, undefined, 4]);
});

test('a value that was read before a change and arrives after it is not kept', async () => {
  let stored = 1;
  let deliver: () => void = () => undefined;
  const remembered = new CachedLookup<string, number>(() => {
    const read = stored;
    return new Promise((resolve) => {
      deliver = () => resolve(read);
    });
  });
  const early = remembered.get('a');
  stored = 2;
  remembered.invalidate();
  deliver();
  assert.equal(await early, 1);
  const late = remembered.get('a');
  deliver();
  assert.equal(await late, 2);
});
