/** A gallery over a store that other services write to, without a database. */
import assert from 'node:assert/strict';
import { test, type TestContext } from 'node:test';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../contracts/ids.ts';
import type {
  GalleryChanges,
  GalleryCursor,
  GalleryEntry,
  GalleryFeed,
  Watchlist,
} from '../domain/ports/gallery.ts';
import { until } from '../../test/support/until.ts';
import { UnavailableError } from '../domain/ports/machine.ts';
import { openGallery } from './index.ts';
import type { GalleryStore } from './start.ts';

const COMPANY = trusted.company(1);
const [OLD, NEW] = ['old' as PipelineId, 'new' as PipelineId];
const DUPLICATES: Watchlist = { kind: 'duplicate' };
const LIST: Watchlist = { kind: 'blacklist', blacklistId: trusted.blacklist(7) };

/** One template for all: every face of the watchlists that are searched is in the answer. */
const templateOf = (pipelineId: PipelineId) => ({ pipelineId, vector: Float32Array.from([1, 0, 0, 0]) });

/** A store that other services change, and its feed. */
class SharedStore {
  readonly rows = new Map<FaceId, Watchlist>();
  pipeline = OLD;
  /** Of every change since the store was made: the face, or null for the pipeline. */
  #log: (FaceId | null)[] = [];
  #session = Symbol();
  questions = 0;
  /** Answers of the feed wait for it. */
  gate: Promise<unknown> = Promise.resolve();
  isDown = false;
  /** Why no template can be read. */
  away: string | undefined;

  enrol(id: number, watchlist = DUPLICATES): void {
    this.rows.set(trusted.face(id), watchlist);
    this.#log.push(trusted.face(id));
  }

  erase(id: number): void {
    this.rows.delete(trusted.face(id));
    this.#log.push(trusted.face(id));
  }

  changePipeline(pipeline: PipelineId): void {
    this.pipeline = pipeline;
    this.#log.push(null);
  }

  /** The feed forgets what its followers have seen. */
  endSession(): void {
    this.#session = Symbol();
  }

