/** Credentials, operators and the audit log. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { OPERATOR_ROLES } from '../../core/contracts/dashboard/session.ts';
import { ROLE_PERMISSIONS } from '../../core/domain/identity/roles.ts';
import { refusedScreen, screensFor } from '../../renderer/state/navigation.ts';
import { goWithin } from './axe.ts';
import { choose, eventually, focused, follow, hasCount } from './browser.ts';
import { GALLERY_SIZE, SESSION } from './fixtures.ts';
import { IN_BROWSER, openHarness } from './harness.ts';

const { site, openPageAt } = await openHarness();

test('a token is created after the passphrase, and shown once with examples', IN_BROWSER, async (t) => {
  site.behaviour.asksPassphrase = true;
  const page = await openPageAt(t, '/settings/api-access');
  await page.getByRole('button', { name: 'New credential' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Gate 9');
  await page.getByLabel('enroll').check();
  await page.getByRole('button', { name: 'Create credential' }).click();
  const passphrase = page.getByLabel('Passphrase', { exact: true });
  const create = page.getByRole('button', { name: 'Create credential' });
  await passphrase.fill('not the passphrase');
  await create.click();
  await page.getByRole('alert').getByText('The passphrase is incorrect. Nothing was changed.').waitFor();
  await passphrase.fill('violet harbour at nine');
  await create.click();
  await page.getByRole('heading', { name: 'Gate 9 created' }).waitFor();
  await page.locator('.secret', { hasText: /^vouch_/ }).waitFor();
  await eventually(async () =>
    assert.ok((await page.locator('.example').textContent())?.includes(site.address)),
  );
  await page.getByText('Run the example. Its first request will appear here.').waitFor();
  site.behaviour.credentialUsed = true;
  await page.getByText('A program used this credential:').waitFor();
  const go = page.getByRole('button', { name: 'Done' });
  await eventually(async () => assert.ok(await go.isDisabled()));
  await page.getByLabel('I have stored this in a safe place').check();
  await eventually(async () => assert.ok(await go.isEnabled()));
});

test('revoking says what it does, asks for the name, and says that it was done', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/api-access/token-7');
  await eventually(async () => assert.equal(await focused(page), 'aside Gate 4 scanner'));
  await page.getByRole('button', { name: 'Revoke' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('lose access immediately').waitFor();
  const confirm = dialog.getByRole('button', { name: 'Revoke' });
  await eventually(async () => assert.ok(await confirm.isDisabled()));
  await dialog.getByLabel('Type Gate 4 scanner to confirm').fill('Gate 4 scanner');
  await confirm.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await page.getByRole('status').getByText('Done: Revoke, Gate 4 scanner').waitFor();
  assert.notEqual(await focused(page), 'body');
});

test('the last admin is protected; another operator changes role with undo', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/settings/operators/1');
  await page.getByText('The only active administrator.').waitFor();
  await eventually(async () => assert.ok(await page.getByRole('combobox', { name: 'Role' }).isDisabled()));
  await eventually(async () =>
    assert.ok(await page.getByRole('button', { name: 'Deactivate' }).isDisabled()),
  );
  await follow(page, '/settings/operators/2');
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.method()));
  await page.getByRole('combobox', { name: 'Role' }).press('ArrowDown');
  await choose(page.getByRole('combobox', { name: 'Role' }), 'Auditor');
  assert.ok(!asked.includes('PATCH'), 'no role that a key passes through is given');
  await page.getByRole('button', { name: 'Change role' }).click();
  await page.getByText('Role of Jonas Brandt changed to Auditor').first().waitFor();
  await page.getByRole('button', { name: 'Undo' }).press('Enter');
  await page.getByRole('status').getByText('Undone: Role of Jonas Brandt changed to Auditor').waitFor();
  assert.notEqual(await focused(page), 'body');
});

test(
  'the audit log is filtered in the address, scrolls, and shows where it is damaged',
  IN_BROWSER,
  async (t) => {
    site.behaviour.whole = false;
    const page = await openPageAt(t, '/audit?action=search.run');
    await page.getByText('matching entries').waitFor();
    const what = page.getByLabel('Action', { exact: true }).first();
    await eventually(async () => assert.equal(await what.inputValue(), 'Face search run'));
    await page.getByRole('button', { name: 'Verify now' }).click();
    await page.getByText('First invalid entry: 31,407. The entry, or its hash, was changed.').waitFor();
    await follow(page, '/audit?object=Nobody');
    await page.getByText('No object has this name or number').waitFor();
    await follow(page, '/audit');
    await page.getByText('48,000 matching entries').waitFor();
    const grid = page.getByRole('grid');
    await eventually(async () => {
      await grid.evaluate((rows) => rows.scrollTo(0, rows.scrollHeight));
      const last = await page.getByRole('row').last().getAttribute('aria-rowindex');
      assert.ok(Number(last) > 600, `at row ${last ?? 'none'}`);
    });
    await eventually(async () =>
      assert.ok((await page.getByRole('row').count()) < 120, 'only what is on screen is in the page'),
    );
  },
);

test(
  'a limit outside its range is named at its field; changes are saved and reset',
  IN_BROWSER,
  async (t) => {
    const page = await openPageAt(t, '/settings/limits');
    const images = page.getByLabel('Images per upload', { exact: true });
    const save = page.getByRole('button', { name: 'Save changes' });
    await images.fill('501');
    await page.getByText('Enter a whole number from 1 to 500 images.').waitFor();
    await eventually(async () => assert.ok(await save.isDisabled()));
    await images.fill('10');
    await page.getByText('1 unsaved change', { exact: true }).waitFor();
    await page.getByLabel('Lowest brightness', { exact: true }).fill('0.99');
    await page.getByText('The lowest brightness must not be above the highest.').waitFor();
    await page.getByRole('button', { name: 'Restore the default of “Lowest brightness”' }).click();
    const asked = page.waitForRequest((request) => request.method() === 'PATCH');
    await save.click();
    assert.deepEqual((await asked).postDataJSON(), { change: { maxBatchImages: 10 } });
    await page.getByText('The settings are saved.').first().waitFor();
    await hasCount(save, 0);
    await eventually(async () => assert.equal(await images.inputValue(), '10'));
  },
);

const SCREENS = screensFor(SESSION);

test('every route of the dashboard belongs to a screen that names its permission', () => {
  const app = readFileSync(join(import.meta.dirname, '../../renderer/App.tsx'), 'utf8');
  const routes = [...app.matchAll(/(?:path: |route\()'([^'*]+)'/g)].map(
    ([, path = '']) => `/${path.replace(/\/?:.*$/, '')}`,
  );
  assert.ok(routes.length > 15);
  assert.deepEqual(
    routes.filter((route) => refusedScreen(route, []) === undefined),
    [],
    'without any permission each of them is refused',
  );
});

test('each role is refused exactly the screens that its menu does not offer', () => {
  for (const role of OPERATOR_ROLES) {
    const permissions = [...ROLE_PERMISSIONS[role]];
    const offered = new Set(screensFor({ ...SESSION, permissions }).map(({ path }) => path));
    for (const { path } of SCREENS)
      assert.equal(refusedScreen(path, permissions) === undefined, offered.has(path), `${role} ${path}`);
  }
});

test('a screen outside the role says so before a photo can be chosen', IN_BROWSER, async (t) => {
  site.behaviour.role = 'reviewer';
  const page = await openPageAt(t, '/no-such-page');
  for (const path of ['/search', '/enrol', '/trust-flows/new']) {
    await goWithin(page, path);
    await page.getByRole('alert').getByText('Not allowed').waitFor();
    await hasCount(page.locator('main input, main button'), 0);
  }
});

test(
  'no screen offers an auditor a screen, a decision or a mark that the role lacks',
  IN_BROWSER,
  async (t) => {
    site.behaviour.role = 'auditor';
    const permissions = [...ROLE_PERMISSIONS.auditor];
    const titles = new Set<string>();
    const offered = screensFor({ ...SESSION, permissions }).filter(
      ({ path, word }) => path !== '/settings' && titles.size < titles.add(word).size,
    );
    const page = await openPageAt(t, '/no-such-page');
    for (const { path } of offered) {
      await goWithin(page, path);
      const links = await page
        .locator('main a[href^="/"]')
        .evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
      const refused = links.filter((to) => refusedScreen(to, permissions) !== undefined);
      assert.deepEqual(refused, [], path);
      await hasCount(page.getByRole('main').getByLabel('Select', { exact: true }), 0);
    }
    site.behaviour.rows = 0;
    const empty = await openPageAt(t, '/validations');
    await empty.getByText('No Trust Validations yet').waitFor();
    await hasCount(empty.locator('main a[href="/enrol"]'), 0);
    site.behaviour.rows = GALLERY_SIZE;
    const open = await openPageAt(t, '/validations?status=2');
    await open.getByRole('row').nth(1).click();
    await open.getByRole('tab', { name: 'History' }).waitFor();
    await hasCount(open.getByRole('button', { name: /^(?:Same|Different) person/ }), 0);
  },
);

test('the overview offers failed photos to be fixed to roles that may send photos', IN_BROWSER, async (t) => {
  for (const [role, action] of [
    ['operator', 'Fix photos'],
    ['reviewer', 'Show list'],
  ] as const) {
    site.behaviour.role = role;
    const page = await openPageAt(t, '/');
    const row = page.locator('.waiting a[href*="show=failed"]');
    await row.getByText(action).waitFor();
    await follow(page, '/enrol/failures');
    await page.getByText('group-3.png').waitFor();
    await hasCount(page.getByRole('button', { name: 'Take the main faces' }), role === 'operator' ? 1 : 0);
  }
});

test('a reviewer may follow uploads but not enrol, and may not open a form to add', () => {
  const permissions = [...ROLE_PERMISSIONS.reviewer];
  const refused = (path: string) => refusedScreen(path, permissions)?.word;
  assert.equal(refused('/enrol'), 'enrol');
  assert.equal(refused('/enrol/uploads'), undefined);
  assert.equal(refused('/enrol/uploads/7'), undefined);
  assert.equal(refused('/trust-flows'), undefined);
  assert.equal(refused('/trust-flows/new'), 'flows');
  assert.equal(refused('/search'), 'search');
});
