import { portrait } from '../../support/facePhotos.ts';
import type { Page } from 'playwright-core';
import { choose } from '../browser.ts';
import { BLACKLIST } from './blacklists.ts';
import { emptyRoom, ENGINE_TIMEOUT_MS, type E2eSession } from './session.ts';

/** Searches with another photo of an enrolled person, a photo of an unknown person, and a photo without a person. */
export async function searchPhotos({ page }: E2eSession): Promise<void> {
  const look = async (buffer: Buffer) =>
    page.setInputFiles('input[type=file]', { name: 'probe.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await look(await portrait(2, 13));
  const candidates = page.getByRole('list', { name: 'Candidates, most similar first' });
  await candidates.getByText('person 2', { exact: false }).first().waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await candidates.getByText('strong').first().waitFor();
  await page.getByText('Nothing was enrolled', { exact: false }).waitFor();
  await addToBlacklist(page);
  await page.getByRole('button', { name: 'New search' }).click();
  await look(await portrait(10));
  await page.getByRole('heading', { name: 'No match' }).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: 'New search' }).click();
  await look(await emptyRoom());
  await page.getByRole('heading', { name: 'No face', exact: false }).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.goto('/validations');
  // Those enrolled and those verified, and none of the searched.
  await page.getByText('22 validations, 0 to review').waitFor();
}

/** The one thing that a search can add: one face, to a blacklist; and taking it back. */
async function addToBlacklist(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add to blacklist' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.locator('.addition-photo img').waitFor();
  await choose(dialog.getByRole('combobox', { name: 'Blacklist' }), BLACKLIST);
  await dialog.getByRole('textbox', { name: 'Name' }).fill('J. Doe');
  await dialog.getByRole('button', { name: 'Add face' }).click();
  await page.getByText(`J. Doe added to ${BLACKLIST}`).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByText(`J. Doe removed from ${BLACKLIST}`).waitFor();
}
