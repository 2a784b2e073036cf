import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasCount } from '../browser.ts';
import { dropFromOutside } from '../dragAndDrop.ts';
import { emptyRoom, portraitsInto, ENGINE_TIMEOUT_MS, type E2eSession } from './session.ts';

/** People 0 to 5 are enrolled; the others are not enrolled. */
export const ENROLLED = [0, 1, 2, 3, 4, 5];
export const UNKNOWN_PERSON = 9;

/** A folder is dropped: the plan, one photo that fails, its reason, and the people among the validations. */
export async function enrolFolder({ page, home }: E2eSession): Promise<void> {
  const folder = join(home, 'photos');
  await portraitsInto(join(folder, 'deep'), ENROLLED, [0]);
  await writeFile(join(folder, 'empty room.jpg'), await emptyRoom());
  await writeFile(join(folder, 'notes.jpg'), 'not what its name says');
  await page.getByRole('link', { name: 'Enrol', exact: true }).click();
  await page.getByText('Drop photos or whole folders here').waitFor();
  await dropFromOutside(page, '.drop', folder);
  await page.getByText('Not a picture or face record: 1').waitFor();
  await page.getByRole('button', { name: 'Start upload' }).click();
  await page.getByRole('heading', { name: 'Done' }).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('status').getByText('6 of 7 enrolled, 1 failed').waitFor();
  await page.getByText('No face', { exact: false }).first().waitFor();
  await page.getByRole('button', { name: 'Enrol more photos' }).click();
  await page.getByText('Recent runs').waitFor();
}

/** The power goes in the middle of an upload: the page recovers by itself, loses nothing, and says what happened. */
export async function enrolThroughPowerCut(world: E2eSession): Promise<void> {
  const { page, home } = world;
  const folder = join(home, 'more photos');
  await portraitsInto(folder, [6, 7, 8], [0, 1, 2, 3]);
  await page.setInputFiles('input[type=file] >> nth=1', folder);
  // Cut when the photos have been received: the first of them is at the engine, which no machine does at once.
  const received = page.waitForResponse(
    (response) =>
      response.request().method() === 'POST' && new URL(response.url()).pathname === '/api/dashboard/uploads',
    { timeout: ENGINE_TIMEOUT_MS },
  );
  await page.getByRole('button', { name: 'Start upload' }).click();
  await received;
  await world.powerCut();
  await page.getByText('No connection since').first().waitFor();
  // The run stays on screen.
  await hasCount(page.getByRole('heading', { name: 'Enrolling' }), 1);
  await world.restart();
  await page.getByRole('heading', { name: 'Done' }).waitFor({ timeout: ENGINE_TIMEOUT_MS });
  await page.getByRole('status').getByText('12 of 12 enrolled, 0 failed').waitFor();
  await page.getByText(/The connection was lost from .* to .*no photo was enrolled twice/).waitFor();
  await page.locator('.banner').waitFor({ state: 'detached' });
  await page.goto('/validations');
  await page.getByText('18 validations, 0 to review').waitFor();
}
