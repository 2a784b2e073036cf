import assert from 'node:assert/strict';
import { eventually } from '../browser.ts';
import { openScreen, type E2eSession } from './session.ts';

/** The list, its filters in the address, one validation in detail. */
export async function readValidations({ page }: E2eSession): Promise<void> {
  await openScreen(page, 'Verify', 'Validations');
  await page.getByLabel('Name, reference or number').fill('person 3');
  await page.getByText('4 validations, 0 to review').waitFor();
  await page.waitForURL(/text=person/);
  await page.reload();
  await page.getByText('4 validations, 0 to review').waitFor();
  await page.getByRole('row').nth(1).click();
  await page.waitForURL(/\/validations\/\d+/);
  const panel = page.getByRole('complementary');
  await panel.getByText('Enrolled').first().waitFor();
  await panel.getByRole('tab', { name: 'Duplicates & Blacklists' }).click();
  await panel.getByText('Bulk enrolment does not search for matches', { exact: false }).waitFor();
  await page.keyboard.press('Escape');
  await page.waitForURL((url) => url.pathname === '/validations');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByText('18 validations, 0 to review').waitFor();
  await page.getByText('Rejected', { exact: true }).first().click();
  await page.getByText('No matching validations').waitFor();
  await page.goBack();
  await page.getByText('18 validations, 0 to review').waitFor();
  await eventually(async () =>
    assert.ok((await page.locator('img.face-thumbnail').count()) > 5, 'faces are shown'),
  );
}
