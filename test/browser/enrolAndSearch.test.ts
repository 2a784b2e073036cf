import { test } from 'node:test';
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { axeViolations } from './axe.ts';
import { choose, eventually, hasCount, holdTimers } from './browser.ts';
import { drawPhoto } from './drawnFaces.ts';
import { EXAMPLE_UPLOAD, personName } from './fixtures.ts';
import { drawnGroup } from './fixtureSearch.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';
import { layoutProblems } from './layoutChecks.ts';
import { HEIC } from './otherFormats.ts';

const { site, openPageAt } = await openHarness();

test(
  'a folder is planned, sent, and its failures grouped by reason and sent again',
  IN_BROWSER,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-photos-'));
    t.after(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, 'deep', 'deeper'), { recursive: true });
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]);
    for (let n = 0; n < 60; n++)
      writeFileSync(join(folder, n % 2 === 0 ? 'deep' : 'deep/deeper', `photo-${n}.jpg`), jpeg);
    writeFileSync(join(folder, 'notes.txt'), 'no image');
    writeFileSync(join(folder, 'wrong.jpg'), 'not what its name says');
    const page = await openPageAt(t, '/enrol');
    await page.setInputFiles('input[type=file] >> nth=1', folder);
    await page.getByText('Not a picture or face record: 2').waitFor();
    assert.deepEqual(site.received, []);
    await page.getByRole('button', { name: 'Start upload' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    assert.equal(site.received.length, 60);
    await page.getByRole('status').getByText('54 of 60 enrolled, 6 failed').waitFor();
    const fix = page.getByRole('link', { name: 'Fix failed photos' });
    const failures = await fix.getAttribute('href');
    const asked = page.waitForRequest('**/api/dashboard/uploads?*fixes=*');
    await page.getByRole('button', { name: 'Retry failed photos' }).click();
    await page.getByRole('status').getByText('of 6 enrolled').waitFor();
    // Each photo names the failure that it is sent for, in the run of that failure.
    const query = new URL((await asked).url()).searchParams;
    assert.match(query.get('fixes') ?? '', /^([1-9]\d*,){5}[1-9]\d*$/);
    assert.ok(failures?.includes(query.get('run') ?? '?'));
    await fix.waitFor();
    assert.equal(await fix.getAttribute('href'), failures);
  },
);

test('images of other formats are sent as they are, and HEIC is named', IN_BROWSER, async (t) => {
  const drawn = sharp(Buffer.from(drawPhoto(3).svg)).resize(120);
  const page = await openPageAt(t, '/enrol');
  await page.setInputFiles('input[type=file] >> nth=0', [
    { name: 'one.avif', mimeType: 'image/avif', buffer: await drawn.avif().toBuffer() },
    { name: 'two.webp', mimeType: 'image/webp', buffer: await drawn.webp().toBuffer() },
    { name: 'three.jpg', mimeType: 'image/jpeg', buffer: await drawn.jpeg().toBuffer() },
    // Chromium on Linux has no decoder for HEIC.
    { name: 'four.heic', mimeType: 'image/heic', buffer: HEIC },
  ]);
  await page.getByText('HEIC, JPEG XL, camera RAW, PDF, SVG or video (save the photo as JPEG): 1').waitFor();
  await page.getByText('2 photos are converted').waitFor();
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  assert.deepEqual(site.received.toSorted(), ['one.avif', 'three.jpg', 'two.webp']);
  assert.ok(site.receivedHeads.includes('RIFF'), 'the service converts');
  // The next step: enrolment compares no photos with each other.
  await page.getByRole('link', { name: 'Compare new faces' }).click();
  await page.waitForURL('**/duplicates/find?mode=new');
});

