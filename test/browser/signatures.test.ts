import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { follow, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

const { site, openPageAt } = await openHarness();

/** Puts an image on both sides, with the real first bytes and a picture that the browser can show. */
async function giveSignatures(page: Page): Promise<void> {
  for (const name of ['First signature', 'Second signature'])
    await page
      .getByLabel(name)
      .locator('input[type=file]')
      .setInputFiles({
        name: `${name}.png`,
        mimeType: 'image/png',
        buffer: PIXEL,
      });
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.locator('.signature-result').waitFor();
}

test(
  'a comparison says similar or not, never forged, and overlays the aligned ink',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/signatures');
    await giveSignatures(page);
    await page.getByText('Possible Match', { exact: true }).first().waitFor();
    await page.getByText(/below the threshold of Match\..*A person decides\./).waitFor();
    await page.getByText('Extracted ink').click();
    await page.getByText('Cleaned ink in grey').waitFor();
    await page.getByText('Aligned overlay').click();
    await page.getByText('Visual aid, not evidence.').waitFor();
    await hasCount(page.locator('.pane-window img'), 2);
    assert.doesNotMatch(
      await page.locator('main').innerText(),
      /forge|genuine signature|identity confirmed/i,
    );
  },
);

test(
  'an image without a usable signature says why, and nothing is marked on the scale',
  IN_BROWSER,
  async (t) => {
    site.behaviour.verdict = 'INCONCLUSIVE';
    const page = await openPageAt(t, '/signatures');
    await giveSignatures(page);
    await page.getByText('the image is blank').waitFor();
    await hasCount(page.locator('.likeness .score-mark'), 0);
  },
);

test(
  'known signatures are added, removed by key, compared and overlaid one by one',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/signatures/known');
    const files = (names: readonly string[]) =>
      names.map((name) => ({ name, mimeType: 'image/png', buffer: PIXEL }));
    await page
      .getByLabel('Questioned signature')
      .locator('input[type=file]')
      .setInputFiles(files(['q.png']));
    const known = page.getByLabel('Known signatures', { exact: true });
    const names = Array.from({ length: 11 }, (_, i) => `k${i + 1}.png`);
    await known.locator('input[type=file]').setInputFiles(files(names));
    await page.getByText('10 known signatures', { exact: true }).waitFor();
    await page.getByText(/at most 10 known signatures: k11\.png/).waitFor();
    await page.getByRole('button', { name: 'Remove known signature 2' }).focus();
    for (let left = 10; left > 5; left -= 1) {
      await page.keyboard.press('Delete');
      await page.getByText(`${left - 1} known signatures`, { exact: true }).waitFor();
    }
    assert.match((await page.locator(':focus').getAttribute('aria-label')) ?? '', /^Remove known signature/);
    await page.getByRole('button', { name: 'Compare', exact: true }).click();
    await page.getByText('Weak support for the known writer').waitFor();
    await page.getByText('Likelihood ratio 6.6. The validation supports values from 1/12 to 12.').waitFor();
    await page.getByText(/accounts for disguise, age, illness/).waitFor();
    await page.getByText('Aligned overlay').click();
    await page.getByText(/^Blue: Known signature 2\. Orange: Questioned signature\./).waitFor();
    await page.getByRole('radio', { name: /Known signature 4/ }).press('Space');
    await page.getByText(/^Blue: Known signature 4\./).waitFor();
    await hasCount(page.locator('.pane-window img'), 2);
    await follow(page, '/signatures/history/2');
    await page.getByText('Weak support for the known writer').waitFor();
    await page.getByText('signature-1 own 2026-11-20T09:00:00.000Z', { exact: true }).waitFor();
    const [report] = await Promise.all([
      page.waitForRequest(/known-report/),
      page.getByRole('button', { name: 'PDF report' }).click(),
    ]);
    assert.deepEqual(report.postDataJSON(), { language: 'en' });
  },
);

test(
  'a ratio from 1 to 3 is said to overstate, and one without a signature is bounded',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/signatures/history/2');
    await page.getByText(/likelihood ratio is 11 \(supported: 1\/12 to 12\) against imitation/).waitFor();
    await hasCount(page.getByText(/overstates the support/), 0);
    await follow(page, '/signatures/history/22');
    await page.getByText(/from 1 to 3 overstates the support: a stated 1 is about 0\.3/).waitFor();
  },
);

test('facts of a narrow column stand below their labels, in whole words', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures/known');
  const files = ['q', 'k1', 'k2'].map((name) => ({
    name: `${name}.png`,
    mimeType: 'image/png',
    buffer: PIXEL,
  }));
  await page.getByLabel('Questioned signature').locator('input[type=file]').setInputFiles(files.slice(0, 1));
  const known = page.getByLabel('Known signatures', { exact: true });
  await known.locator('input[type=file]').setInputFiles(files.slice(1));
  await page.getByText('2 known signatures', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const facts = page.locator('.signature-side .facts');
  await facts.waitFor();
  const [label, value] = await Promise.all([
    facts.locator('dt').first().boundingBox(),
    facts.locator('dd').first().boundingBox(),
  ]);
  assert.ok(label !== null && value !== null);
  assert.ok(value.y >= label.y + label.height && Math.abs(value.x - label.x) < 1);
});

test('the table of error rates fits beside the signatures on small screens', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures');
  await giveSignatures(page);
  for (const width of [1024, 1440]) {
    await page.setViewportSize({ width, height: 700 });
    const table = page.locator('.rates .wide-table').first();
    const [scrolled, shown] = await table.evaluate((place) => [place.scrollWidth, place.clientWidth]);
    assert.ok(scrolled <= shown, `at ${width}: ${scrolled} in ${shown}`);
  }
});

test('two images that open in the other order than they were given are both there', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures', { slowestFirst: true });
  await giveSignatures(page);
  await page.getByText('Possible Match', { exact: true }).first().waitFor();
});

test('the history of comparisons is found by template and verification', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures/history?template_id=leases');
  await page.getByText('113 comparisons').waitFor();
  await page.getByLabel('Reference').fill('case-7997');
  await page.waitForURL(/verification_id=case-7997/);
  await page.getByText('1 comparison', { exact: true }).waitFor();
});
