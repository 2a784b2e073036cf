/** Jobs 4 to 6 and 10: cases are decided, photos are searched, a listed person is caught, and a person is erased. */
import { basename } from 'node:path';
import sharp from 'sharp';
import { ScreeningClient } from '../../core/cli/commands/screeningClient.ts';
import { readFileSync } from 'node:fs';
import { tokenFor } from '../../test/support/serviceProcess.ts';
import type { Hand } from './hand.ts';
import { COMPANY, LONG, PASSPHRASE, type Installation } from './installation.ts';
import { named } from './photos.ts';

const LIST = 'Refused at gate 4';
const FLOW = 'Visitor entry';

/** Job 6: a blacklist, a person on it, a Trust Flow that checks it, and a verification that matches. */
export async function catchListedPerson({ hand, photos }: Installation): Promise<void> {
  const { page } = hand;
  await hand.go('Blacklists');
  await hand.click(
    page
      .getByRole('link', { name: 'New blacklist' })
      .or(page.getByRole('button', { name: 'New blacklist' }))
      .first(),
  );
  await hand.fill(page.getByLabel('Name'), LIST);
  await hand.press('Create blacklist');
  await hand.click(page.getByRole('link', { name: 'Add faces' }));
  await hand.choose(page.locator('input[type=file]').nth(0), photos.unknown[0]);
  await hand.press('Start upload');
  await page.getByText('1 of 1 enrolled, 0 failed').waitFor(LONG);
  await makeFlow(hand);
  await hand.go('Verify');
  await hand.choose(page.locator('input[type=file]'), photos.unknown[1]);
  await hand.fill(page.getByLabel('Name'), 'Visitor at gate 4');
  await hand.press('Run verification');
  const result = page.getByRole('region', { name: 'Result' });
  await result.getByText('Review Needed').waitFor();
  await result.getByText(LIST).first().waitFor();
}

async function makeFlow(hand: Hand): Promise<void> {
  const { page } = hand;
  await hand.go('Settings');
  await hand.go('Trust Flows');
  await hand.press('New Trust Flow');
  await hand.fill(page.getByLabel('Name'), FLOW);
  await hand.press('Create Trust Flow');
  const panel = page.getByRole('complementary', { name: FLOW });
  await hand.click(panel.getByRole('switch', { name: 'Perform Blacklist Detection' }));
  await hand.click(panel.getByRole('checkbox', { name: new RegExp(`^${LIST}`) }));
  await hand.press('Save draft', panel);
  await hand.press(/^Publish version/, panel);
  await panel.getByText(/^Version 1, active since/).waitFor();
}

/** Before job 4: a program sends verifications of people in the gallery until this many wait. */
export async function fillQueue({ home, address, photos }: Installation, cases: number): Promise<void> {
  const client = new ScreeningClient({ address, token: await tokenFor(home, COMPANY, 'verify') });
  // The first flow that an operator creates; flow 1 is that of bulk enrolment.
  const flow = 2;
  let waiting = 0;
  for (const photo of photos.known) {
    if (waiting === cases) return;
    const { statusLabel } = await client.verify(flow, readFileSync(photo));
    if (statusLabel === 'Review Needed') waiting += 1;
  }
  throw new Error(`Of ${photos.known.length} people, ${waiting} need review; ${cases} are wanted.`);
}

/** Job 4: all cases that wait are decided by keyboard, and the last decision is undone and made again. */
export async function review({ hand }: Installation): Promise<void> {
  const { page } = hand;
  const number = page.locator('.case-head .soft');
  await hand.keys('g', 'r');
  await number.waitFor();
  const none = page.getByText('Nothing needs review');
  for (let n = 0; (await none.count()) === 0; n += 1) {
    const before = await number.textContent();
    await hand.keys(n % 2 === 0 ? 'v' : 'r');
    await hand.textChanges('.case-head .soft', before ?? '');
  }
  await hand.keys('z');
  await number.waitFor();
  await hand.keys('v');
  await none.waitFor();
}

/** Job 5: photos of one person, of a group, and on its side. */
export async function search({ hand, photos }: Installation): Promise<void> {
  const { page } = hand;
  const [known = ''] = photos.known;
  const sideways = await sharp(known).rotate(90).jpeg().toBuffer();
  const probes = [
    named(known),
    named(photos.group),
    { name: `sideways ${basename(known)}`, mimeType: 'image/jpeg', buffer: sideways },
  ];
  await hand.go('Search');
  for (const [at, probe] of probes.entries()) {
    await hand.choose(page.locator('input[type=file]'), probe);
    await page.getByText('Nothing was enrolled', { exact: false }).waitFor();
    if (at !== 1)
      await page
        .getByRole('list', { name: 'Candidates, most similar first' })
        .getByText('strong')
        .first()
        .waitFor();
    await hand.press('New search');
  }
}

/** Job 10: the person of the first case is erased, and the receipt is verified and saved. */
export async function erasePerson({ hand, photos }: Installation): Promise<void> {
  const { page } = hand;
  const [known = ''] = photos.known;
  await hand.go('Search');
  await hand.choose(page.locator('input[type=file]'), known);
  await eraseShown(hand);
  const saved = page.waitForEvent('download');
  await hand.press('Save receipt', page.getByRole('dialog'));
  await saved;
  await hand.press('Close', page.getByRole('dialog'));
}

/** Erases the person whom the screen shows. */
export async function eraseShown(hand: Hand): Promise<void> {
  await hand.press('Erase this person…');
  const dialog = hand.page.getByRole('dialog');
  const type = dialog.getByLabel(/^Type/);
  const preview = dialog.getByRole('button', { name: 'Preview erasure' });
  await preview.or(type).first().waitFor();
  if ((await preview.count()) > 0) await hand.click(preview);
  await type.waitFor();
  const label = (await dialog.locator('label', { hasText: /^Type/ }).textContent()) ?? '';
  // Without the marks that keep the name's direction apart from the sentence's.
  const asked = label.replaceAll(/[\u2066-\u2069]/g, '').trim();
  const [before = '', after = ''] = hand.words('Type {{name}} to confirm').split('{{name}}');
  const others = dialog.locator('.erasure-record input:not(:checked)');
  for (let left = await others.count(); left > 0; left = await others.count())
    await hand.click(others.first());
  await hand.fill(type, asked.slice(before.length, asked.length - after.length));
  await hand.press('Erase permanently', dialog);
  const passphrase = dialog.getByLabel('Passphrase');
  await dialog.getByRole('heading', { name: 'Erased' }).or(passphrase).first().waitFor();
  if ((await passphrase.count()) > 0) {
    await hand.fill(passphrase, PASSPHRASE);
    await hand.press('Erase permanently', dialog);
  }
  await dialog.getByRole('heading', { name: 'Erased' }).waitFor();
}
