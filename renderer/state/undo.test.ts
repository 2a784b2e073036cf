import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { undoStore } from './undo.ts';

beforeEach(() => undoStore.setState({ last: null, busy: false }));

test('a notice takes no offer of an undo away, and begins its time anew', async () => {
  const { offer, notify, undoLast } = undoStore.getState();
  const undone: string[] = [];
  offer('Face removed.', async () => {
    undone.push('face');
    await Promise.resolve();
  });
  const offered = undoStore.getState().last?.id ?? 0;
  notify('Saved.');
  notify('Saved again.');
  const { last } = undoStore.getState();
  assert.deepEqual([last?.text, last?.notice], ['Face removed.', 'Saved again.']);
  assert.ok((last?.id ?? 0) > offered, 'a new bar, with its whole time');
  await undoLast();
  assert.deepEqual(undone, ['face']);
  assert.equal(undoStore.getState().last?.undo, null);
  await undoLast();
  assert.deepEqual(undone, ['face'], 'once');
});

test('a notice of an undo itself stands alone', async () => {
  const { offer, notify, undoLast } = undoStore.getState();
  offer('Face removed.', async () => {
    notify('The face is back.');
    await Promise.resolve();
  });
  await undoLast();
  const { last } = undoStore.getState();
  assert.deepEqual([last?.text, last?.undo, last?.notice], ['The face is back.', null, undefined]);
});