test('the plan for a blacklist ends with Start, after every choice', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol?blacklist=11&name=Barred');
  const photo = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) };
  await page.setInputFiles('input[type=file] >> nth=0', photo);
  const plan = page.getByRole('region', { name: 'Summary' });
  const labels = ['Enrol into', 'Severity', 'Reason', 'Expires', 'Photos with several faces'];
  const fields = [...labels, 'Persons in the photos'].map((label) => plan.getByLabel(label));
  const start = plan.getByRole('button', { name: 'Start upload' });
  const places = await Promise.all(
    [...fields, start].map(async (each) => (await each.boundingBox())?.y ?? 0),
  );
  assert.deepEqual(
    places,
    places.toSorted((one, other) => one - other),
    'one column, in this order',
  );
  assert.equal(new Set(places).size, places.length);
});

test('all reasons of the failures of an upload are in sight, however many', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, `/enrol/uploads/${EXAMPLE_UPLOAD}`);
  await page.getByText(/^Failed \d+$/).click();
  const reasons = page.locator('.reasons');
  await reasons.locator('dt').nth(4).waitFor();
  const [content, window] = await reasons.evaluate((list) => [list.scrollHeight, list.clientHeight]);
  assert.equal(content, window, 'no reason is behind an edge');
});

test('after photos of a blacklist, Enrol in the sidebar is for the main gallery', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol?blacklist=11&name=Barred');
  const photo = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) };
  await page.setInputFiles('input[type=file] >> nth=0', photo);
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Enrol', exact: true })
    .click();
  await page.getByRole('heading', { name: 'Enrol', level: 1, exact: true }).waitFor();
  await page.setInputFiles('input[type=file] >> nth=0', photo);
  const into = page.getByRole('combobox', { name: 'Enrol into' });
  await eventually(async () => assert.equal(await into.inputValue(), 'duplicate'));
});

test('an enrolled photo of a blacklist opens as a face of that blacklist', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol?blacklist=11&name=Barred');
  const photo = { name: 'one.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) };
  await page.setInputFiles('input[type=file] >> nth=0', photo);
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  await page.getByRole('row').filter({ hasText: 'one.jpg' }).getByText('Enrolled').click();
  await page.waitForURL('**/company/internal-biometrics/11?face=0');
});

test('files that changed or vanished are named, and the run ends without them', IN_BROWSER, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-photos-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]);
  for (const name of ['kept', 'changed', 'vanished']) writeFileSync(join(folder, `${name}.jpg`), jpeg);
  const page = await openPageAt(t, '/enrol');
  await page.setInputFiles('input[type=file] >> nth=1', folder);
  const start = page.getByRole('button', { name: 'Start upload' });
  await start.waitFor();
  writeFileSync(join(folder, 'changed.jpg'), Buffer.concat([jpeg, jpeg]));
  rmSync(join(folder, 'vanished.jpg'));
  await start.click();
  await page.getByRole('heading', { name: 'Done' }).waitFor();
  assert.deepEqual(site.received, ['kept.jpg']);
  for (const name of ['changed.jpg', 'vanished.jpg'])
    await page.getByRole('row').filter({ hasText: name }).getByText('Not readable').waitFor();
});

