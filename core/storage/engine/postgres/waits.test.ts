/** A request that must wait is told so long before its connection is closed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { trusted } from '../../../contracts/ids.ts';
import { BOUNDS } from '../../../api/http/bounds.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { parseAddress, configOf, LONGEST_WAIT } from './address.ts';
import { ServerLocks } from './scopes.ts';

test('a transaction whose turn does not come is "unavailable", and never begins', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const locks = new ServerLocks('the database', {
    isAlone: undefined,
    tryLock: () => Promise.resolve(true),
  });
  const company = trusted.company(1);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const first = locks.inTurn(company, () => promise);
  let hasBegun = false;
  const second = locks.inTurn(company, () => {
    hasBegun = true;
    return Promise.resolve();
  });
  await turnOfLoop();
  const refused = assert.rejects(second, UnavailableError);
  t.mock.timers.tick(LONGEST_WAIT);
  await refused;
  resolve(undefined);
  await first;
  await locks.inTurn(company, () => Promise.resolve());
  assert.equal(hasBegun, false);
});

test('the waits for a turn, a connection and a lock end before a silent request does', () => {
  const config = configOf(parseAddress('postgres://vouch@127.0.0.1/vouch'));
  const waits = [LONGEST_WAIT, config.connectionTimeoutMillis ?? Infinity, Number(config.lock_timeout)];
  assert.ok(waits.reduce((sum, wait) => sum + wait) < BOUNDS.idle);
  assert.ok(Math.max(...waits) <= 20_000, 'a caller learns soon that a retry helps');
});
