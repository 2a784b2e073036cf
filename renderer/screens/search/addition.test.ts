import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BLACKLIST_STATUS, ITEM_STATUS } from '../../../core/contracts/codes.ts';
import { additionOf, additionState, hasSlash, offeredBlacklists, type AdditionProgress } from './addition.ts';

const IMAGE = {
  index: 0,
  itemId: 1,
  fileName: 'face.jpg',
  status: ITEM_STATUS.Pending as number,
  trustValidationId: null,
  faceId: null,
  failureCode: null,
  thumbnailUrl: null,
};
const sent: AdditionProgress = { isSending: false, uploadId: 'u', image: IMAGE, failed: false };

test('an addition needs a blacklist, a name without a slash and a photo', () => {
  const draft = { list: '12', name: ' Ada Brandt ', photo: 31 };
  assert.deepEqual(additionOf(draft), { blacklist: 12, name: 'Ada Brandt' });
  assert.equal(additionOf({ ...draft, list: null }), null);
  assert.equal(additionOf({ ...draft, name: '  ' }), null);
  assert.equal(additionOf({ ...draft, photo: undefined }), null);
  assert.equal(additionOf({ ...draft, name: 'a/b' }), null);
  assert.deepEqual(['a/b', 'a\\b', 'a-b'].map(hasSlash), [true, true, false]);
});

test('inactive blacklists and the one of the candidate are not offered', () => {
  const list = (name: string, status: number) => ({ name, status });
  const { Active, Inactive } = BLACKLIST_STATUS;
  const lists = [list('a', Active), list('b', Inactive), list('c', Active)];
  assert.deepEqual(offeredBlacklists(lists, 'c'), [list('a', Active)]);
  assert.equal(offeredBlacklists(lists, undefined).length, 2);
});

test('an addition is edited, sent, processed, and then enrolled or refused', () => {
  assert.deepEqual(additionState({ ...sent, uploadId: undefined, image: undefined }), { kind: 'editing' });
  assert.deepEqual(additionState({ ...sent, isSending: true }), { kind: 'sending' });
  assert.deepEqual(additionState({ ...sent, image: undefined }), { kind: 'processing', uploadId: 'u' });
  assert.deepEqual(additionState(sent), { kind: 'processing', uploadId: 'u' });
  const enrolled = { ...IMAGE, status: ITEM_STATUS.Enrolled };
  assert.deepEqual(additionState({ ...sent, image: enrolled }), { kind: 'enrolled', uploadId: 'u' });
  const refused = { ...IMAGE, status: ITEM_STATUS.Failed, failureCode: 'NO_FACE' as const };
  assert.deepEqual(additionState({ ...sent, image: refused }), { kind: 'refused', failureCode: 'NO_FACE' });
});

test('an upload that cannot be followed unlocks the form', () => {
  assert.deepEqual(additionState({ ...sent, failed: true }), { kind: 'editing' });
  assert.deepEqual(additionState({ ...sent, image: undefined, failed: true }), { kind: 'editing' });
});
