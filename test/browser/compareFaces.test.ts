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
  await givePhotos(page);
  await page.getByText('strong support for one person').waitFor();
  await page.getByText('About 1 in 300,000 pairs').waitFor();
  assert.equal(await page.locator('.compare-panes .pane-window').count(), 2);
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'New comparison' }).click();
  assert.equal(await page.getByRole('button', { name: 'Compare faces' }).isDisabled(), true);
});

test('the tools of a comparison keep their width in a centred column', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/compare');
  await givePhotos(page);
  const tools = page.getByRole('toolbar', { name: 'Comparison view' });
  await tools.waitFor();
  await page.evaluate("document.querySelector('.compare').style.alignItems = 'center'");
  const width = (await tools.boundingBox())?.width ?? 0;
  assert.ok(width > 200, `${width} px`);
});

test('of several faces the operator chooses one in the photo', IN_BROWSER, async (t) => {
  site.behaviour.faces = 'several';
  const page = await openPageAt(t, '/compare');
  await givePhotos(page);
  await page.getByText('Several faces were found.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'Face 2, quality 64' }).click();
  await page.getByText('strong support for one person').waitFor();
  const chosen = page.getByRole('button', { name: 'Face 2, quality 64' });
  assert.equal(await chosen.getAttribute('aria-pressed'), 'true');
});

test('the history of face comparisons is filtered, and a record opens', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/compare');
  await page.getByRole('link', { name: 'Comparison history' }).click();
  await page.getByText('340 comparisons').waitFor();
  await page.getByLabel('Compared by').selectOption({ label: 'a program (token:2)' });
  await page.waitForURL(/credential=token/);
  await page.getByText('113 comparisons').waitFor();
  await page.getByLabel('Band').selectOption('Inconclusive');
  await page.getByText('28 comparisons').waitFor();
  await page.getByText('Visitor 23', { exact: true }).click();
  await page.getByRole('heading', { name: 'Comparison 12' }).waitFor();
  await page.getByText('No face detected in the image.', { exact: false }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('link', { name: 'Show reference' }).click();
  await page.getByText('1 comparison', { exact: true }).waitFor();
});
