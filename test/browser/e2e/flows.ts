import { BLACKLIST } from './blacklists.ts';
import type { E2eSession } from './session.ts';

const FLOW = 'Turnstiles';

/** A Trust Flow is made, its settings kept as a draft, then put in force. @returns its number */
export async function makeFlow({ page }: E2eSession): Promise<number> {
  await page.getByRole('link', { name: 'Trust Flows' }).click();
  await page.getByRole('button', { name: 'New Trust Flow' }).first().click();
  await page.getByLabel('Name').fill(FLOW);
  await page.getByRole('button', { name: 'Create the Trust Flow' }).click();
  const panel = page.getByRole('complementary', { name: FLOW });
  await panel.getByRole('switch', { name: 'Perform Blacklist Detection' }).click();
  await panel.getByRole('checkbox', { name: `${BLACKLIST} enrolled faces: 1` }).click();
  await panel.getByText('Changed here, not saved yet.').waitFor();
  await panel.getByRole('button', { name: 'Save the settings' }).click();
  await panel.getByText('Nothing is screened by them until the Trust Flow is saved too.').waitFor();
  await panel.getByRole('button', { name: 'Save the Trust Flow' }).click();
  await panel.getByText('Version 2 is in force').waitFor();
  return Number(/\d+$/.exec(page.url())?.[0]);
}
