/** The photos of the first ten jobs: a folder to enrol, and other photos of the same people. */
import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { dataPath, lfwPhotos } from '../data.ts';
import type { ChosenFile } from './hand.ts';

/** Portraits in the folder; the files that are no good portraits come on top. */
export const PORTRAITS = 550;
/** People of whom another photo is kept back. */
const PROBES = 24;

export interface JobPhotos {
  /** The folder that is enrolled. */
  folder: string;
  files: number;
  /** Second photos of people in the folder. */
  known: readonly string[];
  /** Two photos of a person of whom none is in the folder. */
  unknown: readonly [string, string];
  /** A photo with several people. */
  group: string;
  /** Two signatures of one person. */
  signatures: readonly [string, string];
}

/** @param into an empty folder @param portraits how many are enrolled */
export function copyPhotos(into: string, portraits: number): JobPhotos {
  const all = lfwPhotos(2_000);
  const byPerson = Map.groupBy(all, ({ name }) => name.split('/')[0] ?? name);
  const several = [...byPerson.values()].filter((photos) => photos.length > 1);
  const known = several.slice(0, PROBES).flatMap((photos) => photos.at(-1) ?? []);
  const [first, second] = several.at(-1) ?? [];
  if (first === undefined || second === undefined) throw new Error('No person of LFW has two photos.');
  const kept = new Set([...known, ...(several.at(-1) ?? [])]);
  const folder = join(into, 'intake');
  const chosen = all.filter((photo) => !kept.has(photo)).slice(0, portraits);
  for (const { path, name } of chosen) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    copyFileSync(path, join(folder, name));
  }
  const bad = dataPath('faces', 'bad_inputs');
  const names = readdirSync(bad).filter((name) => !/\.(csv|md)$/.test(name));
  mkdirSync(join(folder, 'bad'), { recursive: true });
  for (const name of names) copyFileSync(join(bad, name), join(folder, 'bad', name));
  const cedar = dataPath('signatures', 'cedar');
  const [one = '', other = ''] = readdirSync(cedar).filter((name) => name.startsWith('original'));
  return {
    folder,
    files: chosen.length + names.length,
    known: known.map(({ path }) => path),
    unknown: [first.path, second.path],
    group: join(bad, 'multi_4_012_4.jpg'),
    signatures: [join(cedar, one), join(cedar, other)],
  };
}

/** A file under another name. */
export function named(path: string, name = basename(path)): ChosenFile {
  const mimeType = path.endsWith('.png') ? 'image/png' : 'image/jpeg';
  return { name, mimeType, buffer: readFileSync(path) };
}
