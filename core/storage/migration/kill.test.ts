/**
 * `vouch migrate` is killed at random moments, in both directions: `npm run test:postgres core/storage/migration/kill.test.ts`,
 * with `VOUCH_KILLS=200` for a long run.
 */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  contents,
  contentsOfFile,
  filledHome,
  keyOf,
  withoutLog,
} from '../../../test/support/migratedHome.ts';
import { seededRandom } from '../../../test/support/seed.ts';
import { vouch } from '../../../test/support/serviceProcess.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../../../test/support/testServer.ts';
import { openKeysOf } from '../erasure/keyFile.ts';
import { homeCopies } from '../erasure/homeCopies.ts';
import type { Home } from '../engine/home.ts';
import { keptAddress } from '../engine/postgres/address.ts';
import { openPostgres } from '../engine/postgres/open.ts';
import { openDatabase } from '../engine/sqliteFile.ts';

const KILLS = Number(process.env.VOUCH_KILLS ?? 6);

/** Runs the command. @param killAfter milliseconds; undefined: to its end @returns whether it ended by itself, without an error */
async function migrate(home: Home, to: string, killAfter?: number): Promise<boolean> {
  const program = vouch(home.folder, ['migrate', '--to', to, '--yes']);
  let errors = '';
  program.stderr?.on('data', (text: Buffer) => (errors += text.toString()));
  const closed = once(program, 'close') as Promise<[code: number | null, signal: string | null]>;
  if (killAfter !== undefined) await Promise.race([sleep(killAfter), closed]);
  if (killAfter !== undefined) program.kill('SIGKILL');
  const [code, signal] = await closed;
  assert.ok(code === 0 || signal === 'SIGKILL', errors);
  return code === 0;
}

/** The rows of the database that the home uses, without the audit log. */
async function rowsInUse(t: TestContext, home: Home) {
  const address = keptAddress(home);
  if (address === undefined) return withoutLog(await contentsOfFile(home));
  // A database of SQLite describes the tables.
  const sqlite = await openDatabase(join(temporaryFolder(t), 'tables.db'), keyOf(home));
  const db = await openPostgres(address, keyOf(home));
  await openKeysOf(home, db);
  try {
    return withoutLog(await contents(sqlite, db));
  } finally {
    await db.destroy();
    await sqlite.destroy();
  }
}

/** Every database with rows is the one in use, or is named as a copy for the next erasure. */
async function requireNamed(home: Home, addresses: readonly string[]): Promise<void> {
  const used = keptAddress(home);
  const copies = (await homeCopies(home.folder)).map(({ name }) => name);
  const named = copies
    .filter((name) => name.endsWith('.url'))
    .map((name) => readFileSync(join(home.folder, name), 'utf8').trim());
  for (const address of addresses)
    assert.ok(address === used || named.includes(address), `${address} is not named: ${copies.join()}`);
  if (used !== undefined) assert.ok(!existsSync(home.database) || copies.length > 0, copies.join());
}

test(
  `killed ${KILLS} times, a migration loses no row and leaves no unnamed copy`,
  {
    skip: WITHOUT_SERVER,
    timeout: 3_600_000,
  },
  async (t) => {
    const home = await filledHome(t);
    const before = await rowsInUse(t, home);
    const random = seededRandom(t);
    const begun = performance.now();
    let address = newAddress();
    await migrate(home, address);
    const duration = performance.now() - begun;
    const used = [address];
    let kills = 0;
    let ended = 0;
    while (kills < KILLS) {
      const isBack = keptAddress(home) !== undefined;
      // Each way to the server has an empty database, unless the way before was cut off.
      if (!isBack && used.includes(address) && !existsSync(join(home.folder, 'migrating.url')))
        address = newAddress();
      if (await migrate(home, isBack ? 'sqlite' : address, random() * duration)) ended += 1;
      else kills += 1;
      if (!isBack && keptAddress(home) === address && !used.includes(address)) used.push(address);
      assert.deepEqual(await rowsInUse(t, home), before);
      await requireNamed(home, used);
    }
    t.diagnostic(`${ended} migrations ended before they were killed`);
    for (const to of keptAddress(home) === undefined ? [newAddress(), 'sqlite'] : ['sqlite', newAddress()])
      assert.ok(await migrate(home, to));
    assert.deepEqual(await rowsInUse(t, home), before);
  },
);
