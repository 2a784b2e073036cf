import { ENGINE_TIMEOUT_MS, type E2eSession } from './session.ts';

/** All faces are described by another pipeline, which then serves; the way back is quick. */
export async function changePipelines({ page }: E2eSession): Promise<void> {
  await page.getByRole('link', { name: 'System' }).click();
  await page.getByRole('main').getByRole('link', { name: 'Pipelines' }).click();
  await page.getByText('Faces are compared by the pipeline full').waitFor();
  await page.getByRole('button', { name: 'Change to this light' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start the change' }).click();
  await page.getByText('Faces are compared by the pipeline light').waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: / full$/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Start the change' }).click();
  await page.getByText('Faces are compared by the pipeline full').waitFor();
}
