import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TEST_ACT } from '../support/act.ts';
import { NEAR_DISTANCE, NEAR_PAIRS_PROGRAM } from '../support/nearPairsAndDie.ts';
import {
  beginRun,
  closeNearPairSite,
  enrolSeeds,
  openNearPairSite,
  pairsByLoop,
  prepareHome,
  searchOf,
  storedPairs,
} from '../support/nearPairSite.ts';
import { seededRandom } from '../support/seed.ts';
import { temporaryFolder } from '../support/site.ts';

/** `VOUCH_KILLS=200` for the long run. */
const KILLS = Number(process.env.VOUCH_KILLS ?? 2);

test('kills during a duplicate search lose no near pair and revive no erased one', async (t) => {
  const home = temporaryFolder(t);
  await prepareHome(home);
  // Faces of duplicate detection are not erased here: each search has pairs to find.
  const first = await openNearPairSite(home);
  await enrolSeeds(first, 'duplicate', [1, 1, 2, 3, 3, 4]);
  await closeNearPairSite(first);
  const random = seededRandom(t);
  let portions = 0;
  let pairs = 0;
  for (let kill = 1; kill <= KILLS; kill += 1) {
    portions += await workUntilKilled(home, Math.floor(random() * 1e6), random() * 120);
    const site = await openNearPairSite(home);
    try {
      const near = new Set((await pairsByLoop(site, NEAR_DISTANCE)).map((pair) => JSON.stringify(pair)));
      for (const pair of await storedPairs(site)) assert.ok(near.has(JSON.stringify(pair)), `kill ${kill}`);
      const { storage, company } = site;
      const unfinished = await storage.duplicateRuns.unfinished(company.id);
      // Killed between the start of a run and the choice of its distance.
      if (unfinished?.maxDistance === null)
        await searchOf(site).change(company.id, unfinished.id, 'cancel', TEST_ACT);
      if (kill % 2 === 0) continue;
      // Otherwise the search goes on after the next start.
      const search = searchOf(site);
      search.start();
      await search.idle();
      await beginRun(site, 'new', NEAR_DISTANCE);
      search.wake();
      await search.idle();
      await search.stop();
      const stored = await storedPairs(site);
      assert.deepEqual(stored, await pairsByLoop(site, NEAR_DISTANCE), `kill ${kill}`);
      pairs += stored.length;
    } finally {
      await closeNearPairSite(site);
    }
  }
  assert.ok(portions > 0 && pairs > 0, 'it was killed while it compared faces');
});

/** Kills some milliseconds after the second portion: at no particular step of its work. @returns its portions */
async function workUntilKilled(home: string, seed: number, thenMs: number): Promise<number> {
  const child = spawn(process.execPath, [NEAR_PAIRS_PROGRAM, home, String(seed)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const gone = once(child, 'close');
  let said = '';
  const compared = new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.split('portion').length > 2) resolve();
    });
  });
  await Promise.race([compared, gone]);
  await sleep(thenMs);
  assert.equal(child.exitCode, null, 'it works until it is killed');
  child.kill('SIGKILL');
  await gone;
  return said.split('portion').length - 1;
}
