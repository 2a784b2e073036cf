import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CompanyId, FaceId } from '../contracts/ids.ts';
import { faceAlong } from '../../test/support/site.ts';
import { deferredGallery } from './deferred.ts';
import { MemoryGallery } from './gallery.ts';
import type { Gallery } from './installationGallery.ts';

const COMPANY = 1 as CompanyId;
const DUPLICATES = { kind: 'duplicate' } as const;
const { template } = faceAlong(0);

function entry(id: number) {
  return { faceId: id as FaceId, watchlist: DUPLICATES, template };
}

/** A gallery whose store has faces 1 and 2. @returns it, and how often it was opened */
function opening() {
  let opened = 0;
  let arrive: () => void = () => undefined;
  const arrived = new Promise<void>((resolve) => (arrive = resolve));
  const deferred = deferredGallery(async () => {
    opened += 1;
    const memory = new MemoryGallery({ pipelineId: template.pipelineId, threads: 0 });
    memory.append(COMPANY, [entry(1), entry(2)]);
    await arrived;
    const gallery: Partial<Gallery> = {
      append: (company, entries) => {
        memory.append(company, entries);
      },
      remove: (company, faces) => {
        memory.remove(company, faces);
      },
      search: (company, query) => memory.search(company, query),
      ready: () => Promise.resolve(),
      size: (company, watchlist) => Promise.resolve(memory.size(company, watchlist)),
      close: () => memory.close(),
    };
    return gallery as Gallery;
  });
  return { deferred, arrive, opened: () => opened };
}

test('changes alone open no gallery', async () => {
  const { deferred, opened } = opening();
  deferred.append(COMPANY, [entry(3)]);
  deferred.remove(COMPANY, [1 as FaceId]);
  assert.equal(await deferred.size(COMPANY, DUPLICATES), 0);
  await deferred.close();
  assert.equal(opened(), 0);
});

test('the first search opens it once, and a change during the opening is not lost', async (t) => {
  const { deferred, arrive, opened } = opening();
  t.after(() => deferred.close());
  const query = { probe: template, watchlists: [DUPLICATES], limit: 10, maxDistance: 2 };
  const searches = [deferred.search(COMPANY, query), deferred.search(COMPANY, query)];
  deferred.remove(COMPANY, [1 as FaceId]);
  arrive();
  await Promise.all(searches);
  await deferred.ready();
  assert.equal(await deferred.size(COMPANY, DUPLICATES), 1);
  assert.equal(opened(), 1);
  assert.deepEqual(
    (await deferred.search(COMPANY, query)).map(({ faceId }) => faceId),
    [2],
  );
});
