/** Erasure with its preview and receipt; retention rules with their preview. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { axeViolations } from './axe.ts';
import { eventually, focused, hasCount } from './browser.ts';
import { RECEIPT } from './fixtureErasure.ts';
import { personName } from './fixtures.ts';
import { IN_BROWSER, openHarness, PIXEL } from './harness.ts';

/** Of the made-up site. */
const ID = 239_960;
const { site, openPageAt } = await openHarness();

test('a person is previewed, erased after the name is typed, and leaves a receipt', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, `/validations/${ID}?tab=summary`);
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = page.getByRole('dialog');
  // Neither an empty first step nor a list that scrolls for itself; the buttons stay in sight.
  await dialog.getByText('Nothing is erased yet.').waitFor();
  await dialog.getByText('Details of what is erased').click();
  await dialog.getByText('Name removed from matches of other validations, which are kept: 41').waitFor();
  await dialog.getByText('Backups that still contain this person: 1.').waitFor();
  const scrolling = await dialog.evaluate(
    (box) =>
      [...box.querySelectorAll('*')].filter(
        (part) =>
          part.scrollHeight > part.clientHeight + 2 &&
          part.ownerDocument.defaultView!.getComputedStyle(part).overflowY === 'auto',
      ).length,
  );
  assert.equal(scrolling, 0, 'only the dialog scrolls');
  assert.ok(await dialog.getByRole('button', { name: 'Erase permanently' }).isVisible());
  await dialog.getByRole('checkbox', { name: /similar face, 92/ }).click();
  await dialog.getByText(`Trust Validation ${ID + 1}: ${personName(ID + 1)}`).waitFor();
  const erase = dialog.getByRole('button', { name: 'Erase permanently' });
  await dialog.getByLabel(/^Type/).fill('somebody else');
  await eventually(async () => assert.ok(await erase.isDisabled()));
  await dialog.getByLabel(/^Type/).fill(personName(ID));
  // An erased record cannot be read again: its panel must not ask for it.
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.method() + ' ' + new URL(request.url()).pathname));
  await erase.click();
  await dialog.getByText('Database pages: 48,211. Found: 0.').waitFor();
  // The panel of the person is closed behind the receipt.
  await page.waitForURL(/\/validations(\?|$)/);
  await hasCount(page.getByRole('complementary'), 0);
  assert.deepEqual(
    asked.filter((path) => path.endsWith(`/validations/${ID}`)),
    [],
    asked.join(),
  );
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    dialog.getByRole('button', { name: 'Save receipt' }).click(),
  ]);
  const file = JSON.parse(await readFile(await saved.path(), 'utf8')) as { receipt: { by: string } };
  assert.equal(file.receipt.by, 'operator:1');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.waitForURL(/\/validations(\?|$)/);
});

test('records are selected while the plan is requested, compared, and unselected', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, `/validations/${ID}?tab=summary`);
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = page.getByRole('dialog');
  const boxes = dialog.locator('.erasure-record input');
  await hasCount(boxes, 3);
  const names = await dialog.locator('.erasure-record strong').allInnerTexts();
  await dialog.getByRole('button', { name: `Compare ${names[1] ?? ''} side by side` }).press('Enter');
  await dialog.getByRole('button', { name: 'Alternate (hold)' }).waitFor();
  assert.deepEqual(await axeViolations(page), []);
  await dialog.getByRole('button', { name: 'Back to the list' }).click();

  const { promise: held, resolve: release } = Promise.withResolvers<undefined>();
  const choices: number[][] = [];
  await page.route('**/erasures/plan', async (route) => {
    choices.push(
      (route.request().postDataJSON() as { choice: { validations: number[] } }).choice.validations,
    );
    await held;
    await route.continue();
  });
  await boxes.nth(1).click();
  await boxes.nth(2).click();
  await dialog.getByText('Preview in progress').waitFor();
  const erase = dialog.getByRole('button', { name: 'Erase permanently' });
  await dialog.getByLabel(/^Type/).fill(personName(ID));
  assert.ok(await erase.isDisabled(), 'the plan of this selection is not known');
  release(undefined);
  await dialog.getByText(/erased: 3 validations, 3 faces/).waitFor();
  await eventually(async () => assert.ok(await erase.isEnabled()));
  assert.deepEqual(choices, [
    [ID, ID + 1],
    [ID, ID + 1, ID + 2],
  ]);
  await boxes.nth(1).click();
  await dialog.getByText(/erased: 2 validations, 2 faces/).waitFor();
  await eventually(() => assert.deepEqual(choices.at(-1), [ID, ID + 2]));
  await eventually(async () => assert.ok(await erase.isEnabled()));
  assert.deepEqual(await dialog.locator('.erasure-record strong').allInnerTexts(), names, 'in their places');
});

