/**
 * Enrols, erases and searches for duplicates on a real store until it is killed: `node nearPairsAndDie.ts HOME SEED`.
 * Prints each portion and each end of a search.
 */
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TEST_ACT } from './act.ts';
import {
  beginRun,
  enrolSeeds,
  EVERY_FACE,
  openNearPairSite,
  searchOf,
  type NearPairSite,
} from './nearPairSite.ts';
import { randomOf } from './seed.ts';

export const NEAR_PAIRS_PROGRAM = fileURLToPath(import.meta.url);
/** Few, so that photos are identical and distances equal. */
const SEEDS = 60;
const MAX_FACES = 150;
/** Of 16 components: some hundreds of pairs. */
export const NEAR_DISTANCE = 0.6;

async function work(home: string, seed: number): Promise<never> {
  const site = await openNearPairSite(home);
  const random = randomOf(seed, 0);
  const below = (most: number) => Math.floor(random() * most);
  const search = searchOf(site);
  search.follow(({ ended }) => {
    writeSync(1, ended ? 'ended\n' : 'portion\n');
  });
  search.start();
  for (let round = 0; ; round += 1) {
    const latest = await site.storage.duplicateRuns.latest(site.company.id);
    await beginRun(site, latest === undefined || below(4) === 0 ? 'all' : 'new', NEAR_DISTANCE);
    search.wake();
    // The search goes on meanwhile.
    await change(site, below);
    if (round % 3 === 2) await search.idle();
  }
}

async function change(site: NearPairSite, below: (most: number) => number): Promise<void> {
  const { storage, company, list, gallery } = site;
  const faces = gallery.facesIn(company.id, EVERY_FACE);
  if (faces.length < MAX_FACES) {
    const seeds = Array.from({ length: 1 + below(8) }, () => below(SEEDS));
    await enrolSeeds(site, below(2) === 0 ? 'duplicate' : 'blacklist', seeds);
  }
  const face = faces[below(Math.max(1, faces.length))];
  if (face === undefined) return;
  if ((await storage.blacklists.deleteFace(company.id, list, face, TEST_ACT)) !== undefined)
    gallery.remove(company.id, [face]);
}

if (process.argv[1] === NEAR_PAIRS_PROGRAM) await work(process.argv[2]!, Number(process.argv[3]));
