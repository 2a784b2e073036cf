/**
 * Enrols, erases, searches and keeps snapshots on a real store until it is killed: `node galleryChurn.ts HOME SEED`.
 * Prints what it is about to do and what is done, so that the one who kills it knows what must have survived.
 */
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BlacklistId, FaceId, UploadId } from '../../core/contracts/ids.ts';
import { fillCompany, keepSnapshots } from '../../core/gallery/start.ts';
import { MemoryGallery } from '../../core/gallery/gallery.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { faceAlong, TEST_PIPELINE, TestClock, writeImage } from './site.ts';
import { TEST_ACT } from './act.ts';
import { enrolItem } from './answerItem.ts';
import type { Company } from '../../core/domain/ports/auditContext.ts';

export const CHURN_PROGRAM = fileURLToPath(import.meta.url);
/** Small, so that a few dozen faces have several snapshots. */
export const CHURN_SNAPSHOT_FACES = 6;
const DIMENSIONS = 16;

/** A template that its seed decides. */
export function seededVector(seed: number): Float32Array {
  const raw = Array.from({ length: DIMENSIONS }, (_, i) => Math.sin((seed + 1) * (i + 1) * 12.9898));
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (component) => component / length);
}

/** A gallery filled from the store as the service fills it. */
export async function filledGallery(
  storage: Storage,
  company: Company,
): Promise<{ gallery: MemoryGallery; restored: number }> {
  const gallery = new MemoryGallery({
    pipelineId: TEST_PIPELINE,
    threads: 0,
    codesFrom: 8,
    vectors: (id, faces) => storage.faces.vectors(id, TEST_PIPELINE, faces),
  });
  const stores = { faces: storage.faces, gallerySnapshots: storage.gallerySnapshots };
  const { restored } = await fillCompany(gallery, stores, company.id, TEST_PIPELINE);
  return { gallery, restored };
}

async function churn(home: string, seed: number): Promise<never> {
  const storage = await openStorage(openHome(home), new TestClock());
  const [company] = await storage.companies.list();
  const list = (await storage.blacklists.list(company!.id, { offset: 0, limit: 1 })).rows[0]!.id;
  const { gallery } = await filledGallery(storage, company!);
  const enrolled = gallery.facesIn(company!.id, {
    after: 0 as FaceId,
    upTo: Number.MAX_SAFE_INTEGER as FaceId,
  });
  say('ready');
  let state = seed;
  const random = (below: number) => (state = (state * 48_271) % 2_147_483_647) % below;
  for (;;) {
    const choice = random(10);
    if (choice < 4) enrolled.push(...(await enrol(storage, company!, list, gallery, 1 + random(4))));
    else if (choice < 6 && enrolled.length > 40) {
      const [face] = enrolled.splice(random(enrolled.length), 1);
      say(`erasing ${face!}`);
      await storage.blacklists.deleteFace(company!.id, list, face!, TEST_ACT);
      gallery.remove(company!.id, [face!]);
      say(`erased ${face!}`);
    } else if (choice < 8) {
      const kept = await keepSnapshots(gallery, storage, company!.id, TEST_PIPELINE, CHURN_SNAPSHOT_FACES);
      if (kept > 0) say(`kept ${kept}`);
    } else await gallery.search(company!.id, queryFor(list, random(1_000)));
  }
}

/** A search over the list for the nearest five. */
export function queryFor(list: BlacklistId, seed: number) {
  return {
    probe: { pipelineId: TEST_PIPELINE, vector: seededVector(seed) },
    watchlists: [{ kind: 'blacklist', blacklistId: list } as const],
    limit: 5,
    maxDistance: 2,
  };
}

async function enrol(
  storage: Storage,
  company: Company,
  list: BlacklistId,
  gallery: MemoryGallery,
  count: number,
): Promise<FaceId[]> {
  const images = [];
  for (let i = 0; i < count; i++)
    images.push({ fileName: `${i}.jpg`, image: await writeImage(storage, company) });
  const target = { kind: 'blacklist', blacklistId: list } as const;
  await storage.uploads.accept(company.id, {
    id: randomUUID() as UploadId,
    target,
    accepted: TEST_ACT,
    images,
  });
  const faces: FaceId[] = [];
  for (const item of await storage.queue.lease(count)) {
    const template = { pipelineId: TEST_PIPELINE, vector: seededVector(item.id) };
    const face = { ...faceAlong(0), template };
    const image = { width: 100, height: 100, format: 'jpeg' } as const;
    const landed = await enrolItem(storage.queue, item, { image, face }, new Date());
    if (landed === undefined) continue;
    gallery.append(company.id, [{ faceId: landed.faceId, watchlist: target, template }]);
    say(`enrolled ${landed.faceId}`);
    faces.push(landed.faceId);
  }
  return faces;
}

/** Written at once: what was said before a kill was said. */
function say(line: string): void {
  writeSync(1, `${line}\n`);
}

if (process.argv[1] === CHURN_PROGRAM) await churn(process.argv[2]!, Number(process.argv[3]));
