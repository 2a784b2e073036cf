/** Several services over one PostgreSQL database, each with a store and a gallery of its own, in one process. */
import { copyFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openGallery, type Gallery } from '../../core/gallery/index.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { SILENT_LOG } from './fakes.ts';
import { temporaryFolder, TEST_PIPELINE, TestClock } from './site.ts';

/** One of the services. */
export interface ServiceNode {
  storage: Storage;
  gallery: Gallery;
}

/** @returns the services, which end with the test, and the address of their database */
export async function openServices(
  t: TestContext,
  count: number,
): Promise<{ nodes: ServiceNode[]; address: string }> {
  const first = temporaryFolder(t);
  const nodes: ServiceNode[] = [];
  for (let node = 0; node < count; node++) {
    const folder = node === 0 ? first : temporaryFolder(t);
    if (node > 0)
      for (const file of ['store.key', 'database.url']) copyFileSync(join(first, file), join(folder, file));
    const storage = await openStorage(openHome(folder), new TestClock());
    const gallery = await openGallery({ pipelineId: TEST_PIPELINE }, storage, SILENT_LOG);
    nodes.push({ storage, gallery });
    t.after(async () => {
      await gallery.close();
      await storage.close();
    });
  }
  return { nodes, address: readFileSync(join(first, 'database.url'), 'utf8').trim() };
}
