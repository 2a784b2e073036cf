/** A person is erased by somebody who sees everything that goes; rules of retention are seen before they count. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { axeViolations } from './axe.ts';
import { eventually } from './browser.ts';
import { personName } from './fixtures.ts';
import { IN_BROWSER, openMadeUpSite } from './madeUpSite.ts';

/** Of the made-up site. */
const ID = 239_960;
const { visit } = await openMadeUpSite();

test(
  'who is erased is seen first, with whoever may be the same; the name is typed; the receipt is a file',
  IN_BROWSER,
  async (t) => {
    const page = await visit(t, `/validations/${ID}?tab=summary`);
    await page.getByRole('button', { name: 'Erase this person…' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Nothing is erased by looking.').waitFor();
    await dialog.getByRole('button', { name: 'Show what would go' }).click();
    await dialog.getByText('The name goes from entries of other validations, which stay: 41').waitFor();
    await dialog.getByText('Backups made while the person was here: 1.').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await dialog.getByRole('checkbox', { name: /similar face, 92/ }).click();
    await dialog.getByText(`Trust Validation ${ID + 1}: ${personName(ID + 1)}`).waitFor();
    const erase = dialog.getByRole('button', { name: 'Erase for good' });
    await dialog.getByLabel(/^Type/).fill('somebody else');
    await eventually(async () => assert.ok(await erase.isDisabled()));
    await dialog.getByLabel(/^Type/).fill(personName(ID));
    await erase.click();
    await dialog.getByText('34 pieces in 48,211 pages, 0 found').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save the receipt' }).click(),
    ]);
    const file = JSON.parse(await readFile(await saved.path(), 'utf8')) as { receipt: { by: string } };
    assert.equal(file.receipt.by, 'operator:1');
    await dialog.getByRole('button', { name: 'Close' }).last().click();
    await page.waitForURL(/\/validations(\?|$)/);
  },
);

test('a rule of retention can be set only after what it would take was shown', IN_BROWSER, async (t) => {
  const page = await visit(t, '/system');
  await page.getByLabel('Verified validations').fill('365');
  await page.getByRole('button', { name: 'Show what would go' }).click();
  await page.getByText('These rules would erase 1,204 things at the next run.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  // Typed on while the answer was on its way: what would go was shown for other rules than these.
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/retention/preview', async (route) => {
    await held;
    await route.continue();
  });
  const looked = page.waitForResponse('**/retention/preview');
  await page.getByLabel('Verified validations').fill('30');
  await page.getByRole('button', { name: 'Show what would go' }).click();
  await page.getByLabel('Verified validations').fill('300');
  answer();
  await looked;
  const look = page.getByRole('button', { name: 'Show what would go' });
  await eventually(async () => assert.ok(await look.isEnabled()));
  await look.click();
  await page.getByRole('button', { name: 'Set these rules' }).click();
  await page.getByText('These rules are in force.').waitFor();
});
