/**
 * `npm run lock`, after a change of the dependencies: removes from the lock file the versions of Node that packages ask for.
 * They are compared with the Node that runs npm, and each package runs on the Node of the package `node` instead.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '..', 'package-lock.json');

const lock = JSON.parse(readFileSync(FILE, 'utf8')) as { packages: Record<string, { engines?: unknown }> };
for (const [path, entry] of Object.entries(lock.packages)) if (path !== '') delete entry.engines;
writeFileSync(FILE, `${JSON.stringify(lock, null, 2)}\n`);
