import { test } from 'node:test';
import assert from 'node:assert/strict';
import { argon2id } from '../../platform/argon2.ts';
import { PLATFORM } from '../../platform/platform.ts';
import { UnavailableError } from '../ports/machine.ts';
import { passphraseProblems } from '../../contracts/dashboard/session.ts';
import { PassphraseHasher } from './passphrase.ts';

const CHEAP = { ...PLATFORM, hashing: argon2id({ memory: 64, passes: 1, parallelism: 1 }) };

const UNTRUSTED = { address: '127.0.0.1', trusted: false };

function compare(hasher: PassphraseHasher, passphrase: string, stored: string): Promise<boolean> {
  return hasher.inTurn(UNTRUSTED, (matches) => matches(passphrase, stored));
}

test('a passphrase matches its own hash only, however its characters are composed', async () => {
  const hasher = new PassphraseHasher(CHEAP);
  const stored = await hasher.hash('crème brûlée at noon');
  assert.match(stored, /^\$argon2id\$v=19\$m=64,t=1,p=1\$/);
  assert.equal(await compare(hasher, 'crème brûlée at noon'.normalize('NFD'), stored), true);
  assert.equal(await compare(hasher, 'creme brulee at noon', stored), false);
  assert.notEqual(stored, await hasher.hash('crème brûlée at noon'));
});

test('a hash that was made at another cost still matches', async () => {
  const stored = await argon2id({ memory: 128, passes: 2, parallelism: 2 }).hash('violet harbour 7');
  assert.equal(await compare(new PassphraseHasher(CHEAP), 'violet harbour 7', stored), true);
});

/** Holds both turns until it is released, so that the order of those who wait can be seen. */
async function busyHasher(): Promise<{ hasher: PassphraseHasher; release: () => void }> {
  const hasher = new PassphraseHasher(CHEAP);
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const begun = Array.from({ length: 2 }, () => Promise.withResolvers<undefined>());
  for (const each of begun)
    void hasher.inTurn({ address: 'holder', trusted: true }, () => {
      each.resolve(undefined);
      return held;
    });
  await Promise.all(begun.map(({ promise }) => promise));
  return { hasher, release: () => release(undefined) };
}

test('a flood is turned away before its work begins, and later sign-ins are served', async () => {
  const { hasher, release } = await busyHasher();
  let begun = 0;
  const flood = Array.from({ length: 100 }, () =>
    hasher.inTurn(UNTRUSTED, () => Promise.resolve((begun += 1))),
  );
  const settled = Promise.allSettled(flood);
  await Promise.resolve();
  assert.equal(begun, 0);
  release();
  const refused = (await settled).filter((one) => one.status === 'rejected');
  assert.equal(refused.length, 68);
  assert.ok(refused.every((one) => one.reason instanceof UnavailableError));
  assert.equal(begun, 32, 'a refused request did no work');
  assert.match(await hasher.hash('violet harbour 7'), /^\$argon2id/);
});

test('turns rotate over addresses; authenticated clients are never displaced', async () => {
  const { hasher, release } = await busyHasher();
  const served: string[] = [];
  const ask = (address: string, trusted = false) =>
    hasher
      .inTurn({ address, trusted }, () => {
        served.push(address);
        return Promise.resolve();
      })
      .catch(() => served.push(`no turn for ${address}`));
  const all = Array.from({ length: 32 }, () => ask('flood'));
  all.push(ask('quiet'), ask('quiet'), ask('known', true), ask('flood'));
  release();
  await Promise.all(all);
  assert.deepEqual(
    served.filter((one) => one.startsWith('no turn')),
    Array(4).fill('no turn for flood'),
  );
  const turns = served.filter((one) => !one.startsWith('no turn'));
  assert.equal(turns[0], 'known');
  assert.ok(turns.indexOf('quiet') <= 2, turns.slice(0, 6).join());
});

test('a name without an operator is answered without a turn', async () => {
  const hasher = new PassphraseHasher(CHEAP);
  await hasher.pretend();
  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const busy = Array.from({ length: 10 }, () => hasher.inTurn(UNTRUSTED, () => held));
  await hasher.pretend();
  release(undefined);
  await Promise.all(busy);
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
