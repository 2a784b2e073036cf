/** The screens on a made-up core: every state, by keyboard, under the real policy. */
import { after, before, beforeEach, test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { axeViolations, settled } from './axe.ts';
import { findChromium, openBrowser, openPage } from './browser.ts';
import { buildDashboard, initialBytes } from './built.ts';
import { drawPhoto } from './drawnFaces.ts';
import { GOOD_MOOD, openFixtureSite, type FixtureSite } from './fixtureSite.ts';

const CHROMIUM = findChromium();
const options =
  CHROMIUM === undefined
    ? { skip: 'no Chromium on this machine: install one, or name it in VOUCH_CHROMIUM' }
    : { timeout: 60_000 };
const INITIAL_LIMIT = 350 * 1024;
const ARABIC = `localStorage.setItem('vouch-preferences', '{"state":{"language":"ar","highContrast":false,"railCollapsed":false},"version":0}')`;

/** A PNG of one pixel. */
const PIXEL = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg==',
  'base64',
);

let site: FixtureSite;
let browser: Browser | undefined;

before(async () => {
  await buildDashboard();
  site = await openFixtureSite();
  if (CHROMIUM !== undefined) browser = await openBrowser(CHROMIUM);
});
beforeEach(() => {
  site.mood = { ...GOOD_MOOD };
  site.decisions.length = 0;
  site.received.length = 0;
  site.exports.length = 0;
  site.additions.length = 0;
});
after(async () => {
  await browser?.close();
  await site.close();
});

/** A page of the made-up site; at the end it must have had nothing to complain about. */
async function visit(
  t: TestContext,
  path: string,
  look: BrowserContextOptions & { arabic?: boolean } = {},
): Promise<Page> {
  assert.ok(browser);
  const { arabic, ...context } = look;
  const { page, complaints } = await openPage(browser, site.address, context);
  if (arabic === true) await page.addInitScript(ARABIC);
  t.after(async () => {
    await page.context().close();
    assert.deepEqual(complaints, []);
  });
  await page.goto(path);
  return page;
}

test('what a browser loads before the first screen stays under 350 KB gzipped', () => {
  const bytes = initialBytes();
  assert.ok(bytes < INITIAL_LIMIT, `${bytes} bytes`);
});

const PAGES = [
  '/',
  '/enrol/uploads',
  '/trust-flows/8',
  '/trust-flows/new',
  '/signatures',
  '/signatures/history/6',
  '/validations',
  '/validations/239991',
  '/review',
  '/enrol',
  '/search',
  '/company/internal-biometrics/11',
  '/company/internal-biometrics/new',
  '/api-access',
  '/api-access/key-2',
  '/api-access/new',
  '/operators/1',
  '/operators/roles',
  '/operators/recovery-key',
  '/audit',
  '/audit/47990',
  '/system',
  '/pipelines',
];

for (const [name, look] of [
  ['light', { colorScheme: 'light' }],
  ['dark, small, Arabic', { colorScheme: 'dark', arabic: true, viewport: { width: 1024, height: 700 } }],
] as const)
  test(`axe finds nothing on any page: ${name}`, { ...options, timeout: 240_000 }, async (t) => {
    const page = await visit(t, '/validations', look);
    for (const path of PAGES) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      await settled(page);
      assert.deepEqual(await axeViolations(page), [], path);
    }
    assert.equal(await page.locator('html').getAttribute('dir'), name === 'light' ? 'ltr' : 'rtl');
  });

test('the first page opens the list that each of its numbers counts', options, async (t) => {
  const page = await visit(t, '/');
  await page.getByRole('link', { name: '54 Duplicate Detected' }).click();
  await page.waitForURL(/\/validations\?from=.*hit=duplicate/);
  await page.goBack();
  await page.getByRole('link', { name: /Trust Flow with settings/ }).click();
  await page.getByRole('row', { name: /Ferry terminal/ }).waitFor();
  assert.equal(await page.getByRole('row', { name: /Border desk/ }).count(), 0);
});

