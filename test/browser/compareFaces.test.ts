/** The screen that compares the faces of two photos. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { eventually } from './browser.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { convertedFiles, HEIC } from './otherFormats.ts';

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
  await page.getByRole('button', { name: 'New comparison' }).click();
  assert.equal(await page.getByRole('button', { name: 'Compare faces' }).isDisabled(), true);
});

test('photos of other formats are converted before they are compared and shown', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/compare');
  const side = (name: string) => page.getByLabel(name).locator('input[type=file]');
  const compare = page.getByRole('button', { name: 'Compare faces' });
  const [webp, tiff, jpeg2000, record] = await convertedFiles();
  for (const [first, second] of [
    [webp, tiff],
    [jpeg2000, record],
  ]) {
    await side('First photo').setInputFiles({ ...first!, mimeType: '' });
    await side('Second photo').setInputFiles({ ...second!, mimeType: '' });
    const sent = page.waitForRequest(
      (request) => request.method() === 'POST' && request.url().includes('comparisons'),
    );
    await compare.click();
    assert.equal(((await sent).postData() ?? '').match(/"data:image\/jpeg;base64,\/9j/g)?.length, 2);
    await page.locator('.compare-panes').waitFor();
    await eventually(async () => {
      const images = page.locator('.compare-panes img, .compare-panes image, .compare-panes canvas');
      assert.ok((await images.count()) >= 2);
    });
    await page.getByRole('button', { name: 'New comparison' }).click();
  }
  await side('First photo').setInputFiles({ name: 'phone.heic', mimeType: '', buffer: HEIC });
  await page.getByRole('status').getByText('First photo: phone.heic').waitFor();
  await side('Second photo').setInputFiles({ ...webp!, mimeType: '' });
  await compare.click();
  await page.getByText('phone.heic is HEIC, which Vouch does not read. Save it as JPEG').waitFor();
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
  await page.getByRole('link', { name: 'Show reference' }).click();
  await page.getByText('1 comparison', { exact: true }).waitFor();
});
