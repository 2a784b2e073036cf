import assert from 'node:assert/strict';
import { ScreeningClient } from '../../../core/cli/commands/screeningClient.ts';
import { portrait } from '../../support/facePhotos.ts';
import { ENROLLED, UNKNOWN_PERSON } from './enrol.ts';
import type { E2eSession } from './session.ts';

/** A program of the site sends verifications of people who are known here, until four need a person's decision. */
export async function verifyKnownPeople(world: E2eSession, flow: number, token: string): Promise<void> {
  const client = new ScreeningClient({ address: world.service.address, token });
  for (let n = 0; n < 4; n++) {
    const person = n === 3 ? UNKNOWN_PERSON : ENROLLED[n];
    const { statusLabel } = await client.verify(flow, await portrait(person ?? 0, 9 + n));
    assert.equal(statusLabel, 'Review Needed');
  }
}

/** Four cases, decided without the mouse; the last decision is undone and made again. */
export async function decideByKeyboard({ page }: E2eSession): Promise<void> {
  await page.keyboard.press('g');
  await page.keyboard.press('r');
  await page.waitForURL(/\/review/);
  await page.getByText('4 to review, oldest first').waitFor();
  const number = page.locator('.case-head .soft');
  for (let round = 0; round < 4; round++) {
    const before = (await number.textContent()) ?? '';
    if (round === 0) {
      await page.keyboard.press('n');
      await page.keyboard.type('rv: compared at the desk');
      await page.keyboard.press('Enter');
      assert.equal(await number.textContent(), before, 'letters in the note decide nothing');
    }
    await page.keyboard.press(round % 2 === 0 ? 'r' : 'v');
    // The last person is on the blacklist.
    if (round === 3) await confirmClearance(page);
    await page.waitForFunction(([selector, text]) => document.querySelector(selector)?.textContent !== text, [
      '.case-head .soft',
      before,
    ] as const);
  }
  await page.getByText('Nothing needs review').waitFor();
  await page.keyboard.press('z');
  await page.getByText('1 to review, oldest first').waitFor();
  await number.waitFor();
  await page.keyboard.press('v');
  await confirmClearance(page);
  await page.getByText('Nothing needs review').waitFor();
  await page.goto('/validations?status=1');
  await page.getByText('2 validations, 0 to review').waitFor();
  await page.getByRole('row').last().click();
  await page.getByRole('tab', { name: 'History' }).click();
  await page.getByRole('tabpanel', { name: 'History' }).getByText('rv: compared at the desk').waitFor();
}

/** Clears a strong blacklist match, which alone needs a confirmation. */
async function confirmClearance(page: E2eSession['page']): Promise<void> {
  const dialog = page.getByRole('dialog', { name: 'Clear a strong blacklist match?' });
  await dialog.getByRole('button', { name: 'Different person' }).click();
}