test('tool settings are kept as a draft, then saved; leaving with changes asks first', options, async (t) => {
  const page = await visit(t, '/trust-flows/7');
  const panel = page.getByRole('complementary', { name: 'Border desk' });
  // Only active lists are offered, each with its count.
  await panel.getByRole('checkbox', { name: /Refused entry 2025 enrolled faces: 50,000/ }).waitFor();
  assert.equal(await panel.getByRole('checkbox', { name: /Visitors 2019/ }).count(), 0);
  assert.ok(await panel.getByRole('button', { name: 'Save the Trust Flow' }).isDisabled());
  await panel.getByRole('checkbox', { name: /Document fraud/ }).click();
  await panel.getByText('Changed here, not saved yet.').waitFor();
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').getByRole('button', { name: 'Stay' }).click();
  await panel.getByRole('button', { name: 'Save the settings' }).click();
  await panel.getByText('Nothing is screened by them until the Trust Flow is saved too.').waitFor();
  await panel.getByText('Validations that ran before this save are not screened by it.').waitFor();
  await panel.getByRole('button', { name: 'Save the Trust Flow' }).click();
  await panel.getByText('Version 4 is in force').waitFor();
});

test(
  'another pipeline is chosen knowing what it does; it is paused, and cancelled with undo',
  options,
  async (t) => {
    const page = await visit(t, '/system');
    await page.getByRole('main').getByRole('link', { name: 'Pipelines' }).click();
    await page.getByText('Faces are compared by the pipeline full').waitFor();
    await page.getByText('net.onnx has another SHA-256').waitFor();
    await page.getByRole('button', { name: 'Change to this example-r50' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The pipeline full serves until the switch.').waitFor();
    await dialog.getByRole('button', { name: 'Start the change' }).click();
    await page.getByText(/14\.2 faces a second, about 1 hr 45 mins? left/).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await page.getByText('Paused. What was described is kept.').waitFor();
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByRole('button', { name: 'Cancel the change' }).click();
    await page.getByRole('heading', { name: 'Changing to' }).waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('heading', { name: 'Changing to example-r50' }).waitFor();
  },
);

test(
  'faces that the new pipeline refuses wait for a decision that says what it costs',
  options,
  async (t) => {
    site.mood.change = 'refused';
    const page = await visit(t, '/pipelines');
    await page.getByText('It does not switch until somebody decides about them.').waitFor();
    assert.equal(await page.getByRole('row', { name: /No face detected/ }).count(), 2);
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Change over without them' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('These people match no longer').waitFor();
    await dialog.getByRole('button', { name: 'Change over without them' }).click();
    await page.getByRole('heading', { name: 'Refused faces' }).waitFor({ state: 'detached' });
  },
);

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
  'two signatures are similar or not, never forged; what the matcher saw lies over each other',
  options,
  async (t) => {
    const page = await visit(t, '/signatures');
    await giveSignatures(page);
    await page.getByText('Possible Match', { exact: true }).first().waitFor();
    await page.getByText('A person decides.').waitFor();
    await page.getByText('What the matcher saw').click();
    await page.getByText('Cleaned ink in grey').waitFor();
    await page.getByText('Laid over each other').click();
    await page.getByText('An aid, not evidence.').waitFor();
    assert.equal(await page.locator('.pane-window img').count(), 2);
    assert.deepEqual(await axeViolations(page), []);
    assert.doesNotMatch(
      await page.locator('main').innerText(),
      /forge|genuine signature|identity confirmed/i,
    );
  },
);

test(
  'an image without a usable signature says why, and nothing is marked on the scale',
  options,
  async (t) => {
    site.mood.verdict = 'INCONCLUSIVE';
    const page = await visit(t, '/signatures');
    await giveSignatures(page);
    await page.getByText('the image is blank').waitFor();
    assert.equal(await page.locator('.likeness .score-mark').count(), 0);
  },
);

test('the history of comparisons is found by template and verification', options, async (t) => {
  const page = await visit(t, '/signatures/history?template_id=leases');
  await page.getByText('113 comparisons').waitFor();
  await page.getByLabel('Verification ID').fill('case-7997');
  await page.waitForURL(/verification_id=case-7997/);
  await page.getByText('1 comparison', { exact: true }).waitFor();
});

test('a page says what is wrong, and what to quote, when its route fails', options, async (t) => {
  site.mood.answer = 503;
  const page = await visit(t, '/validations');
  await page.getByText('The database is read-only').waitFor();
  await page.getByText('5f0c6f1e-0d2b-4c56-9a53-7f3a2f4f3b11').waitFor();
  site.mood.answer = 200;
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('100,000 validations').waitFor();
});

test('who may not see a page is told so, without a button that cannot help', options, async (t) => {
  site.mood.answer = 403;
  const page = await visit(t, '/validations');
  await page.getByRole('heading', { name: 'Not allowed' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Try again' }).count(), 0);
});

test('an empty list says what comes here and leads to it', options, async (t) => {
  site.mood.rows = 0;
  const page = await visit(t, '/validations');
  await page.getByRole('link', { name: 'Enrol faces' }).click();
  await page.getByText('Drop photos or whole folders here').waitFor();
});

test('when the core is gone the rows stay, and the page says since when', options, async (t) => {
  const page = await visit(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  await page.context().setOffline(true);
  await page.getByLabel('Name or number').fill('zzz');
  await page.getByText('The core has not answered since').waitFor();
  await page.context().setOffline(false);
  await page.getByText('No validation has all of this').waitFor();
  await page.getByText('The core has not answered since').waitFor({ state: 'detached' });
});

test('a filter is in the address, so a copied link shows the same rows', options, async (t) => {
  const page = await visit(t, '/validations?status=1');
  await page.getByText(/^\d+ validations, 0 need review$/).waitFor();
  await page.getByText('Review Needed', { exact: true }).first().click();
  await page.waitForURL(/status=2/);
  await page.reload();
  await page.getByText('1,031 validations').waitFor();
});

test('a hundred thousand rows keep only those in sight in the page', options, async (t) => {
  const page = await visit(t, '/validations');
  await page.getByRole('row').nth(5).waitFor();
  assert.ok((await page.getByRole('row').count()) < 80);
  assert.equal(await page.getByRole('grid').getAttribute('aria-rowcount'), '100001');
});

test('ten reviews are decided by keyboard alone, and the last is taken back', options, async (t) => {
  const page = await visit(t, '/review');
  const number = page.locator('.case-head .soft');
  for (let round = 0; round < 10; round++) {
    const before = await number.textContent();
    await page.keyboard.press(round % 3 === 0 ? 'r' : 'v');
    await page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent !== text, [
      '.case-head .soft',
      before ?? '',
    ] as const);
  }
  assert.equal(new Set(site.decisions.map((each) => each.split(':')[0])).size, 10);
  await page.keyboard.press('z');
  await page.waitForURL(new RegExp(`/review/${site.decisions[9]?.split(':')[0] ?? ''}$`));
  assert.equal(site.decisions[10], `${site.decisions[9]?.split(':')[0] ?? ''}:review`);
});

test('letters in the note are letters, not decisions', options, async (t) => {
  const page = await visit(t, '/review');
  await page.locator('.case-head').waitFor();
  await page.keyboard.press('n');
  await page.keyboard.type('very rare');
  assert.deepEqual(site.decisions, []);
  assert.equal(await page.getByLabel('Note', { exact: true }).inputValue(), 'very rare');
});

test('a second reviewer is told that somebody decided, and nothing is written over', options, async (t) => {
  const first = await visit(t, '/review');
  const second = await visit(t, '/review');
  await first.locator('.case-head').waitFor();
  await second.locator('.case-head').waitFor();
  await first.keyboard.press('v');
  await first.getByText('verified', { exact: false }).first().waitFor();
  await second.keyboard.press('r');
  await second.getByText('Somebody else has decided').waitFor();
  assert.equal(site.decisions.length, 1);
});

test('a folder is planned, sent, and its failures grouped by reason and sent again', options, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-photos-'));
  t.after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'deep', 'deeper'), { recursive: true });
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]);
  for (let n = 0; n < 60; n++)
    writeFileSync(join(folder, n % 2 === 0 ? 'deep' : 'deep/deeper', `photo-${n}.jpg`), jpeg);
  writeFileSync(join(folder, 'notes.txt'), 'no image');
  writeFileSync(join(folder, 'wrong.jpg'), 'not what its name says');
  const page = await visit(t, '/enrol');
  await page.setInputFiles('input[type=file] >> nth=1', folder);
  await page.getByText('2 not a JPEG or PNG by content').waitFor();
  assert.deepEqual(site.received, []);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  assert.equal(site.received.length, 60);
  await page.getByText('54 of 60 enrolled, 6 failed').waitFor();
  await page.getByRole('button', { name: 'Retry the failed' }).click();
  await page.getByText('of 6 enrolled').waitFor();
});

