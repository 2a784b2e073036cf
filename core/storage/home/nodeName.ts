import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { writeDurably } from '../engine/fsync.ts';
import type { Home } from '../engine/home.ts';

/** The name of the service of a home: random, and kept in a file from the first start on. */
export async function nodeName({ nodeName: file }: Pick<Home, 'nodeName'>): Promise<string> {
  if (existsSync(file)) return readFileSync(file, 'utf8').trim();
  const name = randomBytes(6).toString('hex');
  await writeDurably(file, `${name}\n`);
  return name;
}
