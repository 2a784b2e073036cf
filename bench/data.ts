/** Where the measuring data is; never part of the repository. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A folder or file of the data set. Ends the program with words when VOUCH_DATA does not name it. */
export function dataPath(...parts: string[]): string {
  const root = process.env.VOUCH_DATA;
  const path = join(root ?? '', ...parts);
  if (root !== undefined && existsSync(path)) return path;
  console.error(`VOUCH_DATA must name the folder that holds ${parts.join('/')}.`);
  process.exit(2);
}

/** The first `count` photos of LFW by name, one folder per person. */
export function lfwPhotos(count: number): { path: string; name: string }[] {
  const root = dataPath('faces', 'lfw');
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jpg'))
    .sort()
    .slice(0, count)
    .map((name) => ({ path: join(root, name), name }));
}
