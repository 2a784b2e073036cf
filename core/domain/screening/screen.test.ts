import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type FaceId, type PipelineId } from '../../contracts/ids.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { GalleryEntry, Watchlist } from '../ports/gallery.ts';
import type { MatchRecord } from '../ports/screening.ts';
import { CALIBRATIONS } from '../../vision/calibration.ts';
import { distanceOf } from '../scores/scores.ts';
import { isUnchanged, screenDuplicates } from './screen.ts';
import { probesOf } from './probes.ts';

const PIPELINE = 'test' as PipelineId;
const DUPLICATES: Watchlist = { kind: 'duplicate' };
const listed = (id: number): Watchlist => ({ kind: 'blacklist', blacklistId: trusted.blacklist(id) });
const PROBE = trusted.face(1);
const MATCHED = trusted.face(2);
const OTHER = trusted.face(3);

/** @param angle between the template and that of the probe, radians */
function entry(faceId: FaceId, angle: number, watchlist = DUPLICATES): GalleryEntry {
  const vector = Float32Array.from([Math.cos(angle), Math.sin(angle)]);
  return { faceId, watchlist, template: { pipelineId: PIPELINE, vector } };
}

const facts: ScreeningFacts = {
  screenedAt: '2026-01-01T00:00:00.000Z',
  duplicateDetection: true,
  blacklists: [{ blacklistId: 7, blacklistName: 'List' }],
  notScreened: [],
  targetFmr: 1e-4,
  blacklistTargetFmr: 1e-4,
  maxDistance: 0.8,
  blacklistMaxDistance: 0.2,
  pipelineId: PIPELINE,
  selfies: 1,
};
const screened = {
  probes: [entry(PROBE, 0)],
  facts,
  matches: [{ faceId: MATCHED } as MatchRecord],
};

test('a change keeps a screening unless it can change the matches', () => {
  const after = (face: FaceId, now?: GalleryEntry, of: Partial<ScreeningFacts> = {}) =>
    isUnchanged({ ...screened, facts: { ...facts, ...of } }, new Map([[face, now]]));
  assert.equal(isUnchanged(screened, new Map()), true);
  assert.equal(isUnchanged(screened, undefined), false, 'the changes are not known');
  assert.equal(after(OTHER), true, 'a face that did not match is gone');
  assert.equal(after(MATCHED), false, 'a match is gone');
  assert.equal(after(MATCHED, entry(MATCHED, 3)), false, 'a match has changed');
  assert.equal(after(OTHER, entry(OTHER, 0.1)), false, 'a near face is new');
  assert.equal(after(OTHER, entry(OTHER, 3)), true, 'a distant face is new');
  assert.equal(
    after(OTHER, entry(OTHER, 2 * Math.asin(0.4))),
    false,
    'a face at the largest distance is new',
  );
  assert.equal(
    after(OTHER, entry(OTHER, 2 * Math.asin(0.4 * 1.04))),
    false,
    'a face whose person can be nearer than itself is new',
  );
  assert.equal(after(PROBE, entry(PROBE, 0)), true, 'the selfie itself');
  assert.equal(after(OTHER, entry(OTHER, 0), { duplicateDetection: false }), true, 'not compared');
  assert.equal(after(OTHER, entry(OTHER, 0, listed(7))), false, 'a near face of a compared list');
  assert.equal(after(OTHER, entry(OTHER, 0, listed(8))), true, 'a near face of another list');
  assert.equal(after(OTHER, entry(OTHER, 0.5, listed(7))), true, 'beyond the threshold of lists');
  const own = { blacklistId: 7, persons: 3, targetFpir: 0.01, keptFpir: 0.01, targetFmr: 1e-3 };
  const wider = { perSearch: [{ ...own, maxDistance: 0.6 }] };
  assert.equal(after(OTHER, entry(OTHER, 0.5, listed(7)), wider), false, 'within the threshold of its list');
});

test('a copy of one photo is found, however far the others take the average away', async () => {
  // Five photos of one person: the copy is 0.6 from the four others, beyond 0.508 of the rarest rate.
  const selfies = [0, 0.61, 0.61, 0.61, 0.61].map((angle, i) => entry(trusted.face(11 + i), angle));
  const [probe, ...others] = probesOf(CALIBRATIONS.full, selfies);
  assert.ok(probe);
  assert.deepEqual([probe.photos?.length, others], [5, []]);
  const enrolled = entry(MATCHED, 0);
  const ports = {
    vision: { of: () => ({ calibration: CALIBRATIONS.full, pipelineId: PIPELINE }) },
    gallery: {
      searchPersons: (
        _: unknown,
        templates: GalleryEntry['template'][],
        { maxDistance }: { maxDistance: number },
      ) =>
        Promise.resolve(
          templates.map(({ vector }) => {
            const distance = distanceOf(vector, enrolled.template.vector);
            const photos = [{ faceId: MATCHED, distance }];
            return distance > maxDistance ? [] : [{ person: null, watchlist: DUPLICATES, distance, photos }];
          }),
        ),
    },
    faces: { summaries: () => Promise.resolve([{ faceId: MATCHED }]) },
  };
  const found = await screenDuplicates(
    ports as unknown as Parameters<typeof screenDuplicates>[0],
    { id: trusted.company(1) } as Parameters<typeof screenDuplicates>[1],
    probe,
    { targetFmr: 1e-6, targetFpir: null } as Parameters<typeof screenDuplicates>[3],
  );
  assert.deepEqual(
    found.map(({ faceId, distance, person }) => [faceId, distance, person.samePicture]),
    [[MATCHED, 0, true]],
  );
  const none = { ...screened, probes: [probe], facts: { ...facts, maxDistance: 0.4 }, matches: [] };
  assert.equal(isUnchanged(none, new Map([[OTHER, entry(OTHER, 0)]])), false, 'a copy is new');
});
