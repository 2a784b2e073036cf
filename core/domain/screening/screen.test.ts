import assert from 'node:assert/strict';
import { test } from 'node:test';
import { trusted, type FaceId, type PipelineId } from '../../contracts/ids.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { GalleryEntry, Watchlist } from '../ports/gallery.ts';
import type { MatchRecord } from '../ports/screening.ts';
import { isUnchanged } from './screen.ts';

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
