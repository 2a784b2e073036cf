/** The New verification screen on the made-up service. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { MAX_PHOTOS, validationDetail } from '../../core/contracts/dashboard/validations.ts';
import { axeViolations } from './axe.ts';
import { eventually, focused, hasCount } from './browser.ts';
import { convertedFiles, HEIC } from './otherFormats.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

const { site, openPageAt } = await openHarness();

const photo = (name: string) => ({ name, mimeType: 'image/png', buffer: PIXEL });

test(
  'a verification shows its result beside the form, and the next person follows',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/verify?flow=7');
    const run = page.getByRole('button', { name: 'Run verification' });
    assert.equal(await run.isDisabled(), true);
    await page.locator('input[type=file]').setInputFiles(photo('ben.png'));
    await page.getByLabel('Name').fill('Ben');
    await page.getByLabel('Reference').fill('Visitor 12');
    await run.dblclick();
    const result = page.getByRole('region', { name: 'Result' });
    await result.getByText('Review Needed').waitFor();
    await result.getByText('A person must compare the faces and decide.').waitFor();
    await result.getByText('Refused entry 2025').first().waitFor();
    await result.getByRole('button', { name: 'Different person' }).waitFor();
    // The meaning of a score is in its match alone.
    const meaning = result.locator('.score-meaning:visible');
    await hasCount(meaning, 1);
    assert.match(
      await meaning.innerText(),
      /would score this high, and it may be far fewer \(faces compared: 100,000\)\.$/,
    );
    const [first, second] = site.verifications;
    assert.equal(second, undefined);
    assert.deepEqual({ ...first, key: '' }, { flow: 7, name: 'Ben', reference: 'Visitor 12', key: '' });
    // Its heading has the focus. A live region would be read whole after each change in it.
    await page.locator('.verify-outcome[aria-live=off]').waitFor();
    await page.keyboard.press('n');
    await page.getByText('The result appears here').waitFor();
    assert.equal(await focused(page), 'h1 New verification');
    assert.equal(await page.getByLabel('Name').inputValue(), '');
    assert.equal(await page.getByLabel('Trust Flow').inputValue(), '7');
  },
);

test('of a photo with several faces the operator chooses the one to verify', IN_BROWSER, async (t) => {
  site.behaviour.candidates = 'group';
  const before = site.verifications.length;
  const page = await openPageAt(t, '/verify?flow=7');
  await page.locator('input[type=file]').setInputFiles(photo('group.png'));
  const run = page.getByRole('button', { name: 'Run verification' });
  await run.click();
  await page.getByText('Choose the face to verify.').waitFor();
  assert.equal(await run.isDisabled(), true);
  await page.getByRole('img', { name: 'A head that is covered or unclear. It cannot be chosen.' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // There is no third face.
  await page.keyboard.press('3');
  await page.keyboard.press('2');
  await page.getByRole('link', { name: 'Open validation' }).waitFor();
  const [refused, chosen] = site.verifications.slice(before).map(({ key }) => key);
  assert.notEqual(refused, chosen);
});

test('a photo of another format is converted as in enrolment, and HEIC is named', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/verify?flow=7');
  const input = page.locator('input[type=file]');
  assert.match((await input.getAttribute('accept')) ?? '', /\.tiff,\.jp2.*\.dg2/);
  await input.setInputFiles({ name: 'phone.heic', mimeType: '', buffer: HEIC });
  await page.getByRole('button', { name: 'Run verification' }).click();
  await page.getByText('phone.heic is HEIC, which Vouch does not read. Save it as JPEG').waitFor();
  for (const { name, buffer } of await convertedFiles()) {
    await page.reload();
    await input.setInputFiles({ name, mimeType: '', buffer });
    const sent = page.waitForRequest((request) => request.postData()?.startsWith('{"photos":') === true);
    await page.getByRole('button', { name: 'Run verification' }).click();
    assert.match((await sent).postData() ?? '', /^\{"photos":\["data:image\/jpeg;base64,\/9j/, name);
    await page.getByRole('link', { name: 'Open validation' }).waitFor();
    await page.getByText(`${name}.jpg`, { exact: true }).waitFor();
    await eventually(async () =>
      assert.ok(
        await page.locator('.photo-field img').evaluate((image: HTMLImageElement) => image.naturalWidth),
      ),
    );
  }
});

test('a photo that is not read is named in Arabic', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/verify?flow=7', { arabic: true });
  await page.locator('input[type=file]').setInputFiles({ name: 'phone.heic', mimeType: '', buffer: HEIC });
  await page.locator('.verify-form button[type=submit]').click();
  await page.getByText(/phone\.heic.*بصيغة.*HEIC.*احفظه بصيغة JPEG/).waitFor();
});

test('the matches of one person are one row, which unfolds', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/verify?flow=7');
  await page.route(/\/api\/dashboard\/validations\/\d+$/, async (route) => {
    const response = await route.fetch();
    const detail = validationDetail.parse(await response.json());
    for (const { personMatch } of detail.duplicates)
      Object.assign(personMatch, { id: 7, photos: 3, agreeing: 2 });
    await route.fulfill({ response, json: detail });
  });
  await page.locator('input[type=file]').setInputFiles(photo('marek.png'));
  await page.getByRole('button', { name: 'Run verification' }).click();
  const rows = page.getByRole('list', { name: 'Matches' }).getByRole('listitem');
  await hasCount(rows, 1);
  await rows.getByText('91.4').waitFor();
  await rows.getByText('Photos of this person that match by themselves: 2 of 3.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await page.getByRole('button', { name: 'More photos of this person: 1' }).click();
  await hasCount(rows, 2);
  await hasCount(page.getByRole('button', { name: /More photos/ }), 0);
  await rows.getByText('This photo alone: 73.2.').waitFor();
  await hasCount(rows.getByText('Probably the same picture again.'), 1);
});

test('a refused photo keeps the form, and a lost answer is repeated with its key', IN_BROWSER, async (t) => {
  site.behaviour.candidates = 'refused';
  const page = await openPageAt(t, '/verify?flow=7');
  await page.locator('input[type=file]').setInputFiles(photo('blank.png'));
  await page.getByLabel('Name').fill('Ben');
  const run = page.getByRole('button', { name: 'Run verification' });
  await run.click();
  await page.getByText('Nothing was stored.').waitFor();
  assert.equal(await page.getByLabel('Name').inputValue(), 'Ben');
  site.behaviour.candidates = 'none';
  await page.getByRole('button', { name: 'Replace photo' }).click();
  await page.locator('input[type=file]').setInputFiles(photo('ben.png'));
  await page.route('**/api/dashboard/verifications?*', (route) => route.fetch().then(() => route.abort()), {
    times: 1,
  });
  await run.click();
  await page.getByText('No connection to the Vouch service').waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The face is now enrolled').waitFor();
  const [refused, lost, repeated] = site.verifications.map(({ key }) => key);
  assert.equal(lost, repeated);
  assert.notEqual(refused, lost);
});

