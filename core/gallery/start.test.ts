import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BlacklistId, CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type { FaceRange, GalleryEntry, Watchlist } from '../domain/ports/gallery.ts';
import { MemoryGallery, type GalleryOptions } from './gallery.ts';
import { squaredDistance } from './distance.ts';
import { fillCompany, keepSnapshots, loadVectors, type GalleryStore } from './start.ts';

const PIPELINE = 'test-pipeline' as PipelineId;
const COMPANY = 1 as CompanyId;
const WATCHLISTS: Watchlist[] = [{ kind: 'duplicate' }, { kind: 'blacklist', blacklistId: 4 as BlacklistId }];
const EVERYTHING = { after: 0 as FaceId, upTo: Number.MAX_SAFE_INTEGER as FaceId };
const SIZE = 8;
/** `VOUCH_SEQUENCES=1000` for the long run. */
const SEQUENCES = Number(process.env.VOUCH_SEQUENCES ?? 100);

function unit(seed: number): Float32Array {
  const vector = Array.from({ length: 12 }, (_, i) => Math.sin((seed + 1) * (i + 1) * 12.9898));
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (component) => component / length);
}

/** A store in memory with the one rule that the real one keeps by triggers: a change removes the snapshot over it. */
class Store {
  readonly rows = new Map<FaceId, GalleryEntry>();
  snapshots: (FaceRange & { content: Uint8Array })[] = [];
  #lastId = 0;
  /** Rows that `faces.all` gave: what a start had to read. */
  read = 0;

  add(count: number, watchlist: Watchlist): GalleryEntry[] {
    return Array.from({ length: count }, () => {
      const faceId = ++this.#lastId as FaceId;
      const template = { pipelineId: PIPELINE, vector: unit(faceId) };
      const entry = { faceId, watchlist, template };
      this.rows.set(faceId, entry);
      return entry;
    });
  }

  remove(face: FaceId): void {
    if (!this.rows.delete(face)) return;
    this.snapshots = this.snapshots.filter(({ after, upTo }) => !(after < face && face <= upTo));
  }

