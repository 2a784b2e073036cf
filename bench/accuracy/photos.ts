/** The labelled photos that recognition is measured on. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { dataPath } from '../data.ts';

export interface Photo {
  path: string;
  /** Name within the set, as `pairs.csv` has it. */
  name: string;
  /** The person in the photo. */
  identity: string;
}

/** A pair of the official pair-matching protocol. */
export interface LabelledPair {
  a: string;
  b: string;
  same: boolean;
  fold: number;
}

export interface PhotoSet {
  name: string;
  photos: Photo[];
  pairs: LabelledPair[];
}

/** Labeled Faces in the Wild: a folder per person. */
export function lfw(): PhotoSet {
  const root = dataPath('faces', 'lfw');
  const photos = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.jpg'))
    .sort()
    .map((name) => ({ path: join(root, name), name, identity: dirname(name) }));
  const pairs = rows(join(root, 'pairs.csv')).map(([a, b, same, fold]) => ({
    a: a!,
    b: b!,
    same: same === '1',
    fold: Number(fold),
  }));
  return { name: 'LFW', photos, pairs };
}

/** The ORL faces: grey, 92 × 112, cropped tightly. */
export function orl(): PhotoSet {
  const root = dataPath('faces', 'orl_grey');
  const photos = rows(join(root, 'identities.csv')).map(([file, identity]) => ({
    path: join(root, file!),
    name: basename(file!),
    identity: identity!,
  }));
  return { name: 'ORL', photos, pairs: [] };
}

function rows(csv: string): string[][] {
  const [, ...lines] = readFileSync(csv, 'utf8').trim().split(/\r?\n/);
  return lines.map((line) => line.split(','));
}
