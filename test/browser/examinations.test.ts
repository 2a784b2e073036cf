/** The examination of two faces, by keyboard. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import type { ExaminedSignatures } from '../../core/contracts/dashboard/examinations.ts';
import { eventually, follow, hasCount } from './browser.ts';
import { FIRST_PERSON, personName } from './fixtures.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('each picture is analysed alone, then the features are compared by keyboard', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations');
  await page.getByText('Examination 1', { exact: true }).click();
  await page.getByText('Save the first step only if').waitFor();
  for (const picture of ['First picture', 'Second picture']) {
    await page.getByRole('heading', { name: `Analysis: ${picture}` }).waitFor();
    assert.equal(await page.locator('.pane-window').count(), 1);
    await page.getByRole('radiogroup', { name: 'Light' }).getByText('Some limit').click();
    await page.getByLabel('What it supports').fill('Nose and mouth are sharp.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
  }
  await page.getByRole('heading', { name: 'Comparison 1 of 18: Skin' }).waitFor();
  for (const picture of ['First picture', 'Second picture']) {
    await page.getByRole('application', { name: `Mark in: ${picture}` }).focus();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.getByRole('button', { name: 'Remove marks' }).focus();
  await page.keyboard.press('2');
  await page.getByRole('button', { name: 'Save step' }).click();
  await page.getByRole('heading', { name: 'Comparison 2 of 18: Outline' }).waitFor();
  const [work] = site.examinations.get(1)!.works;
  assert.deepEqual(
    [work?.analyses.map(({ limits }) => limits.light), work?.findings[0]?.finding],
    [['some', 'some'], 'different'],
  );
  assert.ok(work?.findings[0]?.marks.every((mark) => mark !== null));
  assert.equal(await page.getByText('System', { exact: true }).count(), 0);
});

test('a step that another window saved leaves no mark for the next one', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations/2');
  await page.getByRole('heading', { name: 'Comparison 9 of 18' }).waitFor();
  await page.getByRole('application', { name: 'Mark in: First picture' }).focus();
  await page.keyboard.press('Enter');
  const remove = page.getByRole('button', { name: 'Remove marks' });
  assert.equal(await remove.isEnabled(), true);
  const content = site.examinations.get(2)!;
  const [work] = content.works;
  const [last] = work!.findings;
  const found = { ...last!, component: 'nose' as const };
  site.examinations.set(2, { ...content, works: [{ ...work!, findings: [...work!.findings, found] }] });
  site.report('duplicates');
  await page.getByRole('heading', { name: 'Comparison 10 of 18' }).waitFor();
  assert.equal(await remove.isEnabled(), false);
});

test('different conclusions are shown side by side and settled', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations/4');
  await page.getByRole('heading', { name: 'Conclusion · Idris Vale' }).waitFor();
  await page.getByLabel('Conclusion').selectOption('No support for either');
  await page.getByLabel('Reasons').fill('The scar is a scratch of the film.');
  await page.getByRole('button', { name: 'Save common conclusion' }).click();
  await page.getByRole('heading', { name: 'Common conclusion · Maren Holt' }).waitFor();
  assert.equal(site.examinations.get(4)?.settlement?.conclusion, 'neither');
});

test('a third operator settles for two examiners who left', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations/8');
  await page.getByText('The report names you as third operator.').waitFor();
  await page.getByLabel('Conclusion').selectOption('No support for either');
  await page.getByLabel('Reasons').fill('One examiner saw a scar where the film is scratched.');
  await page.getByRole('button', { name: 'Save conclusion' }).click();
  await page.getByRole('heading', { name: 'Conclusion of a third operator · Maren Holt' }).waitFor();
  assert.equal(site.examinations.get(8)?.settlement?.by, 'operator:1');
});

test('an examiner who left is named and replaced, and another one begins', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations/5');
  await page.getByText('Another operator examines this pair.').waitFor();
  await page.getByRole('button', { name: 'Replace examiner…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Replace examiner' });
  const send = dialog.getByRole('button', { name: 'Replace examiner', exact: true });
  await dialog.getByText('kept with the examination and no operator sees it').waitFor();
  assert.equal(await send.isDisabled(), true);
  await dialog.getByLabel('Examiner who left').selectOption({ label: 'Viktor Kone' });
  await send.click();
  await page.getByRole('heading', { name: 'Analysis: First picture' }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Replace examiner…' }).count(), 0);
  const { works, replaced } = site.examinations.get(5)!;
  assert.deepEqual(
    [works, replaced.map(({ by, findings }) => [by, findings.length])],
    [[], [['operator:6', 5]]],
  );
});

const PROBE = { name: 'probe.png', mimeType: 'image/png', buffer: PIXEL };

/** Begins an examination with the button of a page. @returns the faces that are sent */
async function begin(page: Page, store?: string): Promise<unknown[]> {
  const sent = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/examinations'),
  );
  await page.getByRole('button', { name: 'Examine pair' }).first().click();
  if (store !== undefined) {
    const dialog = page.getByRole('dialog', { name: 'Examine pair' });
    await dialog.getByText('No search finds a photo of an examination.').waitFor();
    await dialog.getByRole('button', { name: store }).click();
  }
  const { faces } = (await sent).postDataJSON() as { faces: unknown[] };
  await page.waitForURL(/examinations\/1$/);
  await page.getByText('Save the first step only if').waitFor();
  assert.equal(await page.getByText('System', { exact: true }).count(), 0);
  return faces;
}

