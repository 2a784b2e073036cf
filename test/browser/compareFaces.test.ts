/** The screen that compares the faces of two photos. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

const { site, openPageAt } = await openHarness();

async function givePhotos(page: Page): Promise<void> {
  for (const name of ['First photo', 'Second photo'])
    await page
      .getByLabel(name)
      .locator('input[type=file]')
      .setInputFiles({ name: `${name}.png`, mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('button', { name: 'Compare faces' }).click();
}

test('two faces are compared with band, error rate and the compare view', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/compare');
  await page.getByText('Visitor 12').waitFor();
  await givePhotos(page);
  await page.getByText('Similar, but inconclusive.').waitFor();
  await page.getByText('About 1 in 42,000 pairs').waitFor();
  assert.equal(await page.locator('.compare-panes .pane-window').count(), 2);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'New comparison' }).click();
  assert.equal(await page.getByRole('button', { name: 'Compare faces' }).isDisabled(), true);
});

test('of several faces the operator chooses one in the photo', IN_BROWSER, async (t) => {
  site.behaviour.faces = 'several';
  const page = await openPageAt(t, '/compare');
  await givePhotos(page);
  await page.getByText('Several faces were found.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Face 2, quality 64' }).click();
  await page.getByText('Similar, but inconclusive.').waitFor();
  const chosen = page.getByRole('button', { name: 'Face 2, quality 64' });
  assert.equal(await chosen.getAttribute('aria-pressed'), 'true');
});
