import { portrait } from '../../support/facePhotos.ts';
import { UNKNOWN_PERSON } from './enrol.ts';
import { ENGINE_TIMEOUT_MS, type E2eSession } from './session.ts';

export const BLACKLIST = 'Document fraud';

/** A blacklist is made and filled with one person. */
export async function makeBlacklist({ page }: E2eSession): Promise<void> {
  await page.getByRole('link', { name: 'Blacklists', exact: true }).click();
  await page
    .getByRole('link', { name: 'New blacklist' })
    .or(page.getByRole('button', { name: 'New blacklist' }))
    .first()
    .click();
  await page.getByLabel('Name').fill(BLACKLIST);
  await page.getByRole('button', { name: 'Create blacklist' }).click();
  await page.getByText('No faces yet').waitFor();
  await page.getByRole('link', { name: 'Add faces' }).click();
  await page.setInputFiles('input[type=file] >> nth=0', {
    name: 'Nobody Known.jpg',
    mimeType: 'image/jpeg',
    buffer: await portrait(UNKNOWN_PERSON),
  });
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page
    .getByRole('status')
    .getByText('1 of 1 enrolled, 0 failed')
    .waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('button', { name: 'Enrol more photos' }).click();
  await page.getByRole('link', { name: 'Blacklists', exact: true }).click();
  await page.getByRole('row', { name: BLACKLIST }).click();
  await page.getByText('Nobody Known').waitFor();
  await page.getByRole('button', { name: 'Deactivate' }).click();
  await page.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('button', { name: 'Deactivate' }).waitFor();
}
