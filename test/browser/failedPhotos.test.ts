/** Failed photos in the dashboard: filtered, opened large, corrected by keyboard, undone, and saved as CSV. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { csvRows } from '../../core/contracts/csv.ts';
import { axeViolations } from './axe.ts';
import { eventually, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness } from './harness.ts';
import { HEIC } from './otherFormats.ts';

const { site, openPageAt } = await openHarness();

const drawn = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#789' } })
  .png()
  .toBuffer();

/** A folder with photos of these names. */
function photosIn(t: TestContext, names: readonly string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-failed-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const name of names) writeFileSync(join(folder, name), drawn);
  return folder;
}

test('failed photos are chosen, turned, sent, skipped and undone by keyboard', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  // The remedy is in the row.
  await page.getByText('Crop the photo to one person.').first().waitFor();
  await page.getByRole('button', { name: /^Several faces 2$/ }).click();
  await hasCount(page.getByText('sideways-2.png'), 0);
  await page.getByRole('button', { name: /^Several faces 2$/ }).click();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-4.png', 'group-3.png', 'sideways-2.png']));
  await page.getByText('group-4.png').click();
  const send = page.getByRole('button', { name: 'Send and open the next photo' });
  // Of several faces, none is chosen for the operator unless it is clearly the main one.
  await page.getByText('Choose a face or draw the part to send.').waitFor();
  assert.ok(await send.isDisabled());
  await page.keyboard.press('1');
  await page.getByText('Face 1 of 3: only this part of the photo is sent.').waitFor();
  await page.getByRole('img', { name: 'Photo to send' }).waitFor();
  await page.keyboard.press('Enter');
  // The next failed photo; the first correction can still be undone.
  await page.getByRole('heading', { name: 'group-3.png' }).waitFor();
  assert.equal(site.fixes.size, 0);
  await page.keyboard.press('z');
  await page.getByRole('heading', { name: 'group-4.png' }).waitFor();
  await page.keyboard.press('s');
  // The main face has its number by rows, as a photo of a sheet would.
  await page.getByText('Face 2 of 3: only this part of the photo is sent.').waitFor();
  await page.getByRole('img', { name: 'Photo to send' }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'sideways-2.png' }).waitFor();
  await page.getByText('The whole photo is sent.').waitFor();
  await page.keyboard.press('r');
  await eventually(async () => {
    const box = await page.locator('.fix-photo').boundingBox();
    assert.ok(box !== null && box.height > box.width, 'the photo stands upright');
  });
  await eventually(async () => assert.ok(await send.isEnabled()));
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'group-4.png' }).waitFor();
  await page.keyboard.press('Escape');
  await eventually(() =>
    assert.deepEqual(
      [...site.fixes],
      [
        [3, 'face=2&faces=3'],
        [2, 'faces=0'],
      ],
    ),
  );
});

test('a failed photo links to the page of its person', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures/3');
  await page.getByRole('heading', { name: 'group-3.png' }).waitFor();
  await page.locator('.fix-head').getByRole('link', { name: 'Omar Evans' }).click();
  await eventually(() => assert.equal(new URL(page.url()).pathname, '/persons/21'));
});

test('all faces of a photo are sent in one step, each as its own photo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-4.png']));
  await page.getByText('group-4.png').click();
  const before = site.receivedHeads.length;
  site.fixes.clear();
  await page.getByRole('button', { name: 'Enrol all faces (3)' }).click();
  await page.getByRole('heading', { name: 'group-4.png' }).waitFor({ state: 'detached' });
  await page.keyboard.press('Escape');
  await eventually(() => assert.deepEqual([...site.fixes], [[4, 'faces=3']]));
  assert.deepEqual(
    site.receivedHeads.slice(before).map((head) => head.slice(0, 3)),
    Array.from({ length: 3 }, () => '\u00ff\u00d8\u00ff'),
  );
});

