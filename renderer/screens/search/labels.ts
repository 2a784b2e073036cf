import { BLACKLIST_STATUS, ITEM_STATUS } from '../../../core/contracts/codes.ts';
import { searchAddition, type SearchAddition } from '../../../core/contracts/dashboard/search.ts';
import type { UploadDetail } from '../../../core/contracts/dashboard/work.ts';
import type { FailureCode } from '../../../core/contracts/errors/failures.ts';
import type { Size } from '../../compare/geometry.ts';
import type { ReadableImage } from '../../components/readableImage.ts';

export interface Place {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A label in CSS pixels of the pane; `isLong`: with its words, else icon and number alone. */
export interface Label {
  x: number;
  y: number;
  isLong: boolean;
}

/** Height of a label, CSS pixels; widths of a letter in 12 px bold, and of the icon with the padding. */
const HEIGHT = 20;
const LETTER = 7.5;
const ICON = 26;
/** Between a box and its label. */
const GAP = 4;

/**
 * Places for the labels of boxes so that none covers another one. A label stands above its box, inside it at the top, or
 * below it, and is shortened before it is left out.
 * @param boxes in the order in which they choose a place
 * @param reserved places of other labels
 * @returns one entry for each box; null: there is no free place, not even for its number
 */
export function placeLabels(
  boxes: readonly { place: Place; words: string }[],
  pane: Size,
  reserved: readonly Place[] = [],
): (Label | null)[] {
  const taken = [...reserved];
  return boxes.map(({ place, words }) => {
    for (const isLong of [true, false]) {
      const width = ICON + LETTER * (isLong ? words.length : 2);
      for (const y of [place.y - HEIGHT - GAP, place.y, place.y + place.height + GAP]) {
        for (const x of [place.x, place.x + place.width - width]) {
          const label = { x, y, width, height: HEIGHT };
          if (!isInside(label, pane) || taken.some((other) => overlap(label, other))) continue;
          taken.push(label);
          return { x, y, isLong };
        }
      }
    }
    return null;
  });
}

function isInside({ x, y, width, height }: Place, pane: Size): boolean {
  return x >= 0 && y >= 0 && x + width <= pane.width && y + height <= pane.height;
}

function overlap(one: Place, other: Place): boolean {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

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

/** An image that was searched with: shown from the disk, stored nowhere. */
export interface Probe extends ReadableImage {
  url: string;
}
