import type { E2eSession } from './session.ts';

/** The overview of the day; each number links to the rows that it counts. */
export async function readOverview({ page }: E2eSession): Promise<void> {
  await page.getByRole('link', { name: 'Overview' }).click();
  await page
    .getByText('Nothing needs', { exact: false })
    .or(page.getByText('Running ·', { exact: false }))
    .first()
    .waitFor();
  await page.getByRole('link', { name: '3 Duplicates' }).click();
  await page.waitForURL(/\/validations\?from=.*hit=duplicate/);
  await page.getByText('3 validations, 0 to review').waitFor();
}
