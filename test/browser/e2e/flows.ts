import { BLACKLIST } from './blacklists.ts';
import { openSetting, type E2eSession } from './session.ts';

const FLOW = 'Turnstiles';

/** Creates a Trust Flow, saves its settings as a draft, and publishes it. @returns its number */
export async function makeFlow({ page }: E2eSession): Promise<number> {
  await openSetting(page, 'Trust Flows');
  await page.getByRole('button', { name: 'New Trust Flow' }).first().click();
  await page.getByLabel('Name').fill(FLOW);
  await page.getByRole('button', { name: 'Create Trust Flow' }).click();
  const panel = page.getByRole('complementary', { name: FLOW });
  await panel.getByRole('switch', { name: 'Perform Blacklist Detection' }).click();
  await panel.getByRole('checkbox', { name: `${BLACKLIST} enrolled faces: 1` }).click();
  await panel.getByText('Unsaved changes.').waitFor();
  await panel.getByRole('button', { name: 'Save draft' }).click();
  await panel.getByText('Not published yet. Verifications cannot use this Trust Flow.').waitFor();
  await panel.getByRole('button', { name: /^Publish version/ }).click();
  await panel.getByText('Version 1, active since').waitFor();
  return Number(/\d+$/.exec(page.url())?.[0]);
}
