/** The examination of two faces, by keyboard. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { axeViolations } from './axe.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

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
    assert.deepEqual(await axeViolations(page), []);
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
  assert.deepEqual(await axeViolations(page), []);
  await page.getByLabel('Conclusion').selectOption('No support for either');
  await page.getByLabel('Reasons').fill('The scar is a scratch of the film.');
  await page.getByRole('button', { name: 'Save common conclusion' }).click();
  await page.getByRole('heading', { name: 'Common conclusion · Maren Holt' }).waitFor();
  assert.equal(site.examinations.get(4)?.settlement?.conclusion, 'neither');
});
