/** Several services over one PostgreSQL database, each with a store and a gallery of its own. */
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { openGallery, type Gallery } from '../../core/gallery/index.ts';
import { openHome, openStorage, type Storage } from '../../core/storage/index.ts';
import { keptImages } from '../../core/storage/images/places/imagePlaces.ts';
import { SILENT_LOG } from './fakes.ts';
import { temporaryFolder, TEST_PIPELINE, TestClock } from './site.ts';

/** One of the services, in this process. */
export interface ServiceNode {
  storage: Storage;
  gallery: Gallery;
}

export async function openService(folder: string): Promise<ServiceNode> {
  const storage = await openStorage(openHome(folder), new TestClock());
  const gallery = await openGallery({ pipelineId: TEST_PIPELINE }, storage, SILENT_LOG);
  return { storage, gallery };
}

/** @returns the services, which end with the test, and the address of their database */
export async function openServices(
  t: TestContext,
  count: number,
): Promise<{ nodes: ServiceNode[]; address: string; folder: string }> {
  const folder = temporaryFolder(t);
  const nodes: ServiceNode[] = [];
  for (let node = 0; node < count; node++) {
    const opened = await openService(node === 0 ? folder : folderBeside(t, folder));
    nodes.push(opened);
    t.after(async () => {
      await opened.gallery.close();
      await opened.storage.close();
    });
  }
  return { nodes, address: readFileSync(join(folder, 'database.url'), 'utf8').trim(), folder };
}

/** A home for another service of the same installation. @param folder of a service that was opened */
export function folderBeside(t: TestContext, folder: string): string {
  const other = temporaryFolder(t);
  for (const file of ['store.key', 'database.url']) copyFileSync(join(folder, file), join(other, file));
  writeFileSync(join(other, 'images.url'), keptImages(openHome(folder)) ?? openHome(folder).storage);
  return other;
}
