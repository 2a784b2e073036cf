/** Duplicates and persons in the dashboard: search, decide by keyboard, undo, stale groups, a sample, and a merge. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { eventually, focused, hasCount } from './browser.ts';
import { faceOf, GROUPS } from './fixtureDuplicates.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('a duplicate search states its false alarms, runs, and is paused', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/duplicates');
  await page.getByText('1,240 near pairs found.').waitFor();
  await page.getByText('About 60 expected by chance (95%: 45 – 78; extrapolated).').waitFor();
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await page.getByText('About 100 people who are enrolled only once').waitFor();
  await page.getByLabel('False alarms').selectOption('10000');
  await page.getByText('About 10 people who are enrolled only once').waitFor();
  await page.getByRole('button', { name: 'Start search' }).click();
  await page.getByRole('heading', { name: 'Searching for duplicates' }).waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByRole('heading', { name: 'Search paused. Found pairs are kept.' }).waitFor();
  assert.equal(site.duplicates.run.oneIn, 10_000);
});

test('the overview counts the groups that wait and leads to them', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/');
  const groups = page.getByRole('link', { name: 'new groups of possible duplicates' });
  await groups.filter({ hasText: String(GROUPS.length) }).click();
  await page.waitForURL('**/duplicates');
  for (const { id } of GROUPS) site.duplicates.decided.set(id, 'same');
  await page.goto('/');
  await page.locator('.waiting-number').first().waitFor();
  await hasCount(groups, 0);
});

test('groups are decided and undone by keyboard', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/duplicates');
  await page.getByRole('status').getByText('Last search:').waitFor();
  await page.getByRole('row', { name: /Identical photos/ }).click();
  await page.getByRole('heading', { name: 'Group 301' }).waitFor();
  await page.keyboard.press('s');
  await page.getByRole('heading', { name: 'Group 302' }).waitFor();
  await page.keyboard.press('u');
  await page.getByRole('heading', { name: 'Group 303' }).waitFor();
  await page.keyboard.press('z');
  await page.getByRole('heading', { name: 'Group 302' }).waitFor();
  assert.deepEqual([...site.duplicates.decided], [[301, 'same']]);
  // A part of the group is split off.
  await page.getByRole('checkbox', { name: 'Select the photo of Leïla Brandt' }).check();
  await page.getByRole('checkbox', { name: 'Select the photo of leïla-brandt-3.jpg' }).check();
  await page.getByRole('button', { name: 'Split off 2 selected photos' }).press('Enter');
  await page.getByRole('heading', { name: 'Group 303' }).waitFor();
  assert.notEqual(await focused(page), 'body');
  assert.deepEqual(site.duplicates.decisions.at(-1), {
    group: 302,
    version: 1,
    about: { kind: 'split', together: [20, 22] },
    decision: 'same',
    reason: null,
  });
});

test('a waiting decision names its operator, and a different operator confirms it', IN_BROWSER, async (t) => {
  site.duplicates.awaiting = { group: 303, by: 'operator:1' };
  const page = await openPageAt(t, '/duplicates/303');
  await page.getByText('You decided “Same person”.', { exact: false }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Same person' }).isDisabled(), true);
  site.duplicates.awaiting = { group: 303, by: 'operator:2' };
  await page.reload();
  await page.getByText('Awaiting confirmation by a different operator').waitFor();
  await hasCount(page.getByText('The decision concerns'), 0);
  site.duplicates.awaiting = { group: 303, by: 'operator:2', photos: 2 };
  await page.reload();
  const part = page.getByText('The decision concerns 2 photos; the group has 3. Of this group: ');
  await part.waitFor();
  for (const photo of [0, 1]) assert.ok((await part.innerText()).includes(faceOf(3, photo).name));
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Confirm: same person' }).click();
  await page.getByText('Group 303: same person').waitFor();
  const about = { kind: 'confirm', decision: 303 };
  const sent = { group: 303, version: 1, about, decision: 'same', reason: null };
  assert.deepEqual(site.duplicates.decisions.at(-1), sent);
});

test('a decision about a changed group is not stored, and says so', IN_BROWSER, async (t) => {
  site.duplicates.changedMeanwhile = 304;
  const page = await openPageAt(t, '/duplicates/304');
  await page.getByRole('button', { name: 'Different persons' }).click();
  await page.getByText('The group has changed in the meantime.').waitFor();
  assert.deepEqual(site.duplicates.decisions, []);
  // The current state is on screen, and can be decided.
  await page.getByRole('button', { name: 'Different persons' }).click();
  await page.getByRole('heading', { name: 'Group 305' }).waitFor();
  assert.deepEqual([...site.duplicates.decided], [[304, 'different']]);
});

/** Answers the shown pairs of a sample up to one. */
async function answerTo(page: Page, step: number): Promise<void> {
  const isAt = async (wanted: number) => (await page.getByText(`${wanted} of 6`).count()) > 0;
  for (let next = 2; next <= step; next += 1) {
    await eventually(() =>
      page.locator('.sample-faces img').evaluateAll((images) => {
        if (!images.every((image) => image instanceof HTMLImageElement && image.complete))
          throw new Error('loading');
      }),
    );
    await eventually(async () => {
      if (await isAt(next)) return;
      await page.keyboard.press('s');
      assert.ok(await isAt(next));
    });
  }
}

test('groups are accepted in bulk only after a sample without an error', IN_BROWSER, async (t) => {
  site.duplicates.wrongInSample = 2;
  const page = await openPageAt(t, '/duplicates/sample');
  await page.getByLabel('Groups to check').getByText('All 5 groups').waitFor({ state: 'attached' });
  await page.getByRole('button', { name: 'Start sample' }).click();
  await answerTo(page, 3);
  assert.equal(await page.getByText('Jonas').count(), 0);
  assert.deepEqual(await axeViolations(page), []);
  // The last answer can be taken back, once, and the photos can be enlarged.
  await page.keyboard.press('z');
  await page.getByText('2 of 6').waitFor();
  await page.getByRole('button', { name: 'Zoom in' }).click();
  await page.getByText('125%').waitFor();
  await hasCount(page.getByRole('button', { name: 'Back', disabled: true }), 1);
  await answerTo(page, 4);
  // The wrong answer is sent with the next one.
  await eventually(async () => {
    await page.keyboard.press('s');
    await page.getByText('The sample contains an error').waitFor({ timeout: 500 });
  });
  await hasCount(page.getByRole('button', { name: /^Accept/ }), 0);
});

test('a bulk accept is undone as one', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/duplicates/sample');
  await page.getByRole('button', { name: 'Start sample' }).click();
  await answerTo(page, 6);
  await eventually(async () => {
    await page.keyboard.press('s');
    await page.getByText('All pairs are answered').waitFor({ timeout: 500 });
  });
  await page.getByRole('button', { name: 'Finish sample' }).click();
  await page.getByText('No error in').waitFor();
  await page.getByRole('button', { name: 'Accept 5 groups' }).click();
  await page.getByText('4 groups accepted.').waitFor();
  assert.equal(site.duplicates.decided.size, 4);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Undo bulk accept' }).click();
  await page.getByText('4 decisions undone.').waitFor();
  assert.equal(site.duplicates.decided.size, 0);
  await hasCount(page.getByRole('button', { name: 'Undo bulk accept' }), 0);
});

