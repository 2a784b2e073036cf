/** The dashboard on the real core with the real models, as its users go through it: each part in `walk/`. */
import { before, test } from 'node:test';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { run } from '../support/serviceProcess.ts';
import { findChromium } from './browser.ts';
import { buildDashboard } from './built.ts';
import { makeBlacklist } from './walk/blacklists.ts';
import { enrolFolder, enrolThroughPowerCut } from './walk/enrol.ts';
import { checkEveryPage, loadEveryPage } from './walk/everyPage.ts';
import { firstRun } from './walk/firstRun.ts';
import { decideByKeyboard, verifyKnownPeople } from './walk/review.ts';
import { searchPhotos } from './walk/search.ts';
import { lookAfterSystem } from './walk/system.ts';
import { readValidations } from './walk/validations.ts';
import { COMPANY, openWorld } from './walk/world.ts';

const options =
  findChromium() === undefined
    ? { skip: 'no Chromium on this machine: install one, or name it in VOUCH_CHROMIUM' }
    : { timeout: 240_000 };

/** Where a picture of the page goes when a part fails. */
const PICTURES = process.env.VOUCH_PICTURES;

before(async () => {
  if (findChromium() === undefined) return;
  await buildDashboard();
});

test('a day at the dashboard, from the first visit on', options, async (t) => {
  const world = await openWorld(t);
  // Each part stands on those before it: after one that failed there is nothing to learn.
  let failed = false;
  const part = async (name: string, walk: () => Promise<void>) => {
    await t.test(name, { skip: failed && 'a part before it failed' }, async () => {
      failed = true;
      await walk();
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
  await part('ten verifications need review', async () => {
    const flow = ['flow', 'create', 'Turnstiles', '--company', COMPANY, '--blacklist', '1'];
    const { stdout } = await run(world.home, ['--json', ...flow]);
    await verifyKnownPeople(world, (JSON.parse(stdout) as { id: number }).id);
  });
  await part('ten reviews are decided by keyboard alone', () => decideByKeyboard(world));
  await part('photos are searched', () => searchPhotos(world));
  await part('no page moves while it loads', () => loadEveryPage(world));
  await part('the system is looked after', () => lookAfterSystem(world));
  await part('in the dark and from right to left axe finds nothing on any page', () => checkEveryPage(world));
});
