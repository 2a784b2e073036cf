/** One service with the real models, one browser and one page, shared by all parts of the end-to-end test. */
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import sharp from 'sharp';
import type { Page } from 'playwright-core';
import { freePort } from '../../support/network.ts';
import { portrait } from '../../support/facePhotos.ts';
import { startService, type ServiceProcess } from '../../support/serviceProcess.ts';
import { findChromium, openBrowser, openPage } from '../browser.ts';

export const COMPANY = 'Harbour Registry';
export const OPERATOR = 'Maren Holt';
export const PASSPHRASE = 'four unrelated harbour words';

/** How long the engine may take for what a page waits for, on the slowest machine that runs this; milliseconds. */
export const ENGINE_TIMEOUT_MS = 400_000;

export interface E2eSession {
  home: string;
  page: Page;
  /** The page's errors, policy violations and requests to another origin. */
  complaints: string[];
  service: ServiceProcess;
  /** A power cut. */
  powerCut(): Promise<void>;
  /** The same home on the same port. */
  restart(): Promise<void>;
}

/** All processes end with the test, passed or failed. */
export async function openSession(t: TestContext): Promise<E2eSession> {
  const chromium = findChromium();
  if (chromium === undefined) throw new Error('The end-to-end test needs a browser.');
  const home = await mkdtemp(join(tmpdir(), 'vouch-e2e-'));
  t.after(() => rm(home, { recursive: true, force: true }));
  const port = await freePort();
  let service = await startService(home, port, 1);
  t.after(() => service.kill());
  const { address } = service;
  const browser = await openBrowser(chromium);
  t.after(() => browser.close());
  const { page, complaints } = await openPage(browser, address);
  return {
    home,
    page,
    complaints,
    get service() {
      return service;
    },
    powerCut: () => service.kill(),
    async restart() {
      service = await startService(home, port, 1);
    },
  };
}

/** Opens an entry of Settings, and one of its tabs. */
export async function openSetting(page: Page, entry: string, tab?: string): Promise<void> {
  await openScreen(page, 'Settings');
  await openScreen(page, entry, tab);
}

/** Opens an entry of the menu, and one of its tabs. */
export async function openScreen(page: Page, entry: string, tab?: string): Promise<void> {
  const link = (within: string, name: string) =>
    page.getByRole('navigation', { name: within }).getByRole('link', { name, exact: true });
  await link('Main', entry).click();
  if (tab !== undefined) await link('Screens of this menu entry', tab).click();
}

/** Portraits of people, as JPEG files in a folder. @param shot another photo of the same person */
export async function portraitsInto(
  folder: string,
  people: readonly number[],
  shots: readonly number[],
): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const person of people)
    for (const shot of shots)
      await writeFile(join(folder, `person ${person} shot ${shot}.jpg`), await portrait(person, shot));
}

/** A photo without a person. */
export async function emptyRoom(): Promise<Buffer> {
  return sharp({ create: { width: 400, height: 300, channels: 3, background: '#8aa0b4' } })
    .jpeg()
    .toBuffer();
}