test(
  'a run continues as it began with the same folder after its window was closed',
  IN_BROWSER,
  async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-photos-'));
    t.after(() => rmSync(folder, { recursive: true }));
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]);
    for (const person of ['Ann', 'Zoe']) mkdirSync(join(folder, person));
    for (let n = 0; n < 60; n++) writeFileSync(join(folder, n < 55 ? 'Ann' : 'Zoe', `photo-${n}.jpg`), jpeg);
    const page = await openPageAt(t, '/enrol?blacklist=11&name=Barred');
    // The second batch never arrives.
    let batches = 0;
    await page.route('**/api/dashboard/blacklists/11/faces?*', (route) =>
      route.request().method() === 'POST' && ++batches > 1 ? route.abort() : route.continue(),
    );
    await page.setInputFiles('input[type=file] >> nth=1', folder);
    await choose(page.getByRole('combobox', { name: 'Photos with several faces' }), 'Enrol the main face');
    await choose(page.getByRole('combobox', { name: 'Persons in the photos' }), 'Each folder is a person');
    await page.getByText('Ann (photos: 55)').waitFor();

    await choose(page.getByRole('combobox', { name: 'Severity' }), 'Stop');
    await page.getByRole('textbox', { name: 'Reason' }).fill('Seen with a forged pass');
    await page.getByRole('button', { name: 'Start upload' }).click();
    await eventually(() => assert.ok(batches > 1));
    const kept = await page.evaluate(() => JSON.stringify(localStorage));
    assert.doesNotMatch(kept, /photo-|Ann|Zoe|forged/, 'no name and no reason stays in the browser');
    const again = await page.context().newPage();
    // Once the page closes, its route ends, and a batch that is sent again would arrive.
    await page.context().setOffline(true);
    await page.close();
    await page.context().setOffline(false);
    await again.goto('/enrol');
    await again.getByText(/^10 of 60 photos of the upload of .* were not uploaded/).waitFor();
    await again.setInputFiles('input[type=file] >> nth=1', folder);
    await again.getByText('Uploaded photos that will be skipped: 50.').waitFor();
    await again.getByText('Ann (photos: 55)').waitFor();
    await again.getByText('Photos without a person: 0').waitFor();
    await again.getByText('Enter it again: the browser does not store it.').waitFor();
    await again.getByRole('textbox', { name: 'Reason' }).fill('Seen with a forged pass');
    const asked = again.waitForRequest('**/api/dashboard/blacklists/11/faces?*');
    await again.getByRole('button', { name: 'Start upload' }).click();
    const query = new URL((await asked).url()).searchParams;
    const sent = ['severalFaces', 'severity', 'reason'].map((name) => query.get(name));
    assert.deepEqual(sent, ['main', 'stop', 'Seen with a forged pass']);
    await again.getByRole('heading', { name: 'Done' }).waitFor();
    assert.equal(new Set(site.received).size, 60);
    assert.equal(site.received.length, 60);
    await again.reload();
    await again.getByText('Drop photos or whole folders here').waitFor();
    await hasCount(again.getByText('were not uploaded'), 0);
  },
);

test(
  'results are saved once the export is recorded, and make room for another list',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/enrol');
    await page.setInputFiles('input[type=file] >> nth=0', {
      name: 'one.jpg',
      mimeType: 'image/jpeg',
      buffer: Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(900)]),
    });
    await page.getByRole('button', { name: 'Start upload' }).click();
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    let downloads = 0;
    page.on('download', () => (downloads += 1));
    site.behaviour.answer = 503;
    await page.getByRole('button', { name: 'Download CSV' }).click();
    await page.getByText('Enrollment queue is unavailable').waitFor();
    assert.deepEqual([downloads, site.exports], [0, []]);
    site.behaviour.answer = 200;
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'vouch-enrolment.csv');
    assert.equal(site.exports.length, 1);
    assert.equal(site.exports[0]?.kind, 'uploadResults');
    // Its results do not stand in the way of another list.
    await page.getByRole('link', { name: 'Blacklists', exact: true }).click();
    await page.getByRole('row', { name: 'Refused entry 2025' }).click();
    await page.getByRole('link', { name: 'Add faces' }).click();
    await page.getByRole('heading', { name: 'Add faces to Refused entry 2025' }).waitFor();
    await page.getByText('Drop photos or whole folders here').waitFor();
  },
);

test('the failure of a watched folder is said in the language of the page', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol', { arabic: true });
  const failure = page.locator('.watched-problem', { hasText: 'لم يُكتشف وجه في الصورة.' });
  await failure.waitFor();
  await hasCount(page.getByText('No face was found.'), 0);
  for (const text of ['لا تستجيب الخدمة.', 'انتهى vouch watch بخطأ.', 'لا يستطيع الحساب الذي يشغّل'])
    await page.locator('.watched-problem', { hasText: text }).waitFor();
});

