/** An arrow key passes through values: no control may store one before a button is pressed. */
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { screensFor } from '../../../renderer/state/navigation.ts';
import { goWithin } from '../axe.ts';
import { SESSION } from '../fixtures.ts';
import { IN_BROWSER, openHarness } from '../harness.ts';

const { openPageAt } = await openHarness();

test('no key that passes through the values of a control changes what is stored', IN_BROWSER, async (t) => {
  const page = await openPageAt(t, '/persons');
  let at = '';
  const stored: string[] = [];
  // A plan states what would be done.
  page.on('request', (request) => {
    if (request.method() !== 'GET' && !request.url().endsWith('/plan'))
      stored.push(`${at}: ${request.method()} ${request.url()}`);
  });
  const titles = new Set<string>();
  const places = [
    ...screensFor(SESSION).flatMap(({ path, word }) =>
      path === '/settings' || titles.size === titles.add(word).size ? [] : [path],
    ),
    ...['/trust-flows/7', '/settings/operators/2', '/company/internal-biometrics/4', '/duplicates/find'],
    ...['/examinations/1', '/case-folders/1', '/exchange/export', '/settings/api-access/new'],
  ];
  let pressed = 0;
  for (const path of places) {
    at = '/no-such-page';
    await goWithin(page, at);
    await goWithin(page, path);
    const controls = page.locator('main select, main input[type=radio]:checked, main [role=slider]');
    for (const control of await controls.all()) {
      if (!(await control.isVisible()) || !(await control.isEnabled())) continue;
      at = `${path} ${(await control.getAttribute('aria-label')) ?? (await control.getAttribute('name')) ?? ''}`;
      for (const key of ['ArrowDown', 'ArrowUp']) await control.press(key);
      pressed += 1;
    }
  }
  assert.ok(pressed > 20, `${pressed} controls`);
  assert.deepEqual(stored, []);
});