  #in({ after, upTo }: FaceRange): GalleryEntry[] {
    return [...this.rows.values()]
      .filter(({ faceId }) => faceId > after && faceId <= upTo)
      .sort((a, b) => a.faceId - b.faceId);
  }

  readonly faces: GalleryStore['faces'] = {
    all: (_company, _pipeline, range?: FaceRange) => {
      const rows = this.#in(range ?? EVERYTHING);
      this.read += rows.length;
      return ReadableStream.from([rows.slice(0, 3), rows.slice(3)].filter((page) => page.length > 0));
    },
    these: (_company, _pipeline, faces) =>
      ReadableStream.from([this.#in(EVERYTHING).filter(({ faceId }) => faces.includes(faceId))]),
    dimensions: () => Promise.resolve(new Map()),
    matchable: () => ReadableStream.from([this.#in(EVERYTHING)]),
    vectors: (_company, _pipeline, faces) =>
      Promise.resolve(
        new Map(
          faces.flatMap((face) => {
            const row = this.rows.get(face);
            return row === undefined ? [] : [[face, row.template.vector] as const];
          }),
        ),
      ),
  };

  readonly gallerySnapshots: GalleryStore['gallerySnapshots'] = {
    ranges: () => Promise.resolve(this.snapshots.map(({ after, upTo }) => ({ after, upTo }))),
    read: (_company, _pipeline, range) =>
      Promise.resolve(this.snapshots.find(({ upTo }) => upTo === range.upTo)?.content),
    keep: (_company, _pipeline, snapshot, faces) => {
      const stored = this.#in(snapshot).flatMap(({ faceId }) => (snapshot.leftOut.has(faceId) ? [] : faceId));
      if (JSON.stringify(stored) !== JSON.stringify(faces)) return Promise.resolve(false);
      const { after, upTo } = snapshot;
      this.snapshots = [
        ...this.snapshots.filter((old) => old.upTo <= after || old.after >= upTo),
        snapshot,
      ].sort((a, b) => a.upTo - b.upTo);
      return Promise.resolve(true);
    },
  };
}

async function start(
  store: Store,
  pipelineId = PIPELINE,
  options: Partial<GalleryOptions> = {},
): Promise<MemoryGallery> {
  const gallery = new MemoryGallery({
    ...options,
    pipelineId,
    threads: 0,
    codesFrom: 10,
    primaryLength: 8,
    vectors: (company, faces) => store.faces.vectors(company, PIPELINE, faces),
  });
  await fillCompany(gallery, store, COMPANY, pipelineId);
  return gallery;
}

async function assertSame(gallery: MemoryGallery, store: Store, seed: number): Promise<void> {
  const probe = unit(seed);
  const expected = [...store.rows.values()]
    .map(({ faceId, watchlist, template }) => ({
      faceId,
      watchlist,
      squared: squaredDistance(probe, template.vector),
    }))
    .sort((a, b) => a.squared - b.squared || a.faceId - b.faceId)
    .slice(0, 7)
    .map(({ faceId, watchlist, squared }) => ({ faceId, watchlist, distance: Math.sqrt(squared) }));
  const query = { probe: { pipelineId: PIPELINE, vector: probe }, watchlists: WATCHLISTS, limit: 7 };
  assert.deepEqual(await gallery.search(COMPANY, { ...query, maxDistance: 2 }), expected);
  assert.deepEqual(
    gallery.facesIn(COMPANY, EVERYTHING),
    [...store.rows.keys()].sort((a, b) => a - b),
  );
}

const steps = fc.array(
  fc.oneof(
    fc.record({
      kind: fc.constant('add' as const),
      count: fc.integer({ min: 0, max: 40 }),
      list: fc.nat(1),
      /** The gallery hears of it before it is asked to keep snapshots; or the process ends in between. */
      announced: fc.boolean(),
    }),
    fc.record({
      kind: fc.constant('remove' as const),
      faces: fc.array(fc.integer({ min: 1, max: 200 }), { maxLength: 6 }),
      announced: fc.boolean(),
    }),
    fc.record({ kind: fc.constant('keep' as const) }),
    fc.record({ kind: fc.constant('damage' as const), which: fc.nat(9), byte: fc.nat(5_000) }),
    fc.record({ kind: fc.constant('restart' as const), load: fc.boolean() }),
  ),
  { maxLength: 25, size: 'max' },
);

test('a start loads exactly the stored faces, whatever happened before', async () => {
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(300), async (sequence, seed) => {
      const store = new Store();
      let gallery = await start(store);
      for (const step of sequence) {
        if (step.kind === 'add') {
          const entries = store.add(step.count, WATCHLISTS[step.list]!);
          if (step.announced) gallery.append(COMPANY, entries);
        } else if (step.kind === 'remove') {
          for (const face of step.faces) store.remove(face as FaceId);
          if (step.announced) gallery.remove(COMPANY, step.faces as FaceId[]);
        } else if (step.kind === 'keep') {
          await keepSnapshots(gallery, store, COMPANY, PIPELINE, SIZE);
        } else if (step.kind === 'damage') {
          const content = store.snapshots[step.which]?.content;
          if (content !== undefined) content[step.byte % content.length]! ^= 1 << (step.byte % 8);
        } else {
          await gallery.close();
          gallery = await start(store);
          if (step.load) await loadVectors(gallery, store, COMPANY, PIPELINE);
          await assertSame(gallery, store, seed);
        }
      }
      await gallery.close();
      gallery = await start(store);
      await assertSame(gallery, store, seed);
      await gallery.close();
    }),
    { numRuns: SEQUENCES },
  );
});

test('a start reads only the rows that no snapshot covers', async () => {
  const store = new Store();
  const gallery = await start(store);
  gallery.append(COMPANY, store.add(5 * SIZE + 3, WATCHLISTS[0]!));
  assert.equal(await keepSnapshots(gallery, store, COMPANY, PIPELINE, SIZE), 5);
  assert.equal(await keepSnapshots(gallery, store, COMPANY, PIPELINE, SIZE), 0, 'nothing is kept twice');
  store.read = 0;
  await start(store);
  assert.equal(store.read, 3);
  store.remove(2 as FaceId);
  store.read = 0;
  const again = await start(store);
  assert.equal(store.read, SIZE - 1 + 3, 'an erased face takes the snapshot of its range with it');
  assert.equal(await keepSnapshots(again, store, COMPANY, PIPELINE, SIZE), 1);
});

test('a snapshot that is damaged or of other data is not loaded', async () => {
  const store = new Store();
  const gallery = await start(store);
  gallery.append(COMPANY, store.add(3 * SIZE, WATCHLISTS[1]!));
  await keepSnapshots(gallery, store, COMPANY, PIPELINE, SIZE);
  const { after, upTo, content } = store.snapshots[0]!;
  const opens = async (into: MemoryGallery, company: CompanyId, range: FaceRange, bytes: Uint8Array) =>
    (await into.openSnapshot(company, range, bytes)) !== undefined;
  const empty = (pipelineId = PIPELINE) => new MemoryGallery({ pipelineId, threads: 0, primaryLength: 8 });
  const refused = async (...given: Parameters<typeof opens>) => assert.ok(!(await opens(...given)));
  assert.ok(await opens(empty(), COMPANY, { after, upTo }, content));
  await refused(empty(), 2 as CompanyId, { after, upTo }, content);
  await refused(empty(), COMPANY, { after, upTo: (upTo + 1) as FaceId }, content);
  await refused(empty(), COMPANY, { after, upTo }, content.subarray(1));
  await refused(empty(), COMPANY, { after, upTo }, new Uint8Array());
  await refused(empty('other' as PipelineId), COMPANY, { after, upTo }, content);
  const otherShape = new MemoryGallery({ pipelineId: PIPELINE, threads: 0 });
  await refused(otherShape, COMPANY, { after, upTo }, content);
  const scaled = await start(new Store());
  scaled.append(
    COMPANY,
    Array.from({ length: 20 }, (_, i) => ({
      faceId: (i + 1) as FaceId,
      watchlist: WATCHLISTS[0]!,
      template: { pipelineId: PIPELINE, vector: unit(1_000 + i) },
    })),
  );
  await refused(scaled, COMPANY, { after, upTo }, content);
});

/** Contents that damage or tampering can leave in the place of a template. */
const DAMAGED = [
  Float32Array.of(1),
  new Float32Array(12).fill(NaN),
  new Float32Array(12),
  new Float32Array(0),
];

test('damaged templates are left out at start, and other snapshots are kept', async () => {
  const store = new Store();
  store.add(3 * SIZE, WATCHLISTS[0]!);
  const bad = DAMAGED.map((vector, i) => {
    const faceId = (i * 5 + 1) as FaceId;
    const row = store.rows.get(faceId)!;
    store.rows.set(faceId, { ...row, template: { ...row.template, vector } });
    return faceId;
  });
  const gallery = await start(store, PIPELINE, { dimensions: 12 });
  assert.deepEqual([...gallery.leftOut(COMPANY)], bad);
  assert.ok((await keepSnapshots(gallery, store, COMPANY, PIPELINE, SIZE)) > 0);
  for (const face of bad) store.rows.delete(face);
  await assertSame(gallery, store, 5);
  await assertSame(await start(store, PIPELINE, { dimensions: 12 }), store, 5);
});

for (const exactBudget of [Infinity, 0])
  for (const vector of DAMAGED)
    test(`a damaged row (${vector.length}, ${vector[0]}) ends no search, exact budget ${exactBudget}`, async () => {
      const store = new Store();
      const first = await start(store);
      first.append(COMPANY, store.add(3 * SIZE, WATCHLISTS[0]!));
      await first.coded(COMPANY);
      assert.equal(await keepSnapshots(first, store, COMPANY, PIPELINE, SIZE), 3);
      const bad = 4 as FaceId;
      const row = store.rows.get(bad)!;
      store.rows.set(bad, { ...row, template: { ...row.template, vector } });
      const reported: FaceId[] = [];
      const gallery = await start(store, PIPELINE, {
        dimensions: 12,
        exactBudget,
        onLeftOut: (_company, face) => reported.push(face),
      });
      const loading = exactBudget > 0 ? loadVectors(gallery, store, COMPANY, PIPELINE) : undefined;
      const probe = { pipelineId: PIPELINE, vector: unit(bad) };
      const found = await gallery.search(COMPANY, {
        probe,
        watchlists: WATCHLISTS,
        limit: 30,
        maxDistance: 2,
      });
      assert.equal(found.length, 3 * SIZE - 1);
      await loading;
      assert.ok(reported.includes(bad));
      store.rows.delete(bad);
      await assertSame(gallery, store, bad);
    });
