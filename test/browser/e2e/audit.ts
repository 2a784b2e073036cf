import type { E2eSession } from './session.ts';

/** The record is whole, anchored, and says who searched. */
export async function verifyAuditLog({ page }: E2eSession): Promise<void> {
  await page.getByRole('link', { name: 'Audit' }).click();
  await page.getByRole('button', { name: 'Anchor now' }).click();
  await page.getByRole('button', { name: 'Verify now' }).click();
  await page.getByText('The record is whole:', { exact: false }).waitFor();
  await page.goto('/audit?action=search.run');
  await page.getByText('3 entries of this company fit').waitFor();
  await page.getByRole('row').nth(1).click();
  await page.getByRole('complementary').getByText('Watchlists were searched with a photo').first().waitFor();
}
