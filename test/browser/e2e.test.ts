/** The dashboard on a real service with the real models, step by step; the steps are in `e2e/`. */
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { findChromium } from './browser.ts';
import { buildDashboard } from './built.ts';
import { appendToStack, failureSnapshot } from './failureSnapshot.ts';
import { inviteReviewer, makeToken, revokeToken } from './e2e/access.ts';
import { verifyAuditLog } from './e2e/audit.ts';
import { makeBlacklist } from './e2e/blacklists.ts';
import { enrolFolder, enrolThroughPowerCut } from './e2e/enrol.ts';
import { showEveryPage } from './e2e/everyPage.ts';
import { transferBlacklists } from './e2e/blacklistTransfer.ts';
import { makeFlow } from './e2e/flows.ts';
import { firstRun } from './e2e/firstRun.ts';
import { readOverview } from './e2e/overview.ts';
import { changePipelines } from './e2e/pipelines.ts';
import { decideByKeyboard, verifyKnownPeople } from './e2e/review.ts';
import { searchPhotos } from './e2e/search.ts';
import { compareSignatures } from './e2e/signatures.ts';
import { operateSystem } from './e2e/system.ts';
import { readValidations } from './e2e/validations.ts';
import { openSession } from './e2e/session.ts';

const options =
  findChromium() === undefined
    ? { skip: 'no Chromium on this machine: install one, or name it in VOUCH_CHROMIUM' }
    : { timeout: 1_800_000 };

/** Where a picture of the page goes when a part fails. */
const PICTURES = process.env.VOUCH_PICTURES;

before(async () => {
  if (findChromium() === undefined) return;
  await buildDashboard();
});

test('a day at the dashboard, from the first visit on', options, async (t) => {
  const world = await openSession(t);
  // Each part stands on those before it: after one that failed there is nothing to learn.
  let failed = false;
  const part = async (name: string, walk: () => Promise<void>) => {
    await t.test(name, { skip: failed && 'a part before it failed' }, async () => {
      failed = true;
      try {
        await walk();
      } catch (error) {
        if (error instanceof Error) appendToStack(error, await failureSnapshot(world.page, world.complaints));
        throw error;
      }
      assert.deepEqual(world.complaints.splice(0), [], 'the page complained');
      failed = false;
    });
    if (failed && PICTURES !== undefined) await world.page.screenshot({ path: join(PICTURES, 'failed.png') });
  };
  await part('the site is set up', () => firstRun(world));
  await part('a folder is enrolled, with a photo that fails', () => enrolFolder(world));
  await part('the power goes in the middle of an upload', () => enrolThroughPowerCut(world));
  await part('validations are listed and filtered', () => readValidations(world));
  await part('a blacklist is made', () => makeBlacklist(world));
  await part('a list goes to another site, and one comes from there', () => transferBlacklists(world));
  let flow = 0;
  let token = '';
  await part('a Trust Flow is created and published', async () => {
    flow = await makeFlow(world);
  });
  await part('a program gets its token', async () => {
    token = await makeToken(world);
  });
  await part('four verifications need review', () => verifyKnownPeople(world, flow, token));
  await part('four reviews are decided by keyboard alone', () => decideByKeyboard(world));
  await part('photos are searched, and a face is added to a blacklist', () => searchPhotos(world));
  await part('signatures are compared', () => compareSignatures(world));
  await part('the overview counts what happened', () => readOverview(world));
  await part('a token is revoked', () => revokeToken(world, token));
  await part('a reviewer comes and goes', () => inviteReviewer(world));
  await part('the record is verified', () => verifyAuditLog(world));
  await part('another pipeline serves, and the first again', () => changePipelines(world));
  await part('no page moves while it comes, and axe finds nothing on those without a state', () =>
    showEveryPage(world),
  );
  await part('the system is looked after', () => operateSystem(world));
});
