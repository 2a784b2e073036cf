import { HEALTH_CHECKS } from '../../../core/contracts/diagnostics.ts';
import { hasCount } from '../browser.ts';
import { ENGINE_TIMEOUT_MS, openSetting, type E2eSession } from './session.ts';

/** The state of the installation; the queue is paused and resumed; the appearance follows the operator. */
export async function operateSystem({ page }: E2eSession): Promise<void> {
  await openSetting(page, 'System status');
  await page.getByText(/All checks passed\.|No check failed\./).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await hasCount(page.locator('.check'), HEALTH_CHECKS.length);
  await page
    .getByText(/up to 1 under load/)
    .first()
    .waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await page.getByText('Paused. Processing is stopped', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Check again' }).click();
  await page.getByText('The queue is paused', { exact: false }).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: 'Resume' }).click();
  await page.getByRole('button', { name: 'Pause' }).waitFor();
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitemradio', { name: 'Dark', exact: true }).click();
  await page.getByRole('button', { name: 'Account' }).click();
  const kept = page.waitForResponse(
    (response) =>
      response.request().method() === 'PUT' && (response.request().postData() ?? '').includes('"ar"'),
  );
  await page.getByRole('menuitemradio', { name: 'العربية' }).click();
  await page.waitForFunction(() => document.documentElement.dir === 'rtl');
  await kept;
  // Another browser of the same operator: its preferences come from the service.
  await page.evaluate(() => localStorage.clear());
  await page.reload();
  await page.waitForFunction(
    () =>
      document.documentElement.dir === 'rtl' &&
      document.documentElement.dataset.mantineColorScheme === 'dark',
  );
}
