import { test } from 'node:test';
import assert from 'node:assert/strict';
import { countsOfAddress, UnknownNames } from './attempts.ts';
import { CRYPTO } from '../../platform/platform.ts';

const NOON = new Date('2026-03-01T12:00:00Z');

test('an unknown name waits by the same rules, per address and over all addresses', () => {
  const names = new UnknownNames();
  const at = countsOfAddress(CRYPTO, '10.0.0.1');
  for (let tries = 0; tries < 5; tries += 1) assert.equal(names.begin('ana', at, NOON), undefined);
  assert.deepEqual(names.begin('ana', at, NOON), new Date(NOON.getTime() + 30_000));
  assert.equal(names.begin('bea', at, NOON), undefined, 'another name');
  let tries = 5;
  for (
    let host = 2;
    names.begin('ana', countsOfAddress(CRYPTO, `10.0.0.${host}`), NOON) === undefined;
    host += 1
  )
    tries += 1;
  assert.equal(tries, 100);
});

test('typed names take a bounded amount of memory: the oldest is forgotten', () => {
  const names = new UnknownNames();
  const at = countsOfAddress(CRYPTO, '10.0.0.1');
  for (let tries = 0; tries < 6; tries += 1) names.begin('first', at, NOON);
  assert.notEqual(names.begin('first', at, NOON), undefined);
  for (let index = 0; index < 16_384; index += 1) names.begin(`name ${index}`, at, NOON);
  assert.equal(names.begin('first', at, NOON), undefined);
});
