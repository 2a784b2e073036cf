import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { BlacklistId, FaceId, UploadId } from '../../contracts/ids.ts';
import { blacklistProgress as blacklistProgressBody } from '../../contracts/uploads.ts';
import type { UploadItem } from '../../storage/enrolment/uploads.ts';
import { blacklistProgress } from './enrolmentProgress.ts';

const at = '2026-03-01T12:00:00.000Z';

function item(index: number, change: Partial<UploadItem>): UploadItem {
  return {
    index,
    fileName: `jane doe.${index}.jpg`,
    status: ITEM_STATUS.Pending,
    trustValidationId: null,
    faceId: null,
    failureCode: null,
    processedAt: null,
    onePerson: false,
    ...change,
  };
}

test('a blacklist poll has blacklistId and, per image, name and face', () => {
  const body = blacklistProgress({
    id: '0d9d31c5-8f3c-4f8e-9d57-6b6d6f6d2a10' as UploadId,
    target: { kind: 'blacklist', blacklistId: 7 as BlacklistId },
    createdAt: at,
    completedAt: null,
    items: [
      item(0, { status: ITEM_STATUS.Enrolled, faceId: 41 as FaceId, processedAt: at }),
      item(1, { status: ITEM_STATUS.Failed, failureCode: 'MULTIPLE_FACES', processedAt: at }),
      item(2, {}),
    ],
  });
  blacklistProgressBody.strict().parse(body);
  assert.equal(body.blacklistId, 7);
  assert.deepEqual(
    [body.status, body.succeededCount, body.failedCount, body.pendingCount, body.progress],
    [1, 1, 1, 1, 66],
  );
  assert.deepEqual(
    body.images.map(({ name, faceId, failureCode }) => [name, faceId, failureCode]),
    [
      ['jane doe.0', 41, null],
      ['jane doe.1', null, 'MULTIPLE_FACES'],
      ['jane doe.2', null, null],
    ],
  );
});
