import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';

const PROJECT = join(import.meta.dirname, '..');

/** Builds the dashboard's pages where there are none yet; a package for offline sites brings them built. */
export async function buildPages(): Promise<void> {
  if (existsSync(join(PROJECT, 'dist', 'renderer', 'index.html'))) return;
  console.log('Building the dashboard, this once.');
  await build({ configFile: join(PROJECT, 'renderer', 'vite.config.ts'), logLevel: 'warn' });
}