test('a face chosen by key before the photo is on screen is chosen when it comes', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-4.png']));
  await page.getByRole('row').filter({ hasText: 'group-4.png' }).getByRole('img').waitFor();
  // A disk that takes its time.
  await page.evaluate(
    `{ const read = Blob.prototype.arrayBuffer;
       Blob.prototype.arrayBuffer = async function () {
         await new Promise((done) => setTimeout(done, 2000));
         return read.call(this);
       }; }`,
  );
  await page.getByText('group-4.png').click();
  await page
    .getByText('Choose a face or draw the part to send.')
    .or(page.locator('.fix-side'))
    .first()
    .waitFor();
  assert.equal(await page.locator('.fix-photo').count(), 0, 'the photo is still being read');
  await page.keyboard.press('2');
  await page.getByText('Face 2 of 3: only this part of the photo is sent.').waitFor();
});

test('a photo in another format is converted before it is fixed, or named', IN_BROWSER, async (t) => {
  const folder = photosIn(t, ['group-4.png', 'group-3.png']);
  writeFileSync(join(folder, 'sideways-2.png'), await sharp(drawn).avif().toBuffer());
  writeFileSync(join(folder, 'group-4.png'), HEIC);
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', folder);
  await page.getByText('sideways-2.png').click();
  await page.getByText('The whole photo is sent.').waitFor();
  await page.getByRole('img', { name: 'Photo to send' }).waitFor();
  await page.keyboard.press('Enter');
  // Chromium on Linux has no decoder for HEIC.
  await page.getByText('group-4.png is HEIC, which Vouch does not read.').waitFor();
  await page.keyboard.press('Escape');
  await eventually(() => assert.deepEqual([...site.fixes.keys()], [2]));
  assert.match(site.receivedHeads.join('|'), /^\u00ff\u00d8\u00ff.$/);
});

test('the main faces are shown before they are sent, and one is left out', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-3.png']));
  await page.getByRole('button', { name: 'Take the main faces' }).click();
  await page.getByText('Photos with several faces: 2. With a main face: 1. Shown: 1.').waitFor();
  const face = page.getByRole('button', { name: 'group-3.png' });
  // A face that overlaps the main one is covered, up to the box of the main one.
  const [ofMain, ofOther] = await face.locator('img').evaluate(async (image) => {
    const bitmap = await createImageBitmap(image as HTMLImageElement);
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height);
    const context = canvas.getContext('2d');
    context?.drawImage(bitmap, 0, 0);
    const at = (x: number) => [...(context?.getImageData(x, bitmap.height / 2, 1, 1).data ?? [])];
    return [at(bitmap.width / 2), at(bitmap.width * 0.76)];
  });
  assert.ok((ofMain[2] ?? 0) > 140, `the main face is as in the photo: ${ofMain.join()}`);
  assert.ok(Math.abs((ofOther[2] ?? 0) - 128) < 6, `the other face is grey: ${ofOther.join()}`);
  await face.click();
  assert.ok(await page.getByRole('button', { name: 'Enrol faces (0)' }).isDisabled());
  await face.click();
  await page.getByRole('button', { name: 'Enrol faces (1)' }).click();
  await eventually(() => assert.deepEqual([...site.fixes], [[3, 'face=2&faces=3']]));
});

test('sheets are split together after the operator saw their faces', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-3.png', 'group-4.png']));
  site.fixes.clear();
  await page.getByRole('button', { name: 'Split sheets' }).click();
  await page.getByText('Photos with several faces: 2. To be split: 2. Shown: 2.').waitFor();
  const sheet = (name: string) => page.getByRole('button', { name });
  assert.deepEqual(
    await sheet('group-4.png').locator('.main-portrait').allTextContents(),
    ['#1', '#2', '#3'],
    'the numbers that the photos get',
  );
  await sheet('group-3.png').click();
  const before = site.receivedHeads.length;
  await page.getByRole('button', { name: 'Enrol faces (3)' }).click();
  await eventually(() => assert.deepEqual([...site.fixes], [[4, 'faces=3']]));
  assert.equal(site.receivedHeads.length - before, 3);
});

test('a photo of gigabytes has no thumbnail and is not opened', IN_BROWSER, async (t) => {
  const folder = photosIn(t, ['group-4.png', 'group-3.png']);
  // 30,000 by 30,000 pixels, as the header states them.
  const huge = Buffer.from(drawn);
  huge.writeUInt32BE(30_000, 16);
  huge.writeUInt32BE(30_000, 20);
  writeFileSync(join(folder, 'group-4.png'), huge);
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', folder);
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await row('group-3.png').getByRole('img').waitFor();
  await hasCount(row('group-4.png').getByRole('img'), 0);
  await page.getByText('group-4.png').click();
  await page.getByText('Photos of more than 200 megapixels are not opened here.', { exact: false }).waitFor();
  await hasCount(page.locator('.fix-photo'), 0);
});

