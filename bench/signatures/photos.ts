/** Photos of faces are no signatures: how many does the cleaning take for one? */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { dataPath } from '../data.ts';
import { prepareSignature } from '../../core/signatures/compare.ts';
import { percent } from '../statistics.ts';

/** Portraits of LFW; the others of its photos served to set the limit. */
const EVERY = 4;

/** @param share how much of the portraits that are measured on, 0 to 1 */
export async function photosReport(share: number): Promise<string> {
  const folder = dataPath('faces', 'lfw');
  const photos = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jpg'))
    .sort()
    .filter((_, i) => i % EVERY === 2);
  const measured = photos.slice(0, Math.ceil(photos.length * share));
  let taken = 0;
  for (const photo of measured)
    if ((await prepareSignature(readFileSync(join(folder, photo)))).kind === 'signature') taken++;
  return `Of ${measured.length} portraits of LFW, none of them used to set the limit, ${taken} (${percent(taken / measured.length)}) are taken for a signature.`;
}
