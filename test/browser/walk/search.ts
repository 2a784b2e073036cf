import { portrait } from '../../support/portraits.ts';
import { emptyRoom, type World } from './world.ts';

/** Another photo of somebody known, somebody nobody knows, and a photo of nobody. */
export async function searchPhotos({ page }: World): Promise<void> {
  const look = async (buffer: Buffer) =>
    page.setInputFiles('input[type=file]', { name: 'probe.jpg', mimeType: 'image/jpeg', buffer });
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await look(await portrait(2, 13));
  const candidates = page.getByRole('list', { name: 'Candidates, most similar first' });
  await candidates.getByText('person 2', { exact: false }).first().waitFor({ timeout: 20_000 });
  await candidates.getByText('strong').first().waitFor();
  await page.getByText('Nothing was enrolled', { exact: false }).waitFor();
  await page.getByRole('button', { name: 'Search another' }).click();
  await look(await portrait(10));
  await page.getByRole('heading', { name: 'No match' }).waitFor({ timeout: 20_000 });
  await page.getByRole('button', { name: 'Search another' }).click();
  await look(await emptyRoom());
  await page.getByRole('heading', { name: 'No face', exact: false }).waitFor({ timeout: 20_000 });
  await page.goto('/validations');
  // Those enrolled and those verified, and none of the searched.
  await page.getByText('58 validations, 0 need review').waitFor();
}
