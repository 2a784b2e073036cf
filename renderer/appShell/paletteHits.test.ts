import assert from 'node:assert/strict';
import { test } from 'node:test';
import { paletteHits, palettePhase, type PaletteAnswer, type PaletteSearch } from './paletteHits.ts';

const ANSWER: PaletteAnswer = {
  validations: [{ id: 7, name: 'Ada Brandt', status: 2, source: 'verification', thumbnailUrl: null }],
  persons: [{ id: 21, name: 'Ada Brandt', photos: 3, thumbnailUrl: null }],
  faces: [
    {
      id: 31,
      name: 'Ada Brandt',
      severity: 'caution',
      thumbnailUrl: null,
      blacklistId: 11,
      blacklistName: 'Refused entry',
    },
  ],
  uploads: [],
  comparisons: [{ id: 4, templateId: 'leases', verificationId: 'ada', comparedAt: '2026-03-01T08:00:00Z' }],
  partial: false,
};
const settled: PaletteSearch = {
  query: 'ada ',
  sent: 'ada',
  answer: ANSWER,
  isEarlier: false,
  failed: false,
};

test('the phase of a palette search follows from the text, the request and the answer', () => {
  assert.equal(palettePhase(settled), 'complete');
  assert.equal(palettePhase({ ...settled, query: '  ' }), 'idle');
  assert.equal(palettePhase({ ...settled, failed: true }), 'failed');
  assert.equal(palettePhase({ ...settled, answer: undefined }), 'searching');
  assert.equal(palettePhase({ ...settled, answer: { ...ANSWER, partial: true } }), 'partial');
  // A letter was typed since, or its answer is on the way.
  assert.equal(palettePhase({ ...settled, query: 'adam' }), 'stale');
  assert.equal(palettePhase({ ...settled, isEarlier: true }), 'stale');
});

test('hits lead to what they name, and a stale answer keeps its hits', () => {
  const paths = (search: PaletteSearch) => paletteHits(search).map((group) => group.map(({ path }) => path));
  const all = [
    ['/validations/7'],
    ['/persons/21'],
    ['/company/internal-biometrics/11?face=31'],
    [],
    ['/signatures/history/4'],
  ];
  assert.deepEqual(paths(settled), all);
  assert.deepEqual(paths({ ...settled, query: 'adam' }), all);
});

test('an empty query and a failed search show no hit of an earlier answer', () => {
  assert.deepEqual(paletteHits({ ...settled, query: '' }), []);
  assert.deepEqual(paletteHits({ ...settled, failed: true }), []);
  assert.deepEqual(paletteHits({ ...settled, answer: undefined }), []);
});
