/** Lists: sorting, selection, and one action on many rows. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { goWithin } from './axe.ts';
import { TRUST_VALIDATION_STATUS, SYSTEM_FLOW_NAME } from '../../core/contracts/codes.ts';
import { choose, eventually, focused, hasCount } from './browser.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('after the decision “different person” the list states no severity', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?hit=blacklist');
  const row = page.getByRole('row').nth(1);
  const severity = row.getByRole('img', { name: /^(Information|Caution|Stop)$/ });
  await severity.waitFor();
  const number = Number(await row.getByText(/^\d{6}$/).textContent());
  site.decided.set(number, TRUST_VALIDATION_STATUS.Verified);
  await page.reload();
  await row.getByText('Verified').waitFor();
  await row.getByText(String(number)).waitFor();
  await hasCount(severity, 0);
});

test('validations are sorted by a header, selected by keys and decided together', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=2');
  await page.getByRole('row').nth(3).waitFor();
  await page.getByRole('button', { name: 'Best score' }).click();
  await page.waitForURL('**/validations?status=2&sort=score');
  const header = page.getByRole('columnheader', { name: 'Best score' });
  assert.equal(await header.getAttribute('aria-sort'), 'descending');
  await page.getByText('91.4').first().waitFor();

  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+X');
  await page.getByText('3 selected').waitFor();
  await page.getByRole('row', { selected: true }).nth(2).waitFor();
  await page.getByRole('button', { name: 'Decide…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('radio', { name: 'Reject' }).check({ force: true });
  await dialog.getByLabel('Note').fill('Checked together.');
  await dialog.getByRole('button', { name: 'Decide 3 validations' }).click();
  await page.getByText('3 validations decided').waitFor();
  await dialog.waitFor({ state: 'detached' });

  await page.keyboard.press('Control+a');
  await page.getByText('500 selected').waitFor();
  await page.getByText('Narrow the filter to select the others').waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('500 selected').waitFor({ state: 'detached' });
});

test('an Arabic list names the internal flow in Arabic, and cuts Latin names', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations', { arabic: true });
  await page.getByRole('gridcell', { name: 'التسجيل المجمّع لكشف التكرار' }).first().waitFor();
  await hasCount(page.getByRole('gridcell', { name: SYSTEM_FLOW_NAME }), 0);
  const name = page.locator('.rows-row .cut[dir=auto]').first();
  await name.waitFor();
  const gap = await name.evaluate((cell) => {
    const text = document.createRange();
    text.selectNodeContents(cell);
    return Math.abs(cell.getBoundingClientRect().right - text.getBoundingClientRect().right);
  });
  assert.ok(gap < 8, `the name ends ${gap} pixels before the side of its column`);
});

test('an id in an Arabic list is cut at its end, so that its kind can be read', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/audit', { arabic: true });
  await page.setViewportSize({ width: 800, height: 700 });
  const ids = page.locator('.rows-row .party .mono');
  await ids.first().waitFor();
  const beginnings = await ids.evaluateAll((all) =>
    all.map((id) => {
      const text = document.createRange();
      text.selectNodeContents(id);
      return text.getBoundingClientRect().left - id.getBoundingClientRect().left;
    }),
  );
  for (const hidden of beginnings) assert.ok(hidden > -1, `${-hidden} pixels of the beginning are cut`);
});

test('Esc closes a panel and gives the focus back to its list', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/audit');
  await page.locator('.rows-row').nth(2).click();
  const panel = page.locator('aside.panel');
  await panel.waitFor();
  await eventually(async () => assert.match(await focused(page), /^aside /, 'a panel is read when it opens'));
  await panel.getByRole('button', { name: 'Close' }).focus();
  await page.keyboard.press('Escape');
  await hasCount(panel, 0);
  assert.equal(await page.evaluate(`document.activeElement?.getAttribute('role')`), 'grid');
});

test('arrow keys follow the text, in Arabic to the left, and the face is read', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/11', { arabic: true });
  const cells = page.locator('.face-cell');
  await cells.nth(2).waitFor();
  for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowRight', 'ArrowLeft']) await page.keyboard.press(key);
  await eventually(async () =>
    assert.equal(await focused(page), `button ${await cells.nth(1).getByRole('button').innerText()}`),
  );
});

