/** A new installation with a browser before it. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildDashboard } from '../../test/browser/built.ts';
import { findChromium, openBrowser, openPageIn, openProfile } from '../../test/browser/browser.ts';
import { startService } from '../../test/support/serviceProcess.ts';
import { Hand } from './hand.ts';
import { copyPhotos, type JobPhotos } from './photos.ts';

export interface Installation {
  /** Of this measurement; removed at its end. */
  work: string;
  home: string;
  address: string;
  photos: JobPhotos;
  hand: Hand;
}

/** The same for all jobs of a run. */
export const COMPANY = 'Harbour Registry';
export const OPERATOR = 'Maren Holt';
export const PASSPHRASE = 'four unrelated harbour words';

/** How long the service may take for a folder, milliseconds. */
export const LONG = { timeout: 1_800_000 };

/** Starts a service with one worker and opens its dashboard; both end with the measurement. */
export async function withInstallation(
  { portraits, isArabic }: { portraits: number; isArabic: boolean },
  measure: (installation: Installation) => Promise<void>,
): Promise<void> {
  const chromium = findChromium();
  if (chromium === undefined)
    throw new Error('No Chromium on this machine: install one, or name it in VOUCH_CHROMIUM.');
  await buildDashboard();
  const work = mkdtempSync(join(tmpdir(), 'vouch-jobs-'));
  try {
    const photos = copyPhotos(work, portraits);
    const home = join(work, 'home');
    mkdirSync(home);
    const service = await startService(home, 0, 1);
    const browser = await openBrowser(chromium);
    try {
      const profile = await openProfile(browser, service.address, { acceptDownloads: true });
      const preferences = { state: { language: isArabic ? 'ar' : 'en' }, version: 0 };
      const kept = JSON.stringify(JSON.stringify(preferences));
      await profile.addInitScript(`localStorage.setItem('vouch-preferences', ${kept})`);
      const { page, complaints } = await openPageIn(profile, service.address);
      try {
        await measure({ work, home, address: service.address, photos, hand: new Hand(page, isArabic) });
        if (complaints.length > 0) throw new Error(`The page reported: ${complaints.join('; ')}`);
      } catch (error) {
        const picture = process.env.VOUCH_PICTURES;
        if (picture !== undefined) await page.screenshot({ path: join(picture, 'jobs-failed.png') });
        throw error;
      }
    } finally {
      await browser.close();
      await service.stop();
    }
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}
