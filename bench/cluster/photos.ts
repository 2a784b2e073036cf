/** Photos per second of several services of the role `vision`. */
import { once } from 'node:events';
import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { run, startService, tokenFor, vouch } from '../../test/support/serviceProcess.ts';
import { acceptUpload, faceAlong, newCompany } from '../../test/support/site.ts';
import { until } from '../../test/support/until.ts';
import { lfwPhotos } from '../data.ts';
import { median } from '../statistics.ts';

export const VISION_COUNTS = [1, 2, 4];
export const PHOTOS_PER_ROUND = 200;
const ROUNDS = 3;
/** Photos with which a service that was just started loads its networks. */
const WARM_UP = 8;
const COMPANY = 'Bench';
/** Photos of a transaction, as a service commits them. */
const BATCH = 16;
const BATCHES = 30;

interface PhotoRates {
  /** By the number of services. */
  perSecond: ReadonlyMap<number, number>;
  ofOneCompany: number;
}

/** @param folder for the homes @param database address of a database that does not exist yet */
export async function measurePhotos(folder: string, database: string): Promise<PhotoRates> {
  const stored = ['--database', database, '--images', join(folder, 'images')];
  mkdirSync(join(folder, 'images'));
  const home = join(folder, 'api');
  const service = await startService(home, 0, 1, {}, ['--role', 'api', ...stored]);
  const homes = Array.from({ length: Math.max(...VISION_COUNTS) }, (_, index) => {
    const own = join(folder, `vision-${index}`);
    mkdirSync(own, { mode: 0o700 });
    copyFileSync(join(home, 'store.key'), join(own, 'store.key'));
    return own;
  });
  await run(home, ['company', 'create', COMPANY]);
  const token = await tokenFor(home, COMPANY, 'enroll');
  const photos = lfwPhotos(Number.MAX_SAFE_INTEGER);
  let used = 0;

  /** @returns photos per second */
  const enrol = async (count: number): Promise<number> => {
    const source = join(folder, `photos ${used}`);
    mkdirSync(source);
    for (let index = 0; index < count; index += 1, used += 1)
      copyFileSync(photos[used % photos.length]!.path, join(source, `${index}.jpg`));
    const start = performance.now();
    await run(home, ['enroll', source, '--address', service.address], { VOUCH_TOKEN: token });
    const seconds = (performance.now() - start) / 1_000;
    rmSync(source, { recursive: true });
    return count / seconds;
  };

  const rates = new Map<number, number[]>(VISION_COUNTS.map((count) => [count, []]));
  try {
    for (let round = 0; round < ROUNDS; round += 1)
      for (const count of VISION_COUNTS) {
        const programs = homes
          .slice(0, count)
          .map((own) => vouch(own, ['serve', '--role', 'vision', '--workers', '1', ...stored]));
        await until(async () => (await visionServices(home)) === count, `${count} vision services`);
        await enrol(WARM_UP * count);
        rates.get(count)?.push(await enrol(PHOTOS_PER_ROUND));
        for (const program of programs) {
          program.kill('SIGTERM');
          if (program.exitCode === null) await once(program, 'close');
        }
      }
  } finally {
    await service.stop();
  }
  const perSecond = new Map([...rates].map(([count, all]) => [count, median(all)]));
  return { perSecond, ofOneCompany: await answeredPerSecond(home) };
}

async function visionServices(home: string): Promise<number> {
  const { stdout } = await run(home, ['--json', 'cluster', 'status']);
  return (JSON.parse(stdout) as { nodes: { role: string }[] }).nodes.filter(({ role }) => role === 'vision')
    .length;
}

/** How many photos one company can commit per second: its transactions run one after the other. */
async function answeredPerSecond(folder: string): Promise<number> {
  const clock = { now: () => new Date() };
  const storage = await openStorage(openHome(folder), clock);
  try {
    const company = await newCompany(storage, folder, 'One');
    const names = Array.from({ length: BATCH * BATCHES }, (_, index) => `${index}.jpg`);
    await acceptUpload(storage, company, names);
    let milliseconds = 0;
    for (let batch = 0; batch < BATCHES; batch += 1) {
      const items = await storage.queue.lease(BATCH);
      const image = { width: 250, height: 250, format: 'jpeg' } as const;
      const answers = items.map((item) => ({ item, enrolled: { image, face: faceAlong(item.id, 128) } }));
      const start = performance.now();
      await storage.queue.commit(company.id, answers, clock.now());
      milliseconds += performance.now() - start;
    }
    return (BATCH * BATCHES) / (milliseconds / 1_000);
  } finally {
    await storage.close();
  }
}
