/** A store with a gallery and a duplicate search over it, whose templates a seed decides. */
import { randomUUID } from 'node:crypto';
import type { TestContext } from 'node:test';
import type { BlacklistId, FaceId, UploadId } from '../../core/contracts/ids.ts';
import { FaceListingService } from '../../core/domain/blacklists/faceListings.ts';
import { DuplicateSearch, type DuplicateSearchPorts } from '../../core/domain/duplicates/duplicateSearch.ts';
import type { NearPair } from '../../core/domain/ports/duplicates.ts';
import type { DuplicateRun } from '../../core/storage/duplicates/runs.ts';
import { squaredDistance } from '../../core/gallery/distance.ts';
import type { MemoryGallery } from '../../core/gallery/gallery.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { TEST_ACT } from './act.ts';
import { SILENT_LOG, TEST_CALIBRATION } from './fakes.ts';
import { filledGallery, seededVector } from './galleryChurn.ts';
import { faceAlong, newCompany, temporaryFolder, TEST_PIPELINE, TestClock, writeImage } from './site.ts';
import { enrolItem } from './answerItem.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

export const EVERY_FACE = { after: 0 as FaceId, upTo: Number.MAX_SAFE_INTEGER as FaceId };

/** Enough of a tail for runs whose distance a test chooses. */
export const ANY_TAIL: NonNullable<DuplicateRun['tail']> = {
  faces: 2,
  pairs: 1,
  strong: 0,
  measuredTo: 1,
  law: { at: 1, level: 1, slope: -1 },
  error: { level: 0, slope: 0, both: 0 },
};

/** The parts of the service that near pairs depend on, over one home. */
export interface NearPairSite {
  storage: Storage;
  clock: TestClock;
  company: Company;
  list: BlacklistId;
  gallery: MemoryGallery;
  listings: FaceListingService;
}

export async function prepareHome(home: string): Promise<void> {
  const storage = await openStorage(openHome(home), new TestClock());
  const company = await newCompany(storage, home);
  await storage.blacklists.create(company.id, { name: 'List', description: null }, TEST_ACT);
  await storage.close();
}

export async function openNearPairSite(home: string, clock = new TestClock()): Promise<NearPairSite> {
  const storage = await openStorage(openHome(home), clock);
  const [company] = await storage.companies.list();
  const { rows } = await storage.blacklists.list(company!.id, { offset: 0, limit: 1 });
  const { gallery } = await filledGallery(storage, company!);
  const vision = { pipelineOf: () => TEST_PIPELINE };
  const listings = new FaceListingService({ ...storage, gallery, vision, clock, log: SILENT_LOG });
  return { storage, clock, company: company!, list: rows[0]!.id, gallery, listings };
}

export async function closeNearPairSite({ storage, gallery }: NearPairSite): Promise<void> {
  await gallery.close();
  await storage.close();
}

/**
 * A search over the site.
 * @param pairs replaces the comparison of the gallery @param pipeline that serves the company
 */
export function searchOf(
  { storage, clock, gallery }: NearPairSite,
  pairs: DuplicateSearchPorts['gallery']['pairs'] = (...asked) => gallery.pairs(...asked),
  pipeline = TEST_PIPELINE,
): DuplicateSearch {
  return new DuplicateSearch({
    ...storage,
    ...PLATFORM,
    gallery: { pairs, size: (...asked) => Promise.resolve(gallery.size(...asked)) },
    recognition: { pipelineOf: () => pipeline, calibrationOf: () => TEST_CALIBRATION },
    inProgress: () => 0,
    clock,
    log: SILENT_LOG,
    portion: 5,
  });
}