test('receipts are listed with their proof, read, verified and taken along', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/erasures');
  const rows = page.getByRole('grid', { name: 'Erasure receipts' }).getByRole('row');
  await rows.filter({ hasText: 'Valid signature, no traces' }).first().waitFor();
  const states = ['Not finished', 'Invalid signature', 'Traces found: 3', 'Valid signature, not searched'];
  for (const state of states) await rows.filter({ hasText: state }).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  await page.waitForURL(`**/erasures/${RECEIPT}`);
  await page
    .getByText('Verified. Fragments searched: 34. Database pages: 48,211. Found: 0.')
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Verify again' }).click();
  await page.getByText('Valid. This installation signed the receipt, and it is unchanged.').waitFor();
  assert.deepEqual(await axeViolations(page), []);
  const save = async (button: string) => {
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: button }).click(),
    ]);
    return saved;
  };
  assert.equal((await save('Save as PDF')).suggestedFilename(), `erasure-${RECEIPT}.pdf`);
  const receipt = await readFile(await (await save('Save receipt')).path(), 'utf8');
  const verify = (text: string) =>
    page
      .locator('input[type=file][aria-label="Verify receipt file"]')
      .setInputFiles({ name: 'receipt.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await verify('something else');
  await page.getByText('This file is not a receipt.').waitFor();
  await verify(receipt.replace('operator:1', 'operator:2'));
  await page.getByText(/another installation signed it/).waitFor();
});

test('a person found by a search is erased from there, then searched again', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/search');
  await page.setInputFiles('input[type=file]', { name: 'probe.png', mimeType: 'image/png', buffer: PIXEL });
  // The enrolled candidate: the first one is of a blacklist.
  const candidates = page.getByRole('list', { name: 'Candidates, most similar first' });
  await candidates.getByRole('button').filter({ hasText: 'Photo:' }).click();
  await page.getByRole('button', { name: 'Erase this person…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.erasure-record', { hasText: '239979' }).waitFor();
  await dialog.getByLabel(/^Type/).fill(personName(239_979));
  site.behaviour.candidates = 'none';
  await dialog.getByRole('button', { name: 'Erase permanently' }).click();
  await dialog.getByRole('heading', { name: 'Erased' }).waitFor();
  assert.equal(await focused(page), 'h3 Erased');
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('heading', { name: 'No match' }).waitFor();
});

test('a rule of retention can be set only after what it would take was shown', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/retention');
  await page.getByLabel('Enrolled photos, with their faces: days until erasure').waitFor();
  const isSaved = page.getByRole('status').getByText('Rules saved.');
  assert.equal(await isSaved.count(), 0, 'nothing was saved by opening the page');
  await page.getByLabel('Enrolled photos, with their faces: days until erasure').fill('365');
  await page.getByRole('button', { name: 'Preview rules' }).click();
  await page.getByText('Items that the next run would erase: 1,204.').waitFor();
  // How many there are, and how many fall due soon, stand beside the rule.
  const enrolled = page.getByRole('row', { name: /^Enrolled photos, with their faces/ });
  assert.match(await enrolled.innerText(), /2,745[^]*1,204[^]*1,310/);
  assert.deepEqual(await axeViolations(page), []);
  // Typed on while the answer was on its way: what would go was shown for other rules than these.
  let answer: () => void = () => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  await page.route('**/retention/preview', async (route) => {
    await held;
    await route.continue();
  });
  const looked = page.waitForResponse('**/retention/preview');
  await page.getByLabel('Enrolled photos, with their faces: days until erasure').fill('30');
  await page.getByRole('button', { name: 'Preview rules' }).click();
  await page.getByLabel('Enrolled photos, with their faces: days until erasure').fill('300');
  answer();
  await looked;
  const look = page.getByRole('button', { name: 'Preview rules' });
  await eventually(async () => assert.ok(await look.isEnabled()));
  await look.click();
  await page.getByRole('button', { name: 'Save rules' }).click();
  await isSaved.waitFor();
});

test(
  'a held daily erasure says why, and goes on after the rules are confirmed again',
  IN_BROWSER,
  async (t) => {
    site.behaviour.health = 'bad';
    t.after(() => (site.behaviour.health = 'good'));
    const page = await openPageAt(t, '/settings/retention');
    await page.getByText('The daily erasure is suspended. The clock shows').waitFor();
    assert.deepEqual(await axeViolations(page), []);
    await page.getByRole('button', { name: 'Preview rules' }).click();
    await page.getByRole('button', { name: 'Save rules' }).click();
    await page.getByText('The daily erasure is suspended.').waitFor({ state: 'detached' });
  },
);