for (const path of ['/validations/239991', '/duplicates/302'])
  test(`an examination begins at ${path} and stores nothing`, IN_BROWSER, async (t) => {
    const page = await openPageAt(t, path);
    const faces = await begin(page);
    assert.ok(faces.length === 2 && faces.every((face) => typeof face === 'number'));
  });

test('an examination begins at two photos of a person', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons/21');
  const photos = page.getByRole('checkbox', { name: /^Select the photo of/ });
  await photos.nth(0).check();
  assert.equal(await page.getByRole('button', { name: 'Examine pair' }).count(), 0);
  await photos.nth(1).check();
  const faces = await begin(page);
  assert.equal(new Set(faces).size, 2);
});

test('an examination begins at a search result, once the photo may be stored', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  await page.setInputFiles('input[type=file]', PROBE);
  await page.getByRole('radio', { name: 'Side by side' }).check({ force: true });
  const [photo, candidate] = await begin(page, 'Store photo and examine');
  const { photo: uri, ...rest } = photo as { photo: string; face: number; name: string };
  assert.deepEqual(rest, { face: 0, name: 'probe.png' });
  assert.ok(uri.startsWith('data:image/png;base64,'));
  assert.equal(typeof candidate, 'number');
});

test('an examination begins at two compared photos, once they may be stored', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/compare');
  for (const label of ['First photo', 'Second photo'])
    await page.getByLabel(label).locator('input[type=file]').setInputFiles(PROBE);
  await page.getByRole('button', { name: 'Compare faces' }).click();
  const faces = await begin(page, 'Store photos and examine');
  assert.deepEqual(
    faces.map((face) => (face as { face: number }).face),
    [0, 0],
  );
});

test('an examination begins at two compared signatures, once they may be stored', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/signatures');
  for (const label of ['First signature', 'Second signature'])
    await page.getByLabel(label).locator('input[type=file]').setInputFiles(PROBE);
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  const sent = page.waitForRequest((request) => request.url().endsWith('/examinations'));
  await page.getByRole('button', { name: 'Examine pair' }).click();
  const dialog = page.getByRole('dialog', { name: 'Examine pair' });
  await dialog.getByText('are erased with the comparison').waitFor();
  await dialog.getByRole('button', { name: 'Store signatures and examine' }).click();
  const { comparison, signatures } = (await sent).postDataJSON() as ExaminedSignatures;
  assert.equal(comparison, 1);
  assert.deepEqual(
    signatures.map(({ name, width, height }) => [name, width > 0, height > 0]),
    Array(2).fill(['probe.png', true, true]),
  );
});

test('the features of signatures are compared, with the score of the matcher last', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations/6');
  await page.getByRole('heading', { name: 'Comparison 7 of 16: Baseline' }).waitFor();
  assert.equal(await page.getByText('System', { exact: true }).count(), 0);
  await follow(page, '/examinations/7');
  await page.getByText('Strong support for one writer').first().waitFor();
  await page.getByText('cheque.png').waitFor();
  await hasCount(page.locator('.likeness .score-mark'), 1);
});

test('a practice shows known pairs, their solutions and the own result', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/examinations');
  await page.getByRole('link', { name: 'Practise with known pairs' }).click();
  await page.getByRole('button', { name: 'Start practice' }).click();
  const solution = page.getByText(/^(Both photos belong to|The photos belong to) /);
  await page.getByText('1 of 16', { exact: true }).waitFor();
  assert.equal(await solution.count(), 0);
  const told = { one: 0, two: 0 };
  /** Pairs with the photo of a person whose score is in a band: it may show the same one. */
  let doubtful = 0;
  for (let shown = 1; shown <= 16; shown += 1) {
    await page.getByText(`${shown} of 16`, { exact: true }).waitFor();
    await eventually(async () => {
      await page.keyboard.press('s');
      await solution.waitFor({ timeout: 500 });
    });
    const text = (await solution.textContent()) ?? '';
    const isOne = text.startsWith('Both');
    if (text.endsWith(` and to ${personName(FIRST_PERSON)}.`)) doubtful += 1;
    await page.getByRole('heading', { name: isOne ? 'Right' : 'Wrong' }).waitFor();
    told[isOne ? 'one' : 'two'] += 1;
    await page.keyboard.press('n');
  }
  assert.deepEqual(told, { one: 8, two: 8 });
  // As the next person of the draw at most, where no other is without doubt.
  assert.ok(doubtful <= 1, `${doubtful}`);
  await page.getByText('8 of 16 right').waitFor();
  await page.getByText('Pairs of two persons: 0 of 8 right.').waitFor();
  await hasCount(page.locator('li a[href^="/persons/"]'), 8);
  // No answer has left the window.
  assert.deepEqual(site.persons.changes, []);
  await page.getByRole('button', { name: 'Draw new pairs' }).click();
  await page.getByRole('button', { name: 'Start practice' }).waitFor();
});

test('a site without persons of several photos is told what a practice needs', IN_BROWSER, async (t) => {
  site.behaviour.rows = 0;
  const page = await openPageAt(t, '/examinations/practice');
  await page.getByRole('button', { name: 'Start practice' }).click();
  await page.getByText('Too few persons with two photos').waitFor();
});