test('a sample starts only where a group without any decision is left', IN_BROWSER, async (t) => {
  for (const { id } of GROUPS) site.duplicates.decided.set(id, 'unsure');
  const page = await openPageAt(t, '/duplicates/sample');
  await page.getByText('No undecided groups match these choices.').waitFor();
  assert.equal(await page.getByRole('button', { name: 'Start sample' }).isDisabled(), true);
});

test('z says so where nothing can be undone', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/duplicates/303');
  await page.getByRole('heading', { name: 'Group 303' }).waitFor();
  await eventually(async () => {
    await page.keyboard.press('z');
    await page.getByText('There is nothing to undo.').waitFor({ timeout: 500 });
  });
});

test('a list without groups says that a search is not complete', IN_BROWSER, async (t) => {
  for (const { id } of GROUPS) site.duplicates.decided.set(id, 'same');
  site.duplicates.run = { ...site.duplicates.run, state: 'paused' };
  const page = await openPageAt(t, '/duplicates');
  await page.getByText('A search is not complete yet.').waitFor();
  await hasCount(page.getByText('Every proposed group is decided.'), 0);
});

test('two persons are shown before they are merged', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons/21');
  await page.getByRole('button', { name: 'Merge with another person' }).click();
  assert.equal(await focused(page), 'input ', 'the search has the focus');
  await page.getByRole('dialog').getByRole('button', { name: /Priya/ }).click();
  await page.getByRole('button', { name: 'Swap direction' }).click();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: /^Merge into Priya/ }).click();
  await page.getByText(/^Persons merged into Priya/).waitFor();
  assert.deepEqual(site.persons.changes, [
    { route: 'POST /persons/22/merge/21', sent: { version: 1, sourceVersion: 1 } },
  ]);
});

test('the page of a person leads to its hits, and merges the most similar one', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons/21');
  const panel = page.getByRole('complementary', { name: 'Person 21' });
  for (const name of ['Photos', 'Verifications', 'Blacklist matches', 'Duplicates detected', 'History'])
    await panel.getByRole('region', { name, exact: true }).waitFor();
  await panel.getByText(/^undone \d/).waitFor();
  await panel.getByRole('link', { name: 'Show in Validations' }).first().click();
  await page.waitForURL(/\/validations\?.*person=21/);
  await page.getByRole('search').getByRole('link', { name: 'Omar Evans' }).click();
  await page.waitForURL('**/persons/21');
  await panel.getByRole('region', { name: 'Most similar persons' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await panel.getByRole('button', { name: /^Merge with Sofia/ }).click();
  await page.getByRole('button', { name: /^Merge into Omar/ }).click();
  await page.getByText(/^Persons merged into Omar/).waitFor();
  assert.deepEqual(site.persons.changes, [
    { route: 'POST /persons/21/merge/24', sent: { version: 1, sourceVersion: 1 } },
  ]);
});

test('several photos of a person are moved in one step', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons/22');
  const photos = page.getByRole('region', { name: 'Photos', exact: true });
  for (const index of [0, 1]) await photos.getByRole('checkbox').nth(index).check();
  await photos.getByRole('button', { name: 'Move to another person' }).click();
  await photos.getByRole('button', { name: /Omar/ }).click();
  await page.getByText('2 photos moved to Omar Evans').first().waitFor();
  const [change] = site.persons.changes;
  assert.equal(change?.route, 'POST /persons/22/move');
  await page.getByRole('button', { name: 'Undo', exact: true }).waitFor();
});