test('a search without a match says so plainly', IN_BROWSER, async (t) => {
  site.behaviour.candidates = 'none';
  const page = await openPageAt(t, '/search');
  await page.setInputFiles('input[type=file]', {
    name: 'probe.png',
    mimeType: 'image/png',
    buffer: PIXEL,
  });
  await page.getByRole('heading', { name: 'No match' }).waitFor();
  // It is the answer for one face of several, and their numbers leave the faces to be seen.
  await page.getByRole('heading', { name: 'Face 1 of 2' }).waitFor();
  const face = await page.locator('.box').first().boundingBox();
  const number = await page.locator('.box-number').first().boundingBox();
  assert.ok(face !== null && number !== null && number.y + number.height <= face.y + 3);
  assert.deepEqual(await layoutProblems(page), []);
  // One in which no face is found stays in sight, beside what to do about it.
  site.behaviour.candidates = 'refused';
  await page.getByRole('button', { name: 'New search' }).click();
  await page.setInputFiles('input[type=file]', { name: 'wall.png', mimeType: 'image/png', buffer: PIXEL });
  await page.getByRole('heading', { name: 'No face detected' }).waitFor();
  await page.getByText('There was no face to compare. Nothing was enrolled.').waitFor();
  await page.getByRole('img', { name: 'Probe photo' }).waitFor();
});

/** Searches with a drawn photo, and comes by keyboard to where a face of it is added to a blacklist. */
async function searchToAdd(page: Page) {
  const buffer = await sharp(Buffer.from(drawPhoto(21, 2).svg))
    .png()
    .toBuffer();
  await page.setInputFiles('input[type=file]', { name: 'probe.png', mimeType: 'image/png', buffer });
  await page.locator('.found-report').getByRole('button').first().focus();
  return page.getByRole('dialog');
}

test(
  'a searched face and a candidate are added to a blacklist by keyboard, with undo',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/search');
    const dialog = await searchToAdd(page);
    const list = dialog.getByRole('combobox', { name: 'Blacklist' });
    // Once to have the lists; then as fast as fingers are, on a machine that is slower.
    await page.keyboard.press('Enter');
    await list.locator('option', { hasText: 'Refused entry 2025' }).waitFor({ state: 'attached' });
    await hasCount(list.locator('option', { hasText: 'Visitors 2019' }), 0);
    await dialog.locator('.addition-photo img').waitFor();
    await dialog.getByText('It contains exactly one face.').waitFor();
    await page.keyboard.press('Escape');
    await hasCount(dialog, 0);
    const release = await holdTimers(page);
    await page.keyboard.press('Enter');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Tab');
    await page.keyboard.type('J. ');
    await release();
    await page.keyboard.type('Doe');
    await dialog.locator('.addition-photo img').waitFor();
    await page.keyboard.press('Enter');
    await page.getByText('J. Doe added to Refused entry 2025').waitFor();
    assert.deepEqual(site.additions, ['JPEG, 11, J. Doe']);
    await page.keyboard.press('Control+z');
    await page.getByText('J. Doe removed from Refused entry 2025').waitFor();
    assert.deepEqual(site.additions, []);

    // The enrolled candidate: the first one is in a blacklist already.
    const candidates = page.getByRole('list', { name: 'Candidates, most similar first' });
    await candidates.getByRole('button').filter({ hasText: 'Photo:' }).click();
    await page.getByRole('button', { name: 'Add to blacklist' }).click();
    await dialog.getByText('Photo of the candidate', { exact: true }).click();
    await dialog.getByText('The candidate itself does not change.').waitFor();
    await choose(list, 'Document fraud');
    await dialog.getByRole('button', { name: 'Add face' }).click();
    await page.getByText('added to Document fraud').waitFor();
    assert.match(site.additions.join(), /^face 800, 12, /);
  },
);

