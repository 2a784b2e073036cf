/** Names, notes and references as long as the service accepts them, without a space. */
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { screensFor } from '../../../renderer/state/navigation.ts';
import { goWithin } from '../axe.ts';
import { SESSION } from '../fixtures.ts';
import { IN_BROWSER, openHarness } from '../harness.ts';
import { layoutProblems } from '../layoutChecks.ts';

const { openPageAt } = await openHarness();

/** Fields that hold what people or programs enter. */
const ENTERED =
  /^(\w*[nN]ame|names|title|reference|description|note|reason|externalId|text|usedByTrustFlows|list|lists|blacklists|notScreened|operator|by|\w*Id(?<=templateId|verificationId))$/;

/** Lengthens what people entered; texts with a space only: codes and addresses have none. */
function lengthened(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => lengthened(each, key));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, lengthened(each, name)]));
  return typeof value === 'string' && ENTERED.test(key) && value.includes(' ')
    ? value.replaceAll(' ', '').padEnd(100, 'n')
    : value;
}

for (const arabic of [false, true])
  test(`a name of 100 letters fits every screen${arabic ? ' in Arabic' : ''}`, IN_BROWSER, (t) =>
    showLongNames(t, arabic),
  );

async function showLongNames(t: TestContext, arabic: boolean): Promise<void> {
  const page = await openPageAt(t, '/persons', { arabic, viewport: { width: 1024, height: 700 } });
  await page.route(/\/api\/dashboard\/(?!session|events)/, async (route) => {
    const answer = await route.fetch();
    const isJson = answer.headers()['content-type']?.startsWith('application/json') === true;
    await route.fulfill({
      response: answer,
      ...(isJson && { body: JSON.stringify(lengthened(await answer.json())) }),
    });
  });
  const places = [
    ...screensFor(SESSION).flatMap(({ path }) => (path === '/settings' ? [] : [path])),
    ...['/validations/239900', '/validations/239900?tab=summary', '/validations/239900?tab=history'],
    ...['/company/internal-biometrics/11', '/company/internal-biometrics/11?face=5001', '/trust-flows/7'],
    ...[
      '/persons/1',
      '/duplicates/303',
      '/duplicates/find',
      '/examinations/1',
      '/case-folders/1',
      '/exchange/export',
    ],
    ...['/settings/operators/2', '/settings/api-access/token-7', '/audit/1', '/review/pairs'],
  ];
  const faults: string[] = [];
  for (const path of places) {
    await goWithin(page, '/no-such-page');
    await goWithin(page, path);
    let found = await layoutProblems(page);
    for (let time = 0; time < 4 && found.length > 0; time++) {
      await sleep(250);
      found = await layoutProblems(page);
    }
    faults.push(...found.map((fault) => `${path}: ${fault}`));
  }
  await page.unrouteAll({ behavior: 'wait' });
  assert.deepEqual(faults, []);
}