test(
  'the table of a run is saved once that is on the record, and not at all when it cannot be',
  options,
  async (t) => {
    const page = await visit(t, '/enrol');
    await page.setInputFiles('input[type=file] >> nth=0', {
      name: 'one.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]),
    });
    await page.getByRole('button', { name: 'Start' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    site.mood.answer = 503;
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    await page.getByText('The database is read-only').waitFor();
    assert.deepEqual([downloads, site.exports], [0, []]);
    site.mood.answer = 200;
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'vouch-enrolment.csv');
    assert.deepEqual(site.exports, [{ kind: 'uploadResults', object: null, rows: 1 }]);
  },
);

test(
  'a comparison is printed once that is on the record, or is recorded as it happens',
  options,
  async (t) => {
    const page = await visit(t, '/review');
    await page.evaluate(() => {
      window.print = () => {
        window.dispatchEvent(new Event('beforeprint'));
        document.body.dataset.printed = String(Number(document.body.dataset.printed ?? 0) + 1);
      };
    });
    const print = page.getByRole('button', { name: 'Print' });
    await print.waitFor();
    site.mood.answer = 503;
    await print.click();
    await page.locator('.compare-tools .error-line').waitFor();
    assert.equal(await page.locator('body').getAttribute('data-printed'), null);
    site.mood.answer = 200;
    await print.click();
    await page.locator('body[data-printed="1"]').waitFor();
    assert.equal(site.exports.length, 1, 'once, although the browser said that it prints');
    assert.equal(site.exports[0]?.kind, 'comparison');
    assert.match(site.exports[0].object ?? '', /^validation:\d+$/);
    const told = page.waitForResponse((response) => response.url().endsWith('/exports'));
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    await told;
    assert.equal(site.exports.length, 2);
  },
);

test('deleting a blacklist says what goes with it and asks for its name', options, async (t) => {
  const page = await visit(t, '/company/internal-biometrics/12');
  await page.getByRole('button', { name: 'Delete' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1,284 enrolled faces go with it').waitFor();
  await dialog.getByText('Border desk').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Delete' });
  assert.ok(await confirm.isDisabled());
  await dialog.getByLabel('Type Document fraud to confirm').fill('Document fraud');
  assert.ok(await confirm.isEnabled());
});

test('a search without a match says so plainly', options, async (t) => {
  site.mood.candidates = 'none';
  const page = await visit(t, '/search');
  await page.setInputFiles('input[type=file]', {
    name: 'probe.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  });
  await page.getByRole('heading', { name: 'No match' }).waitFor();
});

/** Searches with a drawn photo and opens the dialog with which a face of it is added to a blacklist, by keyboard. */
async function openAddition(page: Page) {
  const buffer = await sharp(Buffer.from(drawPhoto(21, 2).svg))
    .png()
    .toBuffer();
  await page.setInputFiles('input[type=file]', { name: 'probe.png', mimeType: 'image/png', buffer });
  await page.locator('.found-report').getByRole('button').first().focus();
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.locator('.addition-photo img').waitFor();
  return dialog;
}

test(
  'a searched face is added to an active blacklist by keyboard, and taken back; so is a candidate',
  options,
  async (t) => {
    const page = await visit(t, '/search');
    const dialog = await openAddition(page);
    await dialog.getByText('exactly one face is in it').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    const list = dialog.getByRole('combobox', { name: 'Blacklist' });
    await list.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('option', { name: 'Refused entry 2025' }).waitFor();
    assert.equal(await page.getByRole('option', { name: 'Visitors 2019' }).count(), 0);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.keyboard.press('Tab');
    await page.keyboard.type('J. Doe');
    await page.keyboard.press('Enter');
    await page.getByText('J. Doe is in Refused entry 2025 now').waitFor();
    assert.deepEqual(site.additions, ['JPEG, 11, J. Doe']);
    await page.keyboard.press('Control+z');
    await page.getByText('J. Doe was removed from Refused entry 2025 again').waitFor();
    assert.deepEqual(site.additions, []);

    await page.getByRole('button', { name: 'Add to a blacklist' }).click();
    await dialog.getByText('The candidate', { exact: true }).click();
    await dialog.getByText('The candidate stays where it is.').waitFor();
    await list.click();
    await page.getByRole('option', { name: 'Document fraud' }).click();
    await dialog.getByRole('button', { name: 'Add the face' }).click();
    await page.getByText('is in Document fraud now').waitFor();
    assert.match(site.additions.join(), /^face 800, 12, /);
  },
);

test(
  'a face that the pipeline refuses says why, and nothing is said to be in the list',
  options,
  async (t) => {
    site.mood.addition = 'refused';
    const page = await visit(t, '/search', { arabic: true, colorScheme: 'dark' });
    const dialog = await openAddition(page);
    await dialog.getByRole('combobox').click();
    await page.getByRole('option', { name: 'Document fraud' }).click();
    await dialog.getByRole('textbox', { name: 'الاسم' }).fill('فلان');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByRole('alert').waitFor();
    assert.match(await dialog.getByRole('alert').innerText(), /لم يُضف/);
    assert.equal(await page.locator('.undo').count(), 0);
    assert.deepEqual(await axeViolations(page), []);
  },
);

test(
  'a token is made with a passphrase that is asked for again, shown once, and with examples of this address',
  options,
  async (t) => {
    site.mood.asksPassphrase = true;
    const page = await visit(t, '/api-access');
    await page.getByRole('button', { name: 'New credential' }).click();
    await page.getByLabel('Name', { exact: true }).fill('Gate 9');
    await page.getByLabel('enroll').check();
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByLabel('Passphrase', { exact: true }).fill('violet harbour at nine');
    await page.getByRole('button', { name: 'Create' }).click();
    await page.getByRole('heading', { name: 'Gate 9 is made' }).waitFor();
    assert.match((await page.locator('.secret').textContent()) ?? '', /^vouch_/);
    assert.ok((await page.locator('.example').textContent())?.includes(site.address));
    const go = page.getByRole('button', { name: 'Go to the credential' });
    assert.ok(await go.isDisabled());
    await page.getByLabel('I have stored it').check();
    assert.ok(await go.isEnabled());
  },
);

test('revoking says what it does and asks for the name', options, async (t) => {
  const page = await visit(t, '/api-access/token-7');
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('refused from this moment').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Revoke' });
  assert.ok(await confirm.isDisabled());
  await dialog.getByLabel('Type Gate 4 scanner to confirm').fill('Gate 4 scanner');
  await confirm.click();
  await dialog.waitFor({ state: 'detached' });
});

test(
  'the last admin is told so before anything is tried; another operator changes role with undo',
  options,
  async (t) => {
    const page = await visit(t, '/operators/1');
    await page.getByText('The only active administrator.').waitFor();
    assert.ok(await page.getByRole('combobox', { name: 'Role' }).isDisabled());
    assert.ok(await page.getByRole('button', { name: 'Deactivate' }).isDisabled());
    await page.goto('/operators/2');
    await page.getByRole('combobox', { name: 'Role' }).click();
    await page.getByRole('option', { name: 'Auditor' }).click();
    await page.getByText('Jonas Brandt is Auditor now').first().waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
  },
);

test(
  'the record is filtered in the address, scrolls through all of it, and says where it was damaged',
  options,
  async (t) => {
    site.mood.whole = false;
    const page = await visit(t, '/audit?action=search.run');
    await page.getByText('entries of this company fit').waitFor();
    assert.equal(
      await page.getByLabel('What', { exact: true }).first().inputValue(),
      'Watchlists were searched with a photo',
    );
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('First bad entry: 31,407. It, or its hash, was changed.').waitFor();
    await page.goto('/audit');
    await page.getByText('48,000 entries').waitFor();
    const grid = page.getByRole('grid');
    for (let round = 0; round < 8; round++)
      await grid.evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
    assert.ok((await page.getByRole('row').count()) < 120, 'only what is on screen is in the page');
  },
);
