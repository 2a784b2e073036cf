/** Sends corrected photos. The last one waits for a moment, so that the operator can undo it. */
import i18next from 'i18next';
import { create } from 'zustand';
import type { FoundFaces } from '../../../core/contracts/dashboard/enrolmentRuns.ts';
import { ApiError } from '../../api/client.ts';
import { sendFix } from '../../api/enrolment.ts';
import { rememberPhoto } from '../../state/photoFiles.ts';
import { onSessionEnd } from '../../state/sessionReset.ts';
import { undoStore } from '../../state/undo.ts';
import type { Size, Box } from '../../compare/geometry.ts';

/** How long the operator can undo a correction before it is sent, milliseconds. */
const HOLD_MS = 5_000;

export interface Fix {
  /** The failed photo. */
  id: number;
  /** Several: one of each face. */
  photos: readonly Blob[];
  face?: number;
  faces: number;
}

interface FixQueue {
  /** The correction that the operator can still undo. */
  held: Fix | null;
  /** Failed photos whose correction is held, sent or accepted in this window. */
  done: ReadonlySet<number>;
}

export const fixQueue = create<FixQueue>()(() => ({ held: null, done: new Set() }));

let timer: ReturnType<typeof setTimeout> | undefined;

/** Sends a correction after a moment, and the one before it now. */
export function queueFix(fix: Fix): void {
  flushFix();
  fixQueue.setState(({ done }) => ({ held: fix, done: new Set(done).add(fix.id) }));
  timer = setTimeout(flushFix, HOLD_MS);
}

/** Sends the correction that is held. The operator reads of one that was not accepted. */
export function flushFix(): void {
  clearTimeout(timer);
  const { held } = fixQueue.getState();
  if (held === null) return;
  fixQueue.setState({ held: null });
  void sendNow(held).catch((error: unknown) => {
    const why = error instanceof ApiError ? error.message : '';
    undoStore.getState().notify(`${i18next.t('failedPhotos.notSent')} ${why}`.trim());
  });
}

/** Takes the held correction back. @returns the failed photo it was for; undefined: none is held */
export function takeBackFix(): number | undefined {
  clearTimeout(timer);
  const { held } = fixQueue.getState();
  if (held === null) return undefined;
  fixQueue.setState({ held: null });
  reopen(held.id);
  return held.id;
}

/** Sends a correction at once. Throws if it was not accepted; the failed photo is open again then. */
export async function sendNow({ id, photos, face, faces }: Fix): Promise<void> {
  fixQueue.setState(({ done }) => ({ done: new Set(done).add(id) }));
  try {
    const { uploadId } = await sendFix(id, photos, { face, faces }, crypto.randomUUID());
    // A face that fails can be corrected from its own crop. The first one is corrected from the sheet.
    for (const [index, photo] of photos.entries())
      if (index > 0)
        rememberPhoto(uploadId, index, new File([photo], `${index + 1}.jpg`, { type: photo.type }));
  } catch (error) {
    reopen(id);
    throw error;
  }
}

function reopen(id: number): void {
  fixQueue.setState(({ done }) => {
    const rest = new Set(done);
    rest.delete(id);
    return { done: rest };
  });
}

// A correction that was not sent is not sent in the name of the next operator.
onSessionEnd(() => {
  clearTimeout(timer);
  fixQueue.setState({ held: null, done: new Set() });
});

// Turning a photo by quarter turns, and moving the part of it that is sent. Boxes are in pixels of the photo.

const JPEG_QUALITY = 0.95;
/** The part that is sent has at least this share of each side of the photo. */
const LEAST = 0.02;

/** Where the faces lie after so many quarter turns clockwise. */
export function turned(found: FoundFaces, turns: number): FoundFaces {
  let { width, height, boxes, unclear } = found;
  for (let turn = 0; turn < turns; turn += 1) {
    const side = height;
    const turnedBox = (box: Box): Box => ({
      x: side - box.y - box.height,
      y: box.x,
      width: box.height,
      height: box.width,
    });
    [boxes, unclear] = [boxes.map(turnedBox), unclear.map(turnedBox)];
    [width, height] = [height, width];
  }
  return { ...found, width, height, boxes, unclear };
}

/** Moves and scales a part, inside the photo. @param by shares of the part's own size */
export function moved(part: Box, by: { x?: number; y?: number; scale?: number }, photo: Size): Box {
  const scale = by.scale ?? 1;
  const width = Math.min(photo.width, Math.max(LEAST * photo.width, part.width * scale));
  const height = Math.min(photo.height, Math.max(LEAST * photo.height, part.height * scale));
  const x = part.x + (part.width - width) / 2 + (by.x ?? 0) * part.width;
  const y = part.y + (part.height - height) / 2 + (by.y ?? 0) * part.height;
  return {
    x: Math.min(Math.max(0, x), photo.width - width),
    y: Math.min(Math.max(0, y), photo.height - height),
    width,
    height,
  };
}

/** The rectangle between two points, inside the photo; null: too small to hold a face. */
export function between(
  one: { x: number; y: number },
  other: { x: number; y: number },
  photo: Size,
): Box | null {
  const [left, right] = [
    Math.max(0, Math.min(one.x, other.x)),
    Math.min(photo.width, Math.max(one.x, other.x)),
  ];
  const [top, low] = [
    Math.max(0, Math.min(one.y, other.y)),
    Math.min(photo.height, Math.max(one.y, other.y)),
  ];
  const part = { x: left, y: top, width: right - left, height: low - top };
  return part.width < LEAST * photo.width || part.height < LEAST * photo.height ? null : part;
}

/** A photo after quarter turns clockwise, as the browser shows it; the photo itself without any. */
export async function turnedPhoto(photo: Blob, turns: number): Promise<Blob> {
  if (turns === 0) return photo;
  const bitmap = await createImageBitmap(photo);
  try {
    const canvas = document.createElement('canvas');
    const sideways = turns % 2 === 1;
    canvas.width = sideways ? bitmap.height : bitmap.width;
    canvas.height = sideways ? bitmap.width : bitmap.height;
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser cannot turn an image.');
    context.translate(canvas.width / 2, canvas.height / 2);
    context.rotate((turns * Math.PI) / 2);
    context.drawImage(bitmap, -bitmap.width / 2, -bitmap.height / 2);
    return await new Promise((resolve, reject) => {
      canvas.toBlob(
        (blob) => (blob === null ? reject(new Error('This browser cannot write a JPEG.')) : resolve(blob)),
        'image/jpeg',
        JPEG_QUALITY,
      );
    });
  } finally {
    bitmap.close();
  }
}