test('photos that cannot be fixed leave the list with a note, until it is undone', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures');
  await page.getByText('group-4.png').waitFor();
  const bar = page.getByRole('region', { name: 'Selected failed photos' });
  const dialog = page.getByRole('dialog');
  const open = async () => {
    await page.keyboard.press('Control+a');
    await bar.getByRole('button', { name: 'Mark as not fixable' }).click();
  };
  const mark = async () => {
    await dialog.getByLabel('Note (optional)').fill('Photos of dogs');
    await dialog.getByRole('button', { name: 'Mark as not fixable' }).click();
    await page.getByText('Photos marked as not fixable: 3').waitFor();
    await page.getByText('No photos to fix').waitFor();
  };
  await open();
  assert.deepEqual(await axeViolations(page), []);
  await mark();
  await page.keyboard.press('Control+z');
  await page.getByText('group-4.png').waitFor();
  await open();
  await mark();
  await page.getByText('Cannot be fixed', { exact: true }).click();
  await page.getByText('Marked by Amal as not fixable. Photos of dogs').first().waitFor();
  await page.keyboard.press('Control+a');
  await bar.getByRole('button', { name: 'Remove mark "not fixable"' }).click();
  await page.getByText('No matching photos').waitFor();
  assert.equal(site.unfixable.size, 0);
});

test('several failed photos are selected and sent again in one step', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures?state=open');
  await page.getByText('group-4.png').waitFor();
  await page.setInputFiles('input[type=file]', photosIn(t, ['group-4.png', 'sideways-2.png']));
  await page.keyboard.press('Control+a');
  const bar = page.getByRole('region', { name: 'Selected failed photos' });
  await bar.getByText('3 selected').waitFor();
  // A photo that another filter hides is in no selection.
  await page.getByText('Cannot be fixed', { exact: true }).click();
  await hasCount(bar, 0);
  await page.goBack();
  await page.getByText('group-4.png').waitFor();
  await hasCount(bar, 0);
  await page.keyboard.press('Control+a');
  await bar.getByText('3 selected').waitFor();
  await bar.getByRole('button', { name: 'Send files again' }).click();
  await page.getByText('Photos sent: 2. Not readable in this window: 1. Not accepted: 0.').waitFor();
  await hasCount(bar, 0);
  assert.deepEqual([...site.fixes.keys()].toSorted(), [2, 4]);
});

test(
  'a run opens as its failed photos with its totals, and the failures are saved',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/enrol/uploads');
    // From the start to the last photo. A run whose photos wait has no duration yet.
    await page.getByRole('columnheader', { name: 'Duration' }).waitFor();
    const durationOf = (name: string) =>
      page.getByRole('row').filter({ hasText: name }).getByRole('gridcell');
    await durationOf('Gate photos').getByText('2 mins', { exact: true }).waitFor();
    await durationOf('Barred persons').getByText('–', { exact: true }).waitFor();
    await page.getByText('Gate photos').click();
    const facts = page.getByLabel('Show the run');
    for (const text of ['Gate photos', 'Amal', '2 min', '602', '598']) await facts.getByText(text).waitFor();
    await hasCount(page.getByText('Fixed by Amal: face 2 of 3 chosen.'), 0);
    await page.getByText('All', { exact: true }).click();
    await page.getByText('Fixed by Amal: face 2 of 3 chosen.').waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download CSV' }).click();
    assert.equal((await saved).suggestedFilename(), 'vouch-failed-photos.csv');
    const table = csvRows(readFileSync(await (await saved).path(), 'utf8')) ?? [];
    const [head = [], ...photos] = table.map(({ cells }) => cells);
    assert.equal(head.join().includes('_'), false, 'columns are named as in the other files');
    const named = photos.map((cells) => cells[head.indexOf('person')]).filter(Boolean);
    assert.ok(named.length > 0, 'the persons of the list are in the file');
    assert.equal(site.exports[0]?.kind, 'uploadResults');
  },
);
