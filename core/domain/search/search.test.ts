import { test } from 'node:test';
import assert from 'node:assert/strict';
import { pathId, trusted } from '../../contracts/ids.ts';
import type { SearchAnswer } from '../../contracts/dashboard/search.ts';
import type { SignedIn } from '../identity/signInService.ts';
import { KEPT_FOR, KeptSearches } from './search.ts';

const AT = Date.parse('2026-03-01T12:00:00.000Z');
const operator = (session: number): SignedIn => ({
  id: pathId.operator.parse('1'),
  companyId: trusted.company(1),
  name: 'Ira',
  role: 'investigator',
  actor: 'operator:1',
  confirmedAt: new Date(AT),
  session: Uint8Array.of(session, 1 + (session >> 8)),
});
const answer = (id: number): SearchAnswer => ({
  id: `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`,
  at: new Date(AT).toISOString(),
  expiresAt: new Date(AT + KEPT_FOR).toISOString(),
  sha256: '',
  refused: null,
  width: 1,
  height: 1,
  faces: [],
  unclear: [],
  searchedFaces: 0,
  watchlists: [],
  pipelineId: 'test',
  scale: [],
});
const picture = new Uint8Array();

test('a result is kept for its session and company until it expires', () => {
  const kept = new KeptSearches();
  const result = answer(1);
  kept.keep(operator(1), { answer: result, picture });
  const find = (who: SignedIn, after: number) => kept.find(who, result.id, new Date(AT + after));
  assert.equal(find(operator(1), KEPT_FOR - 1)?.answer, result);
  assert.equal(find(operator(2), 0), undefined);
  assert.equal(find({ ...operator(1), companyId: trusted.company(2) }, 0), undefined);
  assert.equal(find(operator(1), KEPT_FOR), undefined);
  assert.equal(find(operator(1), 0), undefined, 'it left the memory');
});

test('a session has four results and all sessions together 32; the oldest make room', () => {
  const kept = new KeptSearches();
  const now = new Date(AT);
  for (const id of [1, 2, 3, 4, 5]) kept.keep(operator(1), { answer: answer(id), picture });
  const left = (session: number, id: number) =>
    kept.find(operator(session), answer(id).id, now) !== undefined;
  assert.deepEqual(
    [1, 2, 5].map((id) => left(1, id)),
    [false, true, true],
  );
  for (let session = 2; session <= 30; session++)
    kept.keep(operator(session), { answer: answer(session + 10), picture });
  assert.deepEqual([left(1, 2), left(1, 3), left(2, 12), left(30, 40)], [false, true, true, true]);
});

test('the results of one company push out none of another company', () => {
  const kept = new KeptSearches();
  const other = { ...operator(1000), companyId: trusted.company(2) };
  kept.keep(other, { answer: answer(1000), picture });
  for (let session = 1; session <= 40; session++)
    kept.keep(operator(session), { answer: answer(session), picture });
  const now = new Date(AT);
  assert.notEqual(kept.find(other, answer(1000).id, now), undefined);
  assert.equal(kept.find(operator(9), answer(9).id, now), undefined);
  assert.notEqual(kept.find(operator(10), answer(10).id, now), undefined);
});
