import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { ImageFacts } from '../../core/contracts/faces.ts';
import type { LeasedItem } from '../../core/domain/ports/uploads.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import { acceptUpload, faceAlong, newCompany } from '../../test/support/site.ts';

const COMPANIES = 8;
const PHOTOS = 60;
/** Photos that a loop leases at once, as a service does for each worker. */
const LEASED = 8;
const IMAGE: ImageFacts = { width: 250, height: 250, format: 'jpeg' };

/**
 * Fills the queue of a new store, then empties it.
 * @param clients loops that lease and answer @param database address of an empty PostgreSQL database; undefined: SQLite
 * @returns photos per second
 */
export async function measureQueue(
  folder: string,
  clients: number,
  database: string | undefined,
): Promise<number> {
  const home = join(folder, `queue-${randomUUID()}`);
  const clock = { now: () => new Date() };
  const storage = await openStorage(openHome(home), clock, undefined, { database });
  try {
    for (let index = 0; index < COMPANIES; index += 1) {
      const company = await newCompany(storage, home, `Company ${index}`);
      const names = Array.from({ length: PHOTOS }, (_, photo) => `${photo}.jpg`);
      await acceptUpload(storage, company, names);
    }
    const start = performance.now();
    const client = async () => {
      for (;;) {
        const items = await storage.queue.lease(LEASED);
        if (items.length === 0) return;
        for (const [company, own] of Map.groupBy(items, ({ companyId }: LeasedItem) => companyId)) {
          const answers = own.map((item) => ({
            item,
            enrolled: { image: IMAGE, face: faceAlong(item.id, 128) },
          }));
          await storage.queue.commit(company, answers, clock.now());
        }
      }
    };
    await Promise.all(Array.from({ length: clients }, client));
    const waiting = await storage.queue.waiting();
    if (waiting > 0) throw new Error(`${waiting} photos were not answered.`);
    return (COMPANIES * PHOTOS) / ((performance.now() - start) / 1_000);
  } finally {
    await storage.close();
  }
}
