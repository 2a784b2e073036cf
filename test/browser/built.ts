/** The pages as they are in the sources now, built once for all test files that run side by side. */
import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { build } from 'vite';
import { hasSystemCode } from '../../core/contracts/errors/systemProblem.ts';

const PROJECT = join(import.meta.dirname, '../..');
/** The built pages. The service serves them from there, too. */
export const BUILD_FOLDER = join(PROJECT, 'dist', 'renderer');
const LOCK = join(PROJECT, 'dist', 'renderer.lock');
const SOURCES = [
  'renderer',
  'core/contracts',
  'core/uploader',
  'docs',
  'scripts/manual.ts',
  'scripts/manual.css',
  'package-lock.json',
];
/** A lock this old was left by a process that was killed; milliseconds. */
const STALE = 120_000;

/** Builds the dashboard unless what is built is newer than all it is made of. */
export async function buildDashboard(): Promise<void> {
  mkdirSync(join(PROJECT, 'dist'), { recursive: true });
  while (!takeLock()) await sleep(100);
  try {
    if (isBuilt()) return;
    await build({ configFile: join(PROJECT, 'renderer', 'vite.config.ts'), logLevel: 'error' });
  } finally {
    rmSync(LOCK, { recursive: true, force: true });
  }
}

/** The size of all that a browser loads before the first screen, compressed as the service sends it, in bytes. */
export function initialBytes(): number {
  const page = readFileSync(join(BUILD_FOLDER, 'index.html'), 'utf8');
  const assets = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+\.(?:js|css))"/g)].map(
    (match) => match[1] ?? '',
  );
  if (assets.length < 2) throw new Error('The page names no scripts: it was built otherwise than expected.');
  return assets.reduce((sum, asset) => sum + statSync(join(BUILD_FOLDER, `${asset}.br`)).size, 0);
}

function takeLock(): boolean {
  try {
    mkdirSync(LOCK);
    return true;
  } catch (error) {
    if (!hasSystemCode(error, 'EEXIST')) throw error;
    const age = Date.now() - (changedAt(LOCK) ?? Date.now());
    if (age > STALE) rmSync(LOCK, { recursive: true, force: true });
    return false;
  }
}

function isBuilt(): boolean {
  const built = changedAt(join(BUILD_FOLDER, 'index.html'));
  if (built === undefined) return false;
  return SOURCES.flatMap((source) => filesOf(join(PROJECT, source))).every(
    (file) => (changedAt(file) ?? 0) < built,
  );
}

function filesOf(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  return readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function changedAt(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs;
}