/** Starts a run of both lists at a distance. @returns undefined: it cannot start now */
export async function beginRun(
  { storage, company, list, gallery }: NearPairSite,
  mode: DuplicateRun['mode'],
  distance: number,
  tail = ANY_TAIL,
): Promise<DuplicateRun | undefined> {
  const choice = { mode, blacklists: [list], oneIn: 1_000 };
  const lists = [{ kind: 'duplicate' } as const, { kind: 'blacklist', blacklistId: list } as const];
  const total = lists.reduce((sum, each) => sum + gallery.size(company.id, each), 0);
  const at = { pipeline: TEST_PIPELINE, total };
  if ((await storage.duplicateRuns.unfinished(company.id)) !== undefined) return undefined;
  const run = await storage.duplicateRuns.begin(company.id, choice, at, TEST_ACT);
  await storage.duplicateRuns.choose(run, tail, run.maxDistance ?? distance);
  return run;
}

/** Enrols a face for each seed: into the blacklist, or for duplicate detection. @param vectorOf the template of a seed */
export async function enrolSeeds(
  { storage, company, list, gallery }: NearPairSite,
  kind: 'duplicate' | 'blacklist',
  seeds: readonly number[],
  vectorOf = seededVector,
): Promise<FaceId[]> {
  const blacklist = { kind: 'blacklist', blacklistId: list } as const;
  const trustFlowId = await storage.companies.systemTrustFlow(company.id);
  await storage.uploads.accept(company.id, {
    id: randomUUID() as UploadId,
    target: kind === 'duplicate' ? { kind, trustFlowId } : blacklist,
    accepted: TEST_ACT,
    images: await Promise.all(
      seeds.map(async (seed) => ({
        fileName: `${seed}.jpg`,
        image: await writeImage(storage, company, `person ${seed}`),
      })),
    ),
  });
  const faces: FaceId[] = [];
  for (const item of await storage.queue.lease(seeds.length)) {
    const seed = Number(item.fileName.replace('.jpg', ''));
    const template = { pipelineId: TEST_PIPELINE, vector: vectorOf(seed) };
    const image = { width: 100, height: 100, format: 'jpeg' } as const;
    const face = { ...faceAlong(0), template };
    const landed = await enrolItem(storage.queue, item, { image, face }, new Date());
    if (landed === undefined) continue;
    const watchlist = kind === 'duplicate' ? ({ kind } as const) : blacklist;
    gallery.append(company.id, [{ faceId: landed.faceId, watchlist, template }]);
    faces.push(landed.faceId);
  }
  return faces;
}

/** Every near pair that the store has. */
export async function storedPairs({ storage, company }: NearPairSite): Promise<NearPair[]> {
  const pairs: NearPair[] = [];
  for (let last: NearPair | undefined; ;) {
    const page = await storage.duplicateRuns.pairs(company.id, {
      limit: 100,
      ...(last !== undefined && { after: last }),
    });
    pairs.push(...page);
    last = page.at(-1);
    if (last === undefined) return pairs;
  }
}

/** Every pair of matchable faces within a distance, by a double loop in double precision. */
export async function pairsByLoop({ storage, company }: NearPairSite, distance: number): Promise<NearPair[]> {
  const faces = (await Array.fromAsync(storage.faces.all(company.id, TEST_PIPELINE))).flat();
  const pairs: NearPair[] = [];
  for (const [i, one] of faces.entries())
    for (const other of faces.slice(i + 1)) {
      const apart = Math.sqrt(squaredDistance(one.template.vector, other.template.vector));
      // The photos of one seed are the same bytes, and no others are.
      if (apart <= distance)
        pairs.push({ first: one.faceId, second: other.faceId, distance: apart, identical: apart === 0 });
    }
  return pairs;
}

/** A site whose faces of these seeds a whole duplicate search has compared, up to a distance of 0.2. It ends with the test. */
export async function openSearchedSite(
  t: TestContext,
  seeds: readonly number[],
  vectorOf: (seed: number) => Float32Array,
) {
  const home = temporaryFolder(t);
  await prepareHome(home);
  const site = await openNearPairSite(home);
  t.after(() => closeNearPairSite(site));
  const faces = await enrolSeeds(site, 'blacklist', seeds, vectorOf);
  await beginRun(site, 'all', 0.2);
  const search = searchOf(site);
  search.start();
  await search.idle();
  await search.stop();
  return { ...site, faces };
}
