import { ENGINE_TIMEOUT_MS, openSetting, type E2eSession } from './session.ts';

/** All faces are described by another pipeline, which then serves; the way back is quick. */
export async function changePipelines({ page }: E2eSession): Promise<void> {
  await openSetting(page, 'Recognition');
  await page.getByText('Active pipeline: full').waitFor();
  await page.getByRole('button', { name: 'Switch to this pipeline light' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start switch' }).click();
  await page.getByText('Active pipeline: light').waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: / full$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start switch' }).click();
  await page.getByText('Active pipeline: full').waitFor();
}