test(
  'a face that the pipeline refuses says why, and nothing is said to be in the list',
  IN_BROWSER,
  async (t) => {
    site.behaviour.addition = 'refused';
    const page = await openPageAt(t, '/search', { arabic: true, colorScheme: 'dark' });
    const dialog = await searchToAdd(page);
    await page.keyboard.press('Enter');
    await choose(dialog.getByRole('combobox', { name: 'القائمة السوداء' }), 'Document fraud');
    await dialog.getByRole('textbox', { name: 'الاسم' }).fill('فلان');
    await dialog.locator('button[type=submit]').click();
    await dialog.getByRole('alert').waitFor();
    await eventually(async () => assert.match(await dialog.getByRole('alert').innerText(), /لم يُضف/));
    await hasCount(page.locator('.undo'), 0);
  },
);

/** A GIF of one black pixel, from its specification (GIF89a). */
const GIF = Buffer.from('R0lGODdhAQABAIAAAAAAAAAAACwAAAAAAQABAAACAkQBADs=', 'base64');

test('a file of another format is converted or says which formats are accepted', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  let searches = 0;
  page.on('request', (request) => (searches += request.url().includes('/search?') ? 1 : 0));
  const drop = page.getByText('Drop a photo here');
  const give = (name: string, buffer: Buffer) =>
    page.setInputFiles('input[type=file]', { name, mimeType: 'image/gif', buffer });
  await give('notes.txt', Buffer.from('no image'));
  await page.getByText('notes.txt is not an image that Vouch can read. Use JPEG, PNG').waitFor();
  await drop.waitFor();
  await give('phone.heic', HEIC);
  await page.getByText('phone.heic is HEIC, which Vouch does not read.').waitFor();
  await drop.waitFor();
  assert.equal(searches, 0, 'nothing is sent');
  assert.deepEqual(await axeViolations(page), []);
  const sent = page.waitForRequest('**/api/dashboard/search?*');
  await give('face.gif', GIF);
  assert.equal((await sent).headers()['content-type'], 'image/jpeg');
  await page.getByText('face.gif.jpg').first().waitFor();
  await page.getByText('Converted from GIF.').waitFor();
});

/** Searches with a group photo: the third of three faces matches a blacklist. */
async function searchGroup(page: Page) {
  const buffer = await sharp(Buffer.from(drawnGroup())).png().toBuffer();
  await page.setInputFiles('input[type=file]', { name: 'group.png', mimeType: 'image/png', buffer });
  await page.getByRole('heading', { name: 'Face 3 of 3' }).waitFor();
}

test(
  'a group photo opens at the blacklist match, and each face is marked by its match',
  IN_BROWSER,
  async (t) => {
    site.behaviour.candidates = 'group';
    const page = await openPageAt(t, '/search');
    await searchGroup(page);
    const summary = page
      .locator('.page-title')
      .getByText('Faces: 3. Main gallery matches: 1. Without a match: 1.');
    await summary.waitFor();
    // The headline begins with the blacklists, in their colour.
    assert.match((await summary.textContent()) ?? '', /^Blacklist matches: 1\. Faces: 3\./);
    await page.locator('.search-alert', { hasText: 'Blacklist matches: 1.' }).waitFor();
    const marks = ['Face 1: No match', 'Face 2: Main gallery (possible)', 'Face 3: Blacklist (strong)'];
    for (const name of marks) await page.getByRole('button', { name: `${name}, quality` }).waitFor();
    const strip = page.getByRole('list', { name: 'Faces in the photo' });
    await hasCount(strip.getByRole('button'), 3);
    await strip.getByRole('button', { name: /Blacklist 92.3 strong/ }).waitFor();
    const photo = await page.locator('.search-photo').boundingBox();
    assert.ok(photo !== null && photo.width > 500, 'the photo has half of the width');
    // A wheel zooms the photo with its boxes; a press on a box chooses its face.
    const first = page.getByRole('button', { name: 'Face 1: No match' });
    const before = await first.boundingBox();
    await page.keyboard.press('+');
    await eventually(async () =>
      assert.ok(((await first.boundingBox())?.width ?? 0) > (before?.width ?? Infinity) * 1.2),
    );
    await page.keyboard.press('0');
    await first.click();
    await page.getByRole('heading', { name: 'Face 1 of 3' }).waitFor();
    await page.keyboard.press('n');
    await page.getByRole('heading', { name: 'Face 2 of 3' }).waitFor();
    await page.keyboard.press('c');
    await page.locator('.compare-facts').getByText('group.png').waitFor();
    const meaning = page.locator('.score-meaning:visible');
    assert.match(await meaning.innerText(), /would score this high \(faces compared: 100,000\)\.$/);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Face 3 of 3' }).waitFor();
  },
);

