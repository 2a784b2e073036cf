/** Jobs 7 to 9: signatures are compared, a program gets in, and the installation is backed up and restored. */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { run } from '../../test/support/serviceProcess.ts';
import { LONG, PASSPHRASE, type Installation } from './installation.ts';

const shell = promisify(execFile);

/** Job 7: two signatures are compared, and the report is saved. */
export async function compareSignatures({ hand, photos }: Installation): Promise<void> {
  const { page } = hand;
  await hand.go('Compare');
  await hand.open('Compare signatures');
  for (const [at, label] of (['First signature', 'Second signature'] as const).entries())
    await hand.choose(page.getByLabel(label).locator('input[type=file]'), photos.signatures[at] ?? '');
  await hand.press('Compare');
  await page.locator('.signature-result').waitFor();
  const saved = page.waitForEvent('download');
  await hand.press('PDF report');
  await saved;
}

/** Job 8: a credential is created, and the first program that the screen shows is run as it stands. */
export async function connectProgram({ hand, photos, work }: Installation): Promise<void> {
  const { page } = hand;
  await hand.go('Settings');
  await hand.go('Access');
  await hand.press('New credential');
  await hand.fill(page.getByLabel('Name', { exact: true }), 'Turnstile');
  await hand.check(page.getByLabel('enroll', { exact: true }));
  await hand.press('Create credential');
  const example = page.locator('.example');
  await example.waitFor();
  const program = (await example.first().textContent()) ?? '';
  const folder = join(work, 'program');
  mkdirSync(folder);
  copyFileSync(photos.unknown[1], join(folder, 'photo.jpg'));
  hand.command();
  const { stdout } = await shell('sh', ['-c', program], { cwd: folder });
  if (!stdout.includes('"success":true')) throw new Error(`The program was answered ${stdout}`);
  await hand.check(page.getByLabel('I have stored this in a safe place'));
  await hand.press('Done');
}

/** Job 9: the dashboard makes the backup; the terminal restores it into another folder. */
export async function backUpAndRestore(
  { hand, home, work }: Installation,
  backupKey: string,
): Promise<{ restored: string }> {
  const { page } = hand;
  await hand.go('Settings');
  await hand.go('Backup');
  await hand.press('Back up now');
  const passphrase = page.getByLabel('Passphrase');
  const done = page.getByText(/^Last backup:/).first();
  await done.or(passphrase).first().waitFor();
  if ((await passphrase.count()) > 0) {
    await hand.fill(passphrase, PASSPHRASE);
    await hand.press('Back up now');
  }
  await done.waitFor(LONG);
  const folder = join(home, 'backups');
  const [file = ''] = readdirSync(folder).filter((name) => name.endsWith('.vouch'));
  const key = join(work, 'backup-key.txt');
  writeFileSync(key, `${backupKey}\n`);
  const restored = join(work, 'elsewhere');
  hand.command();
  const { code, stderr } = await run(restored, ['restore', join(folder, file), '--backup-key-file', key]);
  if (code !== 0) throw new Error(`The backup was not restored: ${stderr}`);
  return { restored };
}
