import assert from 'node:assert/strict';
import { test } from 'node:test';
import { receiptText } from '../../contracts/erasureText.ts';
import { erasureReceipt } from '../../contracts/erasure.ts';

test('a receipt states each number so that one and many read alike', () => {
  const hash = 'ab'.repeat(32);
  const receipt = erasureReceipt.parse({
    kind: 'vouch erasure receipt 1',
    id: '6f4d7a52-1f0e-4c7c-9d9e-0a2b8f1c3d55',
    company: 1,
    reason: 'request',
    by: 'operator:1',
    at: '2026-11-20T10:00:00.000Z',
    finishedAt: '2026-11-20T10:00:01.000Z',
    erased: {
      validations: [{ id: 7, createdAt: 1 }],
      faces: [{ id: 8, image: hash }],
      goneFaces: [9],
      photos: [],
      comparisons: [],
      persons: 1,
      decisions: 1,
      examinations: 2,
      caseEntries: 3,
      specimens: 1,
      images: [hash],
      templates: [{ pipeline: 'vouch-face/1', count: 1 }],
      thumbnails: 1,
      screenings: 1,
      entries: 1,
      historyLines: 1,
      gallerySnapshots: 1,
      namesInEntries: 1,
    },
    files: { images: 1, bucket: null, keys: 0, journalLines: 1, copies: [] },
    proof: { pages: 1, sought: 1, found: 1, shared: 1, rebuilt: true },
    unreached: [{ what: 'originals', which: 'photos: 1' }],
  });
  const text = receiptText({ receipt, signature: 'cd', publicKey: 'ef' });
  assert.match(text, /^ {2}examinations {8}2$/m);
  assert.match(text, /^ {2}case folder entries 3$/m);
  assert.match(text, /Found after a rebuild: 1\. Also in other records: 1\./);
  assert.doesNotMatch(text, /\b1 (are|\w+s)\b/, 'a number before a plural');
});