test('several photos of a person are sent together, and a stranger is named', IN_BROWSER, async (t) => {
  site.behaviour.candidates = 'other-person';
  const page = await openPageAt(t, '/verify?flow=7');
  await page.locator('input[type=file]').setInputFiles([photo('ben.png'), photo('stranger.png')]);
  await hasCount(page.getByRole('button', { name: 'Remove photo' }), 2);
  await page.getByLabel('Add photos of this person').setInputFiles(['3', '4', '5', '6'].map(photo));
  await hasCount(page.getByRole('button', { name: 'Remove photo' }), MAX_PHOTOS);
  assert.equal(await page.getByRole('button', { name: 'Add photos of this person' }).isDisabled(), true);
  await page.getByRole('button', { name: 'Run verification' }).click();
  await page.getByText('Photo 2 cannot be used').waitFor();
  await page.getByText('This photo probably shows a different person').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  site.behaviour.candidates = 'some';
  await page.getByRole('button', { name: 'Remove photo' }).nth(1).click();
  const sent = page.waitForRequest(/verifications\?/);
  await page.getByRole('button', { name: 'Run verification' }).click();
  assert.equal(((await sent).postDataJSON() as { photos: unknown[] }).photos.length, MAX_PHOTOS - 1);
  await page.getByRole('link', { name: 'Open validation' }).waitFor();
});

test('without a Trust Flow the screen explains what one is', IN_BROWSER, async (t) => {
  site.behaviour.rows = 0;
  const page = await openPageAt(t, '/verify');
  await page.getByText('No Trust Flow yet').waitFor();
  await page.getByRole('link', { name: 'New Trust Flow' }).click();
  await page.waitForURL('**/trust-flows/new');
});

/** The contrast of the text of a field with its background (WCAG 2.2), the opacity of the field included. */
const CONTRAST = `(field) => {
  const { color, backgroundColor, opacity } = getComputedStyle(field);
  const [ink, ground] = [color, backgroundColor].map((text) => text.match(/[\\d.]+/g).slice(0, 3).map(Number));
  const shown = ink.map((part, at) => part * opacity + ground[at] * (1 - opacity));
  const [light, dark] = [shown, ground]
    .map((parts) => parts.map((part) => (part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4)))
    .map(([red, green, blue]) => 0.2126 * red + 0.7152 * green + 0.0722 * blue)
    .sort((one, other) => other - one);
  return (light + 0.05) / (dark + 0.05);
}`;

test(
  'the values of a finished verification can be read in the dark and in the light',
  IN_BROWSER,
  async (t) => {
    for (const colorScheme of ['dark', 'light'] as const) {
      const page = await openPageAt(t, '/verify?flow=7', { colorScheme });
      await page.locator('input[type=file]').setInputFiles(photo('ben.png'));
      await page.getByLabel('Name').fill('Ben');
      await page.getByRole('button', { name: 'Run verification' }).click();
      await page.getByRole('region', { name: 'Result' }).getByText('Review Needed').waitFor();
      const contrasts = await page.evaluate<number[]>(
        `[...document.querySelectorAll('.verify-form .mantine-Input-input:disabled')].map(${CONTRAST})`,
      );
      assert.equal(contrasts.length, 3);
      for (const contrast of contrasts) assert.ok(contrast >= 4.5, `${colorScheme}: ${contrasts.join(' ')}`);
    }
  },
);