  #entries(pipeline: PipelineId): GalleryEntry[] {
    return [...this.rows]
      .map(([faceId, watchlist]) => ({ faceId, watchlist, template: templateOf(pipeline) }))
      .sort((a, b) => a.faceId - b.faceId);
  }

  readonly persons = { withAllFaces: () => Promise.resolve(new Map()) };
  readonly companies = { list: () => Promise.resolve([{ id: COMPANY }]) };
  readonly gallerySnapshots = {
    ranges: () => Promise.resolve([]),
    read: () => Promise.resolve(undefined),
    keep: () => Promise.resolve(false),
  };

  readonly faces: GalleryStore['faces'] = {
    all: (_company: CompanyId, pipeline, range) => {
      if (this.away !== undefined) throw new UnavailableError(this.away);
      return ReadableStream.from([
        this.#entries(pipeline).filter(({ faceId }) => range === undefined || faceId > range.after),
      ]);
    },
    these: (_company, pipeline, faces) =>
      ReadableStream.from([this.#entries(pipeline).filter(({ faceId }) => faces.includes(faceId))]),
    matchable: () => ReadableStream.from(this.rows.size === 0 ? [] : [this.#entries(OLD)]),
    dimensions: () => Promise.resolve(new Map()),
    vectors: () => Promise.resolve(new Map()),
  };

  #cursor(): GalleryCursor {
    return { session: this.#session, snapshot: String(this.#log.length), at: 0 };
  }

  readonly galleryFeed: GalleryFeed = {
    begin: async () => {
      await this.#answering();
      return { cursor: this.#cursor(), pipelines: new Map([[COMPANY, this.pipeline]]) };
    },
    changesSince: async (cursor) => {
      const answer = this.#changesSince(cursor);
      await this.#answering();
      return answer;
    },
    prune: () => Promise.resolve(),
  };

  async #answering(): Promise<void> {
    this.questions++;
    await this.gate;
    if (this.isDown) throw new UnavailableError('There is no server.');
  }

  #changesSince(cursor: GalleryCursor): GalleryChanges | undefined {
    if (cursor.session !== this.#session) return undefined;
    const changed = new Set(this.#log.slice(Number(cursor.snapshot)));
    const entries = [OLD, NEW].flatMap((pipeline) => this.#entries(pipeline));
    return {
      cursor: this.#cursor(),
      faces: [...changed].flatMap((faceId) =>
        faceId === null
          ? []
          : [{ company: COMPANY, faceId, entries: entries.filter((entry) => entry.faceId === faceId) }],
      ),
      pipelines: new Map(changed.has(null) ? [[COMPANY, this.pipeline]] : []),
    };
  }
}

async function open(t: TestContext, { faces = 1 } = {}) {
  const store = new SharedStore();
  if (faces > 0) store.enrol(1);
  const gallery = await openGallery({ pipelineId: OLD }, store, { error: () => undefined });
  t.after(() => gallery.close());
  const search = async (pipeline = OLD) => {
    const query = { watchlists: [DUPLICATES, LIST], limit: 10, maxDistance: 1 };
    const found = await gallery.search(COMPANY, { probe: templateOf(pipeline), ...query });
    return found.map(({ faceId, watchlist }) => (watchlist.kind === 'blacklist' ? -Number(faceId) : faceId));
  };
  return { store, gallery, search };
}

test('a search sees what other services committed before it', async (t) => {
  const { store, gallery, search } = await open(t);
  assert.deepEqual(await search(), [1]);
  store.enrol(2);
  assert.deepEqual(await search(), [1, 2]);
  store.erase(1);
  store.enrol(2, LIST);
  assert.deepEqual(await search(), [-2]);
  assert.equal(await gallery.size(COMPANY, LIST), 1);
});

test('a late step after COMMIT cannot undo what another service committed later', async (t) => {
  const { store, gallery, search } = await open(t);
  store.erase(1);
  store.enrol(1);
  assert.deepEqual(await search(), [1]);
  gallery.remove(COMPANY, [trusted.face(1)]);
  gallery.append(COMPANY, [{ faceId: trusted.face(9), watchlist: DUPLICATES, template: templateOf(OLD) }]);
  assert.deepEqual(await search(), [1]);
});

test('searches that wait at the same time share one question to the store', async (t) => {
  const { store, search } = await open(t);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  store.gate = promise;
  const before = store.questions;
  const first = search();
  await new Promise(setImmediate);
  store.enrol(2);
  const later = Array.from({ length: 20 }, () => search());
  resolve(undefined);
  assert.deepEqual(await first, [1]);
  for (const found of await Promise.all(later)) assert.deepEqual(found, [1, 2]);
  assert.equal(store.questions - before, 2);
});

test('after an ended session every face is compared with the store', async (t) => {
  const { store, search } = await open(t);
  store.enrol(2);
  store.enrol(3);
  assert.deepEqual(await search(), [1, 2, 3]);
  store.endSession();
  store.erase(1);
  store.enrol(2, LIST);
  store.enrol(4);
  assert.deepEqual((await search()).toSorted(), [-2, 3, 4]);
});

test('a search fails while the store cannot be read, and follows afterwards', async (t) => {
  const { store, gallery, search } = await open(t);
  const moment = await gallery.moment();
  store.isDown = true;
  await assert.rejects(search(), UnavailableError);
  await assert.rejects(gallery.ready(), UnavailableError);
  store.isDown = false;
  store.enrol(2);
  assert.deepEqual(await search(), [1, 2]);
  const changed = await gallery.changedSince(COMPANY, moment!);
  assert.deepEqual([...(changed ?? []).keys()], [2]);
});

test('the changes since a moment are listed, unless some were missed', async (t) => {
  const { store, gallery, search } = await open(t);
  store.enrol(2);
  const moment = await gallery.moment();
  store.enrol(3);
  store.erase(1);
  const changed = await gallery.changedSince(COMPANY, moment!);
  assert.deepEqual(
    [...(changed ?? [])].map(([face, entry]) => [face, entry?.watchlist]),
    [
      [3, DUPLICATES],
      [1, undefined],
    ],
  );
  store.endSession();
  await search();
  assert.equal(await gallery.changedSince(COMPANY, moment!), undefined);
});

test('a company that another service gave a pipeline is unavailable until it is read', async (t) => {
  const { store, gallery, search } = await open(t);
  store.changePipeline(NEW);
  await assert.rejects(search(), /still reading the templates of the pipeline new/);
  await assert.rejects(gallery.size(COMPANY, DUPLICATES), UnavailableError);
  store.enrol(2);
  await until(() =>
    search(NEW).then(
      () => true,
      (error: unknown) => {
        assert.ok(error instanceof UnavailableError);
        return false;
      },
    ),
  );
  assert.deepEqual(await search(NEW), [1, 2]);
  await assert.rejects(search(OLD), UnavailableError);
  store.erase(2);
  assert.deepEqual(await search(NEW), [1]);
  assert.equal(await gallery.size(COMPANY, DUPLICATES), 1);
});

test('faces that cannot be read are logged again when the cause is another one', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const store = new SharedStore();
  store.enrol(1);
  store.away = 'The bucket does not answer.';
  const logged: string[] = [];
  const log = { error: (what: object) => logged.push((what as { err: Error }).err.message) };
  const gallery = await openGallery({ pipelineId: OLD }, store, log);
  t.after(() => gallery.close());
  const wait = async (tries: number) => {
    for (let tried = 0; tried < tries; tried += 1) {
      for (let turn = 0; turn < 5; turn += 1) await new Promise(setImmediate);
      t.mock.timers.tick(5_000);
    }
  };
  await wait(5);
  assert.deepEqual(logged, ['The bucket does not answer.']);
  store.away = 'The bucket refuses the key.';
  await wait(5);
  assert.deepEqual(logged, ['The bucket does not answer.', 'The bucket refuses the key.']);
  store.away = undefined;
  await wait(2);
  assert.equal(await gallery.size(COMPANY, DUPLICATES), 1);
});

test('two changes of the pipeline in a row leave the last one', async (t) => {
  const { store, gallery, search } = await open(t);
  store.changePipeline(NEW);
  await assert.rejects(search(NEW), UnavailableError);
  store.changePipeline(OLD);
  store.enrol(2);
  await assert.rejects(search(OLD), UnavailableError);
  const found = await until(() =>
    search(OLD).catch((error: unknown) => {
      assert.ok(error instanceof UnavailableError);
      return undefined;
    }),
  );
  assert.deepEqual(found, [1, 2]);
  assert.equal(await gallery.size(COMPANY, DUPLICATES), 2);
});

test('the first face of a company decides its pipeline, and is found at once', async (t) => {
  const { store, search } = await open(t, { faces: 0 });
  store.enrol(1);
  store.changePipeline(NEW);
  assert.deepEqual(await search(NEW), [1]);
});

test('a service that changes a pipeline follows other services during the change', async (t) => {
  const { store, gallery, search } = await open(t);
  await gallery.prepare(COMPANY, NEW);
  store.enrol(2);
  await gallery.settle(COMPANY, NEW);
  store.erase(1);
  assert.deepEqual(await search(), [2]);
  store.changePipeline(NEW);
  // The follower notices the change before the service puts it in use.
  assert.deepEqual(await search(NEW), [2]);
  gallery.serve(COMPANY, NEW);
  assert.deepEqual(await search(NEW), [2]);
});