test('each action on selected faces names them before it is done', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/11');
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  const name = await page.locator('.face-cell.at .face-name').innerText();
  for (const action of ['Edit severity, reason and expiry', 'Move to list…', 'Remove faces']) {
    await page.getByRole('button', { name: action, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('listitem').getByText(name, { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await hasCount(dialog, 0);
  }
});

test('selected faces are moved to another list, and moved back', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/11');
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/faces/move'))
      asked.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
  });
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Move to list…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Blacklist').waitFor();
  assert.deepEqual(
    await dialog.getByRole('option').allInnerTexts(),
    ['Document fraud'],
    'neither the list itself nor an inactive one',
  );
  await dialog.getByRole('button', { name: 'Move faces' }).click();
  await page.getByText('Moved 1 face to Document fraud').waitFor();
  await page.getByRole('button', { name: 'Undo' }).click();
  await eventually(() => assert.equal(asked.length, 2));
  assert.match(asked[0]!, /blacklists\/11\/faces\/move {"ids":\[\d+\],"to":12}$/);
  assert.match(asked[1]!, /blacklists\/12\/faces\/move {"ids":\[\d+\],"to":11}$/);
  await page.goto(`${site.address}/company/internal-biometrics/13`);
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('button', { name: 'Move to list…' }).click();
  await dialog.getByLabel('Blacklist').selectOption('Document fraud');
  await dialog.getByRole('button', { name: 'Move faces' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page
    .getByRole('alert')
    .getByText('The faces stay in Document fraud, because Visitors 2019 is inactive.', { exact: false })
    .waitFor();
});

test('faces that another operator moved meanwhile leave the list, and it says so', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/11');
  await page.locator('.face-cell').nth(1).waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.route('**/faces/move', (route) =>
    route.fulfill({ status: 404, json: { success: false, message: 'Not found.', code: 'NOT_FOUND' } }),
  );
  await page.route(/\/blacklists\/11\/faces\?/, (route) =>
    route.fulfill({ json: { items: [], nextCursor: null } }),
  );
  await page.getByRole('button', { name: 'Move to list…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Move faces' }).click();
  await page.getByText('These faces are no longer in this blacklist.', { exact: false }).waitFor();
  await page.getByText('No faces yet').waitFor();
  await hasCount(page.getByText('1 selected'), 0);
});

test('a form sends nothing but the fields that the operator changed', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/company/internal-biometrics/12');
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') sent.push(request.postData() ?? '');
  });
  await page.getByRole('button', { name: 'Edit', exact: true }).click();
  await page.getByRole('textbox', { name: 'Description' }).fill('False passports');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('textbox', { name: 'Description' }).waitFor({ state: 'detached' });
  await page.getByText('False passports').waitFor();
  await page.getByRole('status').getByText('Saved: Document fraud').waitFor();
  await page.locator('.face-cell').first().getByRole('button').click();
  await page.getByRole('button', { name: 'Edit severity, reason and expiry' }).click();
  const dialog = page.getByRole('dialog', { name: /^Severity, reason/ });
  await dialog.getByLabel('Reason').fill('Seen twice');
  await dialog.getByRole('button', { name: 'Save changes' }).click();
  await eventually(() => assert.equal(sent.length, 2));
  assert.equal(sent[0], '{"description":"False passports"}');
  assert.match(sent[1]!, /^{"ids":\[\d+\],"change":{"reason":"Seen twice"}}$/);
});

test('selected validations are added to a blacklist, or go into one erasure plan', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=2');
  await page.getByRole('row').nth(3).waitFor();
  for (const key of ['j', 'x', 'j', 'x']) await page.keyboard.press(key);
  await page.getByText('2 selected').waitFor();
  const bar = page.getByRole('region', { name: 'Selected validations' });
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST')
      asked.push(`${new URL(request.url()).pathname} ${request.postData() ?? ''}`);
  });
  await bar.getByRole('button', { name: 'Erase selected records…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.erasure-record').nth(1).waitFor();
  const plan = asked.find((each) => each.startsWith('/api/dashboard/erasures/plan'));
  assert.match(plan ?? '', /"validations":\[\d+,\d+\]/);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  await bar.getByRole('button', { name: 'Add to blacklist' }).click();
  await dialog.locator('.concerned li').nth(1).waitFor();
  await choose(dialog.getByRole('combobox').first(), 'Document fraud');
  await dialog.getByRole('button', { name: 'Add 2' }).click();
  await dialog.waitFor({ state: 'detached' });
  assert.equal(asked.filter((each) => each.startsWith('/api/dashboard/search/additions/faces/')).length, 2);
});

