import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { encoded, signings } from '../../signatures/specimens.ts';
import { ENGINE_TIMEOUT_MS, openScreen, type E2eSession } from './session.ts';

/** Two signatures are compared, looked at as the matcher saw them, taken out as a PDF, and found again. */
export async function compareSignatures({ page }: E2eSession): Promise<void> {
  await openScreen(page, 'Compare', 'Compare signatures');
  const twice = signings(7, 2);
  for (const [index, name] of ['First signature', 'Second signature'].entries())
    await page
      .getByLabel(name)
      .locator('input[type=file]')
      .setInputFiles({
        name: `${name}.png`,
        mimeType: 'image/png',
        buffer: await encoded(twice[index]!),
      });
  await page.getByLabel('Reference').fill('lease 17');
  await page.getByRole('button', { name: 'Compare', exact: true }).click();
  await page.locator('.signature-result').waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByText('saved as comparison 1', { exact: false }).waitFor();
  await page.getByText('Aligned overlay').click();
  await page.getByText('Visual aid, not evidence.', { exact: false }).waitFor();
  const saving = page.waitForEvent('download');
  await page.getByRole('button', { name: 'PDF report' }).click();
  const report = await readFile(await (await saving).path());
  assert.equal(report.subarray(0, 5).toString(), '%PDF-');
  await openScreen(page, 'Compare', 'Comparison history');
  const kinds = page.getByRole('radiogroup', { name: 'Comparisons of' });
  await kinds.getByText('Signatures', { exact: true }).click();
  await page.waitForURL('**/signatures/history**');
  await page.getByLabel('Reference').fill('lease 17');
  await page.getByText('1 comparison', { exact: true }).waitFor();
}
