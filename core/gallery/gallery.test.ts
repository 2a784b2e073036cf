import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BlacklistId, CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type { Candidate, GalleryEntry, GalleryQuery, Watchlist } from '../domain/ports.ts';
import { createGallery } from './index.ts';

const PIPELINE = 'test-pipeline' as PipelineId;
const COMPANIES = [1, 2].map((id) => id as CompanyId);
const WATCHLISTS: Watchlist[] = [
  { kind: 'duplicate' },
  { kind: 'blacklist', blacklistId: 7 as BlacklistId },
  { kind: 'blacklist', blacklistId: 8 as BlacklistId },
];

/** A unit vector from a seed; few distinct seeds, so that equal distances occur. */
function unit(seed: number, dimensions = 24): Float32Array {
  const vector = Float64Array.from({ length: dimensions }, (_, i) =>
    Math.sin((seed + 1) * (i + 1) * 12.9898),
  );
  const length = Math.hypot(...vector);
  return Float32Array.from(vector, (component) => component / length);
}

const template = (seed: number) => ({ pipelineId: PIPELINE, vector: unit(seed) });
const face = (id: number) => id as FaceId;

/** What the gallery must answer, said as plainly as possible. */
class Model {
  readonly rows = new Map<string, GalleryEntry & { company: CompanyId }>();

  append(company: CompanyId, entries: readonly GalleryEntry[]): void {
    for (const entry of entries) this.rows.set(`${company}/${entry.faceId}`, { ...entry, company });
  }

  remove(company: CompanyId, faces: readonly FaceId[]): void {
    for (const each of faces) this.rows.delete(`${company}/${each}`);
  }

  search(company: CompanyId, query: GalleryQuery): Candidate[] {
    const asked = query.watchlists.map((each) => JSON.stringify(each));
    const seen = new Set<number>();
    return [...this.rows.values()]
      .filter((row) => row.company === company && asked.includes(JSON.stringify(row.watchlist)))
      .filter((row) => !(query.except?.has(row.faceId) ?? false))
      .filter((row) => query.before === undefined || row.faceId < query.before)
      .map((row) => {
        let sum = 0;
        for (const [i, component] of row.template.vector.entries())
          sum += (query.probe.vector[i]! - component) ** 2;
        return { ...row, squared: sum, distance: Math.sqrt(sum) };
      })
      .filter(({ distance }) => distance <= query.maxDistance)
      .sort((a, b) => a.squared - b.squared || a.faceId - b.faceId)
      .filter(({ subject }) => {
        if (query.per !== 'subject' || subject === undefined) return true;
        return !seen.has(subject) && seen.add(subject);
      })
      .slice(0, query.limit)
      .map(({ faceId, watchlist, distance }) => ({ faceId, watchlist, distance }));
  }
}

const seed = fc.integer({ min: 0, max: 12 });
const company = fc.constantFrom(...COMPANIES);
const step = fc.oneof(
  fc.record({
    kind: fc.constant('append' as const),
    company,
    watchlist: fc.constantFrom(...WATCHLISTS),
    seeds: fc.array(
      fc.record({ seed, subject: fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined }) }),
      {
        maxLength: 12,
      },
    ),
  }),
  fc.record({
    kind: fc.constant('remove' as const),
    company,
    faces: fc.array(fc.integer({ min: 1, max: 60 })),
  }),
  fc.record({
    kind: fc.constant('search' as const),
    company,
    seed,
    watchlists: fc.subarray(WATCHLISTS),
    limit: fc.integer({ min: 0, max: 9 }),
    maxDistance: fc.constantFrom(0, 0.6, 1.2, 2.1),
    except: fc.option(fc.uniqueArray(fc.integer({ min: 1, max: 60 }))),
    before: fc.option(fc.integer({ min: 1, max: 60 })),
    per: fc.constantFrom('template' as const, 'subject' as const),
  }),
);

test('ids, order and distances equal a float64 scan after any sequence of enrolments, removals and searches', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const gallery = createGallery({ pipelineId: PIPELINE });
      const model = new Model();
      let lastId = 0;
      for (const each of steps) {
        if (each.kind === 'append') {
          const entries = each.seeds.map(({ seed: of, subject }) => ({
            faceId: face(++lastId),
            watchlist: each.watchlist,
            template: template(of),
            ...(subject === undefined ? {} : { subject }),
          }));
          for (const side of [gallery, model]) side.append(each.company, entries);
        } else if (each.kind === 'remove') {
          for (const side of [gallery, model]) side.remove(each.company, each.faces.map(face));
        } else {
          const { watchlists, limit, maxDistance, per, except, before } = each;
          const query: GalleryQuery = {
            probe: template(each.seed),
            watchlists,
            limit,
            maxDistance,
            per,
            ...(except === null ? {} : { except: new Set(except.map(face)) }),
            ...(before === null ? {} : { before: face(before) }),
          };
          assert.deepEqual(await gallery.search(each.company, query), model.search(each.company, query));
        }
      }
      await gallery.close();
    }),
    { numRuns: 1000 },
  );
});

test('enrolling a face twice keeps one row, and its size counts it once', () => {
  const gallery = createGallery({ pipelineId: PIPELINE });
  const entry = { faceId: face(5), watchlist: WATCHLISTS[0]!, template: template(3) };
  gallery.append(COMPANIES[0]!, [entry, entry]);
  gallery.append(COMPANIES[0]!, [entry]);
  assert.equal(gallery.size(COMPANIES[0]!, WATCHLISTS[0]!), 1);
  assert.equal(gallery.size(COMPANIES[1]!, WATCHLISTS[0]!), 0);
  gallery.remove(COMPANIES[0]!, [face(5), face(5), face(99)]);
  assert.equal(gallery.size(COMPANIES[0]!, WATCHLISTS[0]!), 0);
});

test('templates of another pipeline, another length, or no unit length are refused whole', () => {
  const gallery = createGallery({ pipelineId: PIPELINE });
  const append = (...vectors: { pipelineId: PipelineId; vector: Float32Array }[]) =>
    gallery.append(
      COMPANIES[0]!,
      vectors.map((each, i) => ({ faceId: face(i + 1), watchlist: WATCHLISTS[0]!, template: each })),
    );
  assert.throws(() => append(template(1), { ...template(1), pipelineId: 'other' as PipelineId }), /other/);
  assert.throws(() => append(template(1), { pipelineId: PIPELINE, vector: unit(1, 12) }), /12 components/);
  assert.throws(() => append({ pipelineId: PIPELINE, vector: new Float32Array(24) }), /unit length/);
  assert.throws(() => append({ pipelineId: PIPELINE, vector: unit(1).fill(NaN, 3, 4) }), /unit length/);
  assert.equal(gallery.size(COMPANIES[0]!, WATCHLISTS[0]!), 0);
});
