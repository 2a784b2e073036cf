/** The dashboard inside the desktop shell: a folder is granted to the service, and no byte of it passes through the page. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { eventually } from './browser.ts';
import { GRANT_ID } from './fixtureFolders.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { dropFromOutside } from './dragAndDrop.ts';

const { site, openPageAt } = await openHarness();

/** A page around which a shell stands that answers every folder so. */
async function inShell(t: TestContext, answer: object | null): Promise<Page> {
  const page = await openPageAt(t, '/');
  const given = JSON.stringify(answer);
  await page.addInitScript(
    `window.vouchShell = {
       chooseFolder: () => Promise.resolve(${given}),
       offerFolder: (file) => { window.offered = [file instanceof File, file.name]; return Promise.resolve(${given}) },
     }`,
  );
  await page.goto('/enrol');
  return page;
}

async function enrolWhatWasOffered(page: Page): Promise<void> {
  await page.getByText('Symbolic link (not followed): 1').waitFor();
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  assert.deepEqual(site.received, [
    'in its place: Ada Brandt.jpg',
    'in its place: gate/Jonas Weil.jpg',
    'in its place: gate/Mira Solis.jpg',
  ]);
  await page.getByTitle('camera/gate/Mira Solis.jpg').waitFor();
}

test(
  'a folder of the system’s own dialog is planned and enrolled without being sent',
  IN_BROWSER,
  async (t) => {
    const page = await inShell(t, { grantId: GRANT_ID });
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await enrolWhatWasOffered(page);
  },
);

test(
  'a dropped folder is handed over as a folder; a dropped photo is sent as ever',
  IN_BROWSER,
  async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vouch-shell-'));
    t.after(() => rm(folder, { recursive: true }));
    await mkdir(join(folder, 'camera'));
    await writeFile(join(folder, 'camera', 'never sent.png'), PIXEL);
    const page = await inShell(t, { grantId: GRANT_ID });
    await dropFromOutside(page, '.drop', join(folder, 'camera'));
    await enrolWhatWasOffered(page);
    assert.deepEqual(await page.evaluate('window.offered'), [true, 'camera']);
    await page.getByRole('button', { name: 'Enrol more photos' }).click();
    await writeFile(join(folder, 'one.png'), PIXEL);
    await dropFromOutside(page, '.drop', join(folder, 'one.png'));
    await page.getByRole('button', { name: 'Start upload' }).click();
    await eventually(() => assert.equal(site.received.at(-1), 'one.png'));
  },
);

test(
  'a run pauses when a restarted service lost the folder; chosen again, it is sent',
  IN_BROWSER,
  async (t) => {
    const page = await inShell(t, { grantId: GRANT_ID });
    const body = JSON.stringify({ success: false, message: 'Not found', code: 'NOT_FOUND' });
    await page.route(
      `**/folders/${GRANT_ID}/uploads?*`,
      (route) => route.fulfill({ status: 404, contentType: 'application/json', body }),
      { times: 1 },
    );
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await page.getByRole('button', { name: 'Start upload' }).click();
    await page.getByText(/lost access to the folder. Reload the page and choose the folder again/).waitFor();
    assert.deepEqual(site.received, []);
    await page.reload();
    await page.getByRole('button', { name: 'Choose folder' }).click();
    await enrolWhatWasOffered(page);
  },
);

test('a folder that is refused says why; a dialog that is closed changes nothing', IN_BROWSER, async (t) => {
  const refused = await inShell(t, { refused: { code: 'FOLDER_OF_VOUCH', parameters: {} } });
  await refused.getByRole('button', { name: 'Choose folder' }).click();
  await refused.getByText('This folder belongs to Vouch itself.').waitFor();
  const closed = await inShell(t, null);
  await closed.getByRole('button', { name: 'Choose folder' }).click();
  await closed.getByText('Drop photos or whole folders here').waitFor();
  assert.deepEqual(site.received, []);
});

test('help opens the page of the manual for the screen, over the screen', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/calibration');
  await page.getByRole('button', { name: 'Help' }).click();
  const manual = page.frameLocator('iframe.manual');
  await manual.getByRole('heading', { name: 'Calibrate on your own photos' }).waitFor();
  await manual.getByRole('link', { name: 'Glossary' }).click();
  await manual.getByRole('heading', { name: 'Glossary' }).waitFor();
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  await page.locator('iframe.manual').waitFor({ state: 'detached' });
  assert.match(page.url(), /\/settings\/calibration$/);
});

test('Esc closes the help from inside the manual, and the focus returns', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  const help = page.getByRole('button', { name: 'Help' });
  for (const inside of [false, true]) {
    await help.press('Enter');
    const manual = page.frameLocator('iframe.manual');
    // The section for the screen, and not the first of its page.
    await eventually(async () => {
      const top: number = await page.evaluate(
        `document.querySelector('iframe.manual').contentDocument.getElementById('search-with-a-photo').getBoundingClientRect().top`,
      );
      assert.ok(top < 250, `${top}`);
    });
    if (inside) await manual.getByRole('link', { name: 'Glossary' }).click();
    if (inside) await manual.getByRole('heading', { name: 'Glossary' }).waitFor();
    // Its keys are heard once the page has loaded.
    const isLoaded = `document.querySelector('iframe.manual').contentDocument.readyState === 'complete'`;
    await eventually(async () => assert.ok(await page.evaluate(isLoaded)));
    await page.keyboard.press('Escape');
    await page.locator('iframe.manual').waitFor({ state: 'detached' });
    assert.ok(await help.evaluate((button) => button === button.ownerDocument.activeElement));
  }
});
