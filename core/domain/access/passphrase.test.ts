import { test } from 'node:test';
import assert from 'node:assert/strict';
import { UnavailableError } from '../ports/machine.ts';
import { PassphraseHasher, passphraseProblems } from './passphrase.ts';

const CHEAP = { memory: 64, passes: 1, parallelism: 1 };

test('a passphrase matches its own hash and no other, whichever way its letters are composed', async () => {
  const hasher = new PassphraseHasher(CHEAP);
  const stored = await hasher.hash('crème brûlée at noon');
  assert.match(stored, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  assert.equal(await hasher.matches('crème brûlée at noon'.normalize('NFD'), stored), true);
  assert.equal(await hasher.matches('creme brulee at noon', stored), false);
  assert.notEqual(stored, await hasher.hash('crème brûlée at noon'));
});

test('nobody has a passphrase that matches', async () => {
  assert.equal(await new PassphraseHasher(CHEAP).matches('anything at all', undefined), false);
});

test('a hash that was made at another cost still matches', async () => {
  const stored = await new PassphraseHasher({ memory: 128, passes: 2, parallelism: 2 }).hash(
    'violet harbour 7',
  );
  assert.equal(await new PassphraseHasher(CHEAP).matches('violet harbour 7', stored), true);
});

test('a flood of sign-ins is turned away instead of taking the memory', async () => {
  const hasher = new PassphraseHasher(CHEAP);
  const flood = await Promise.allSettled(Array.from({ length: 100 }, () => hasher.hash('violet harbour 7')));
  const refused = flood.filter((one) => one.status === 'rejected');
  assert.ok(refused.length > 0);
  assert.ok(refused.every((one) => one.reason instanceof UnavailableError));
  assert.match(await hasher.hash('violet harbour 7'), /^\$argon2id/);
});

test('passphrases that are guessed first are refused, long ones of any kind are not', () => {
  const names = ['Ana Sousa', 'Northwind Bank'];
  for (const weak of [
    'short one',
    'aaaaaaaaaaaaaaa',
    'abababababababab',
    '123456789012345',
    'qwertyuiopasdfghjkl',
    'abcdefghijklmnop',
    'northwind bank',
    'ana sousa ana sousa',
    '            ',
  ])
    assert.notDeepEqual(passphraseProblems(weak, names), [], weak);
  for (const fair of [
    'violet harbour 7',
    'ana likes tall ships',
    'Nine;Green;Owls',
    '朝の港に船が三隻あった夏',
  ])
    assert.deepEqual(passphraseProblems(fair, names), [], fair);
});
