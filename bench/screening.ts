/** Measures the time to finalise a verification with many enrolled faces: `npm run bench -- screening [faces …]`. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { BlacklistId, FaceId } from '../core/contracts/ids.ts';
import { companySettings } from '../core/contracts/settings.ts';
import type { GalleryPort } from '../core/domain/ports/gallery.ts';
import type { RecognitionPort, VisionPort } from '../core/domain/ports/recognition.ts';
import { asLocalAdmin } from '../core/domain/ports/auditContext.ts';
import { Verifications } from '../core/domain/screening/verifications.ts';
import { openGallery } from '../core/gallery/index.ts';
import { openHome, openStorage } from '../core/storage/index.ts';
import { createVision } from '../core/vision/pool/vision.ts';
import { makeDemoPhotos } from '../scripts/demo/photos.ts';
import { publish, table } from './report.ts';
import { median } from './statistics.ts';

const SIZES = [1_000, 100_000];
const ROUNDS = 20;
/** Ids far beyond those that the store gives. */
const FIRST_INVENTED = 1_000_000_000;

const args = process.argv.slice(2);
const sizes = args.length === 0 ? SIZES : args.map(Number);
const folder = await mkdtemp(join(tmpdir(), 'vouch-bench-'));
const clock = { now: () => new Date() };
const silent = () => undefined;
const log = { info: silent, warn: silent, error: silent };
const vision = await createVision({
  modelsFolder: join(import.meta.dirname, '..', 'models'),
  workers: 1,
  onWorkerDeath: silent,
});
await vision.start();
const storage = await openStorage(openHome(folder), clock);
try {
  const photos = join(folder, 'photos');
  const {
    names: [name],
  } = await makeDemoPhotos(photos);
  if (name === undefined) throw new Error('There is no photo to verify.');
  const photo = await readFile(join(photos, name));
  const rows: (string | number)[][] = [];
  for (const size of sizes) rows.push(await measure(size, photo));
  publish({
    name: 'screening',
    title: 'Screening: what a verification costs',
    args,
    body: [
      `Milliseconds, median of ${ROUNDS} verifications of one person, one after the other, one vision worker; the gallery holds`,
      'that many other faces of the company. Half of them are in two chosen blacklists, so a finalisation searches three watchlists.',
      'Vision is done when the selfie arrives; finalising is search and one transaction.',
      '',
      table(
        [
          'enrolled faces',
          'selfie: vision',
          'selfie: store',
          'finalise: search',
          'finalise: the rest',
          'together',
        ],
        rows,
      ),
    ].join('\n'),
  });
} finally {
  await vision.close();
  await storage.close();
  await rm(folder, { recursive: true, force: true });
}

async function measure(size: number, photo: Uint8Array): Promise<(string | number)[]> {
  const company = await storage.companies.create(
    {
      name: `${size} faces`,
      settings: companySettings.parse({}),
    },
    asLocalAdmin(clock),
  );
  const gallery = await openGallery({ pipelineId: vision.pipelineId }, storage, log);
  let seeing = 0;
  let searching = 0;
  const timed = {
    ...storage,
    clock,
    log,
    vision: ofEveryCompany({
      ...vision,
      enrol: async (...input: Parameters<typeof vision.enrol>) => {
        const start = performance.now();
        const seen = await vision.enrol(...input);
        seeing += performance.now() - start;
        return seen;
      },
    }),
    gallery: {
      append: gallery.append.bind(gallery),
      remove: gallery.remove.bind(gallery),
      ready: gallery.ready.bind(gallery),
      size: gallery.size.bind(gallery),
      moment: gallery.moment.bind(gallery),
      changedSince: gallery.changedSince.bind(gallery),
      searchPersons: async (...input: Parameters<GalleryPort['searchPersons']>) => {
        const start = performance.now();
        const found = await gallery.searchPersons(...input);
        searching += performance.now() - start;
        return found;
      },
      search: gallery.search.bind(gallery),
      searchEach: (...input: Parameters<GalleryPort['searchEach']>) => gallery.searchEach(...input),
    },
  };
  const blacklistIds: number[] = [];
  for (const name of ['first', 'second']) {
    const created = await storage.blacklists.create(
      company.id,
      { name, description: null },
      asLocalAdmin(clock),
    );
    const list = created;
    blacklistIds.push(list.id);
  }
  const probe = await vision.enrol(photo, { priority: 'bulk' });
  if (probe.kind !== 'face') throw new Error('The photo shows no face.');
  fill(gallery, company.id, size, probe.face.template.vector.length, blacklistIds);
  const flow = await storage.flows.create(
    company.id,
    'Bench',
    {
      duplicateDetection: { enabled: true },
      blacklistDetection: { enabled: true, blacklistIds },
    },
    'local-admin',
  );
  const verifications = new Verifications(timed);
  const times: number[][] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    seeing = 0;
    searching = 0;
    const created = await verifications.create(company, flow.id, null, 'local-admin');
    if (created === undefined) throw new Error('The flow is gone.');
    const reference = { flowId: flow.id, id: created.validation.id };
    const start = performance.now();
    await verifications.takeSelfie(company, reference, photo, 'local-admin');
    const taken = performance.now();
    await verifications.finalise(company, reference, 'local-admin');
    const end = performance.now();
    times.push([seeing, taken - start - seeing, searching, end - taken - searching, end - start]);
  }
  await gallery.close();
  const columns = [0, 1, 2, 3, 4].map((column) => median(times.map((row) => row[column]!)).toFixed(1));
  console.log(size, columns.join('  '));
  return [size.toLocaleString('en'), ...columns];
}

/** Invented faces: random directions, half of them in duplicate detection, a quarter in each blacklist. */
function fill(
  gallery: GalleryPort,
  company: Parameters<GalleryPort['append']>[0],
  size: number,
  dimensions: number,
  blacklistIds: readonly number[],
): void {
  for (let index = 0; index < size; index += 1) {
    const vector = new Float32Array(dimensions);
    let squares = 0;
    for (let at = 0; at < dimensions; at += 1) {
      vector[at] = Math.random() + Math.random() + Math.random() - 1.5;
      squares += vector[at]! ** 2;
    }
    for (let at = 0; at < dimensions; at += 1) vector[at]! /= Math.sqrt(squares);
    const list = blacklistIds[index % 4];
    gallery.append(company, [
      {
        faceId: (FIRST_INVENTED + index) as FaceId,
        template: { pipelineId: vision.pipelineId, vector },
        watchlist:
          list === undefined
            ? { kind: 'duplicate' }
            : { kind: 'blacklist', blacklistId: list as BlacklistId },
      },
    ]);
  }
}

/** One pipeline for every caller. */
function ofEveryCompany(timed: VisionPort): RecognitionPort {
  return {
    workers: timed.workers,
    pipelineOf: () => timed.pipelineId,
    of: () => timed,
    calibrationOf: () => timed.calibration,
    whenNotSwitching: () => Promise.resolve(),
  };
}
