import type { E2eSession } from './session.ts';

/** The record is whole, anchored, and says who searched. */
export async function verifyAuditLog({ page }: E2eSession): Promise<void> {
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Create anchor' }).click();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('The audit log is intact.', { exact: false }).waitFor();
  await page.goto('/audit?action=search.run');
  await page.getByText('3 matching entries').waitFor();
  await page.getByRole('row').nth(1).click();
  await page.getByRole('complementary').getByText('Face search run').first().waitFor();
}