test(
  'a view is saved for the operator without the searched name, and opened again',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/validations?status=2&sort=score&text=Anna');
    const views = page.getByRole('button', { name: 'Views', exact: true });
    await views.click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByLabel('Name of the view').fill('Morning round');
    await page.getByRole('button', { name: 'Save view' }).click();
    const kept = () => site.behaviour.appearance?.lists;
    const keeps = (check: () => void) => eventually(() => Promise.resolve().then(check));
    await keeps(() =>
      assert.deepEqual(kept()?.views, [{ name: 'Morning round', search: 'status=2&sort=score' }]),
    );
    await page.getByRole('button', { name: 'Columns' }).click();
    const column = (checked: boolean) => page.getByRole('menuitemcheckbox', { name: 'Trust Flow', checked });
    await column(true).click();
    await column(false).waitFor();
    await keeps(() => assert.ok(kept()?.hiddenColumns.includes('flow')));
    await page.goto('/validations');
    await page.getByRole('columnheader', { name: 'Best match' }).waitFor();
    await hasCount(page.getByRole('columnheader', { name: 'Trust Flow' }), 0);
    await views.click();
    await page.getByRole('menuitem', { name: 'Morning round' }).click();
    await page.waitForURL('**/validations?status=2&sort=score');
    await views.click();
    await page.getByRole('menuitem', { name: 'Delete the view “Morning round”' }).click();
    await keeps(() => assert.deepEqual(kept()?.views, []));
  },
);

test('the lists are saved as CSV with the filter and the columns of the screen', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/validations?status=2');
  for (const [button, rows] of [
    ['Export CSV', 'validations'],
    ['Export matches', 'matches'],
  ] as const) {
    const asked = page.waitForRequest('**/validations/export');
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: button }).click();
    const body = (await asked).postDataJSON() as { rows: string; filter: object; columns?: string[] };
    assert.deepEqual([body.rows, body.filter], [rows, { status: 2 }]);
    if (rows === 'validations') assert.ok(body.columns?.includes('bestMatchSeverity'));
    assert.equal((await saved).suggestedFilename(), `vouch-${rows}.csv`);
  }
});

test(
  'filters stand in one row at 1440 pixels, and no choice is cut, in both languages',
  IN_BROWSER,
  async (t) => {
    for (const arabic of [false, true]) {
      const page = await openPageAt(t, '/', { arabic });
      for (const path of ['/validations', '/enrol/failures', '/duplicates', '/persons', '/audit']) {
        await goWithin(page, path);
        await page.locator('.rows-row').first().waitFor();
        const bar = page.locator('.filters').first();
        const { height, cut } = await bar.evaluate((filters) => {
          const view = filters.ownerDocument.defaultView!;
          const pen = filters.ownerDocument.createElement('canvas').getContext('2d')!;
          const cutOf = (select: HTMLSelectElement) => {
            const style = view.getComputedStyle(select);
            pen.font = style.font;
            const room =
              select.clientWidth - parseFloat(style.paddingInlineStart) - parseFloat(style.paddingInlineEnd);
            const words = select.selectedOptions[0]?.text ?? '';
            return pen.measureText(words).width > room + 1 ? [words] : [];
          };
          return {
            height: filters.clientHeight,
            cut: [...filters.querySelectorAll('select')].flatMap(cutOf),
          };
        });
        assert.ok(height < 50, `${path}, arabic ${arabic}: ${height} pixels high`);
        assert.deepEqual(cut, [], path);
      }
    }
  },
);

test('the cursor of a list stays on its record when the list changes', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons');
  await page.locator('.rows-row').nth(3).waitFor();
  for (let step = 0; step < 4; step += 1) await page.keyboard.press('j');
  const grid = page.getByRole('grid', { name: 'Persons' });
  const record = await grid.getAttribute('aria-activedescendant');
  const name = await page.locator(`#${record} [role=gridcell]`).nth(1).innerText();
  await page.keyboard.press('/');
  await page.keyboard.type(name);
  await page.keyboard.press('Escape');
  await hasCount(page.locator('.rows-row'), 1);
  await eventually(async () => assert.equal(await grid.getAttribute('aria-activedescendant'), record));
});

test('failed photos leave most of a small window to the list', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/enrol/failures', { viewport: { width: 1024, height: 700 } });
  await page.locator('.rows-row').first().waitFor();
  const list = await page.getByRole('grid').boundingBox();
  assert.ok(list !== null && list.height > 0.7 * 700, `${list?.height} pixels`);
  await choose(page.getByRole('combobox', { name: 'Filter by reason' }), /^Several faces/);
  await page.waitForURL(/reason=MULTIPLE_FACES/);
});