test('threshold, list and further candidates are chosen, recorded and reported', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search?oneIn=7');
  await page.setInputFiles('input[type=file]', { name: 'one.png', mimeType: 'image/png', buffer: PIXEL });
  const matches = page.getByRole('list', { name: 'Candidates, most similar first' }).getByRole('button');
  await hasCount(matches, 4);
  // A match on a blacklist is first, whoever is more similar. A candidate of a person names the person.
  await matches.first().getByText('Document fraud').waitFor();
  await matches.locator('strong', { hasText: personName(21) }).waitFor();
  await hasCount(matches.getByText('Photo:'), 1);
  // The 100,000 faces show 98,400 persons.
  await page.getByText('Expect about 9.8 false matches for each face').waitFor();
  const threshold = page.getByRole('combobox', { name: 'Threshold' });
  await choose(threshold, '1 in 1,000,000 (very strict)');
  await hasCount(matches, 1);
  await choose(threshold, 'False alarm: 1 in 100 searches');
  await page.getByText('The threshold follows the number of persons in these lists: 98,400.').waitFor();
  assert.match(page.url(), /oneIn=100&per=search/);
  await choose(threshold, 'Other rate…');
  const rate = page.getByLabel('One false match in this many comparisons');
  await rate.fill('9');
  await page.getByText('Enter a number from 10 to 1,000,000.').waitFor();
  await rate.fill('1000');
  await rate.press('Enter');
  await page.getByText('Matches score 60.0 or higher.').waitFor();
  await hasCount(matches, 6);
  // The first of two quick choices is still being recorded: the second one keeps it.
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/view', async (route) => {
    await held;
    await route.continue();
  });
  const lists = page.getByRole('combobox', { name: 'Lists' });
  await choose(lists, 'Main gallery (faces: 60,000)');
  await page.getByRole('button', { name: 'Show more candidates (2)' }).click();
  release();
  await page.getByText('These are not matches.').waitFor();
  await hasCount(page.getByRole('list', { name: 'Below the threshold' }).getByRole('button'), 2);
  await hasCount(matches, 3);
  await choose(lists, 'All blacklists');
  await page.getByRole('list', { name: 'Below the threshold' }).waitFor({ state: 'detached' });
  await hasCount(matches, 3);
  assert.match(page.url(), /oneIn=1000&list=blacklists&below=true/);
  const view = { per: 'comparison', oneIn: 1_000, list: 'blacklists', below: true };
  assert.deepEqual(site.searches.at(-1), view);
  assert.equal(site.searches.length, 6, 'each choice is recorded once');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF report' }).click();
  await saved;
  assert.deepEqual(site.searches.at(-1), {
    view,
    face: 0,
    candidate: null,
    file: 'one.png',
    language: 'en',
  });
  // A result that the service no longer keeps leads to another search with the same photo.
  site.behaviour.searchExpired = true;
  await choose(threshold, '1 in 100,000 (strict)');
  await page.getByText('The result of this search is no longer available.').waitFor();
  await hasCount(matches, 3);
  await page.getByRole('button', { name: 'Search again' }).click();
  await hasCount(page.getByText('no longer available'), 0);
});
