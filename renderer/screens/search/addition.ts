import { BLACKLIST_STATUS, ITEM_STATUS } from '../../../core/contracts/codes.ts';
import { searchAddition, type SearchAddition } from '../../../core/contracts/dashboard/search.ts';
import type { UploadDetail } from '../../../core/contracts/dashboard/work.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';

/** Adding a face of a search to a blacklist, as plain functions: what is offered, what is sent, how far it is. */

/** The form as it is filled in. */
interface AdditionDraft {
  /** The id of the chosen blacklist, as the select has it. */
  list: string | null;
  name: string;
  /** The cropped photo, or the id of a face whose kept photo is added; undefined: not cropped yet. */
  photo: Blob | number | undefined;
}

/** @returns null: something is missing or not valid */
export function additionOf({ list, name, photo }: AdditionDraft): SearchAddition | null {
  if (photo === undefined) return null;
  const parsed = searchAddition.safeParse({ blacklist: list, name });
  return parsed.success ? parsed.data : null;
}

/** A name is part of a file name for other programs. */
export function hasSlash(name: string): boolean {
  return /[/\\]/.test(name);
}

/** Active blacklists but the one that the candidate is on. */
export function offeredBlacklists<T extends { name: string; status: number }>(
  lists: readonly T[],
  candidateList: string | undefined,
): T[] {
  return lists.filter(({ name, status }) => status === BLACKLIST_STATUS.Active && name !== candidateList);
}

/** The state of an addition that was sent. */
export interface AdditionProgress {
  isSending: boolean;
  /** undefined: the service has not accepted it. */
  uploadId: string | undefined;
  image: UploadDetail['images'][number] | undefined;
  /** The upload could not be sent or followed. */
  failed: boolean;
}

export type AdditionState =
  | { kind: 'editing' }
  | { kind: 'sending' }
  /** Accepted; the service has not processed it yet. */
  | { kind: 'processing'; uploadId: string }
  | { kind: 'enrolled'; uploadId: string }
  /** Nothing was enrolled. The form can be sent again. */
  | { kind: 'refused'; failureCode: FailureCode | null };

export function additionState({ isSending, uploadId, image, failed }: AdditionProgress): AdditionState {
  if (isSending) return { kind: 'sending' };
  if (uploadId === undefined) return { kind: 'editing' };
  if (image === undefined || image.status === ITEM_STATUS.Pending)
    return failed ? { kind: 'editing' } : { kind: 'processing', uploadId };
  if (image.status === ITEM_STATUS.Enrolled) return { kind: 'enrolled', uploadId };
  return { kind: 'refused', failureCode: image.failureCode };
}
