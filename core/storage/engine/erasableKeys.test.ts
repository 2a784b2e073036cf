import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import type { FaceId } from '../../contracts/ids.ts';
import { ErasableKeys, leafOfFace, leafOfNewCell, type Leaf } from './erasableKeys.ts';

const faces = (...ids: number[]) => ids.map((id) => leafOfFace(id as FaceId));
const keyOf = (keys: ErasableKeys, leaf: Leaf) =>
  keys.of(leaf) && Buffer.from(keys.of(leaf)!).toString('hex');
/** As another service reads them. */
const again = (keys: ErasableKeys) => ErasableKeys.parse(keys.toBytes());

test('every face and photo has a key, and it stays until it is destroyed', () => {
  const keys = ErasableKeys.fresh();
  const leaves = [
    ...faces(1, 2, 3, 1000, 2 ** 47, ...Array.from({ length: 200 }, () => randomInt(2 ** 40))),
    ...Array.from({ length: 200 }, leafOfNewCell),
  ];
  const before = new Map(leaves.map((leaf) => [leaf, keyOf(keys, leaf)]));
  assert.equal(new Set(before.values()).size, leaves.length);
  const gone = new Set(leaves.filter((_, i) => i % 3 === 0));
  assert.ok(keys.destroy([...gone]));
  assert.ok(!keys.destroy([...gone]), 'nothing is left to destroy');
  for (const each of [keys, again(keys)])
    for (const leaf of leaves) {
      assert.equal(keyOf(each, leaf), gone.has(leaf) ? undefined : before.get(leaf));
      assert.equal(each.isDestroyed(leaf), gone.has(leaf));
    }
});

test('a destroyed key cannot be computed from what is kept', () => {
  const keys = ErasableKeys.fresh();
  const [leaf] = faces(5);
  const path = keyOf(keys, leaf!)!;
  const root = keys.toBytes().subarray(11).toString('hex');
  keys.destroy([leaf!]);
  const kept = keys.toBytes().toString('hex');
  assert.ok(!kept.includes(path) && !kept.includes(root));
});

test('neighbours that are destroyed one by one share what is kept', () => {
  const keys = ErasableKeys.fresh();
  keys.destroy(faces(1));
  const one = keys.toBytes().length;
  for (let id = 2; id <= 1000; id += 1) keys.destroy(faces(id));
  assert.ok(keys.toBytes().length <= one, 'a thousand need no more room than one');
});

test('the highest number of an erased face is known', () => {
  const keys = ErasableKeys.fresh();
  assert.equal(keys.lastFace(), 0);
  keys.destroy([leafOfNewCell()]);
  assert.equal(keys.lastFace(), 0);
  keys.destroy(faces(7, 3));
  assert.equal(again(keys).lastFace(), 7);
  keys.destroy(faces(8, 2 ** 40));
  assert.equal(keys.lastFace(), 2 ** 40);
});
