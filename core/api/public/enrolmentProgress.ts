import {
  ITEM_STATUS,
  ITEM_STATUS_LABEL,
  UPLOAD_STATUS,
  UPLOAD_STATUS_LABEL,
  type UploadStatus,
} from '../../contracts/codes.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import type { BlacklistProgress, EnrolmentProgress } from '../../contracts/uploads.ts';
import type { UploadTarget } from '../../domain/ports/uploads.ts';
import type { Upload, UploadItem } from '../../storage/enrolment/uploads.ts';
import { nameOf } from '../../contracts/displayName.ts';

/** An upload whose images land in one kind of watchlist. */
export type UploadInto<K extends UploadTarget['kind']> = Upload & { target: { kind: K } };

/** Whether an upload is of this kind, for the compiler as well. */
export function isUploadInto<K extends UploadTarget['kind']>(
  upload: Upload,
  kind: K,
): upload is UploadInto<K> {
  return upload.target.kind === kind;
}

/** The body of a duplicate-detection poll. */
export function enrolmentProgress(upload: UploadInto<'duplicate'>): EnrolmentProgress {
  return {
    ...progressOf(upload),
    trustFlowId: upload.target.trustFlowId,
    images: upload.items.map((item) => ({ ...imageOf(item), trustValidationId: item.trustValidationId })),
  };
}

/** The body of a blacklist poll. */
export function blacklistProgress(upload: UploadInto<'blacklist'>): BlacklistProgress {
  return {
    ...progressOf(upload),
    blacklistId: upload.target.blacklistId,
    images: upload.items.map((item) => ({
      ...imageOf(item),
      name: nameOf(item.fileName),
      faceId: item.faceId,
    })),
  };
}

/**
 * Progress of a batch. An image goes from Pending to Enrolled or Failed and stays there, so `progress` (percent,
 * rounded down: 100 only when nothing waits) never goes back.
 */
function progressOf(upload: Upload) {
  const total = upload.items.length;
  const succeeded = countOf(upload, ITEM_STATUS.Enrolled);
  const failed = countOf(upload, ITEM_STATUS.Failed);
  const processed = succeeded + failed;
  const status = statusOf(total, succeeded, failed);
  return {
    uploadId: upload.id,
    numberOfImages: total,
    status,
    statusLabel: UPLOAD_STATUS_LABEL[status],
    processedCount: processed,
    succeededCount: succeeded,
    failedCount: failed,
    pendingCount: total - processed,
    progress: Math.floor((100 * processed) / total),
    createdAt: upload.createdAt,
    completedAt: upload.completedAt,
  };
}

function countOf(upload: Upload, status: UploadItem['status']): number {
  return upload.items.filter((item) => item.status === status).length;
}

/** 2: every image enrolled; 3: some; 4: none. */
function statusOf(total: number, succeeded: number, failed: number): UploadStatus {
  if (succeeded + failed < total) return UPLOAD_STATUS.Processing;
  if (failed === 0) return UPLOAD_STATUS.Completed;
  return succeeded === 0 ? UPLOAD_STATUS.Failed : UPLOAD_STATUS.PartiallyCompleted;
}

function imageOf({ trustValidationId: _validation, faceId: _face, ...item }: UploadItem) {
  return {
    ...item,
    statusLabel: ITEM_STATUS_LABEL[item.status],
    failureReason: item.failureCode === null ? null : FAILURES[item.failureCode].sentence,
    remedy: item.failureCode === null ? null : FAILURES[item.failureCode].remedy,
  };
}
