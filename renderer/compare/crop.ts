/** The part of a searched photo for a blacklist: one face with surroundings that show no other face. */
import type { Size } from './geometry.ts';

export interface Box extends Size {
  x: number;
  y: number;
}

/** The margin around a face, in sides of its box: hair, chin and ears are inside. */
const MARGIN = 0.8;
/** The longest side of the crop, pixels. Its face is far larger than the input of the recogniser. */
const LONGEST = 2048;
const JPEG_QUALITY = 0.95;
const COVER = '#808080';

/**
 * The part of an image around a face that holds nothing of the boxes of the others. Where a box overlaps the face's
 * own, nothing can be cut between them: then both stay in, and the intake says what is wrong with that.
 * @param image what the part must lie in; all in pixels of the same image
 */
export function cropAround(face: Box, others: readonly Box[], image: Size): Box {
  const right = face.x + face.width;
  const bottom = face.y + face.height;
  let part = between(
    Math.max(0, face.x - MARGIN * face.width),
    Math.max(0, face.y - MARGIN * face.height),
    Math.min(image.width, right + MARGIN * face.width),
    Math.min(image.height, bottom + MARGIN * face.height),
  );
  for (const other of others) {
    const { x, y } = part;
    const [end, low] = [x + part.width, y + part.height];
    const [otherEnd, otherLow] = [other.x + other.width, other.y + other.height];
    if (other.x >= end || otherEnd <= x || other.y >= low || otherLow <= y) continue;
    const cuts: Box[] = [];
    if (other.x >= right) cuts.push(between(x, y, other.x, low));
    if (otherEnd <= face.x) cuts.push(between(otherEnd, y, end, low));
    if (other.y >= bottom) cuts.push(between(x, y, end, other.y));
    if (otherLow <= face.y) cuts.push(between(x, otherLow, end, low));
    // The crop that leaves the other face out and keeps the largest margin.
    cuts.sort((one, two) => two.width * two.height - one.width * one.height);
    part = cuts[0] ?? part;
  }
  return part;
}

function between(x: number, y: number, right: number, bottom: number): Box {
  return { x, y, width: right - x, height: bottom - y };
}

/**
 * Cuts a part out of a photo, upright as the browser shows it, and not enlarged.
 * @param part in pixels of `size`, the size that the service measured
 * @param chosen the face that is sent: the other faces are covered with grey where they lie outside its box, because a
 * face beside it can overlap every crop
 * @returns a JPEG without the metadata of the photo
 */
export async function cropToJpeg(
  photo: Blob,
  part: Box,
  size: Size,
  chosen?: { face: Box; others: readonly Box[] },
): Promise<Blob> {
  const bitmap = await createImageBitmap(photo);
  try {
    const scale = bitmap.width / size.width;
    const [width, height] = [part.width * scale, part.height * scale];
    const shrink = Math.min(1, LONGEST / Math.max(width, height));
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(width * shrink));
    canvas.height = Math.max(1, Math.round(height * shrink));
    const context = canvas.getContext('2d');
    if (context === null) throw new Error('This browser cannot cut an image.');
    context.drawImage(
      bitmap,
      part.x * scale,
      part.y * scale,
      width,
      height,
      0,
      0,
      canvas.width,
      canvas.height,
    );
    if (chosen !== undefined) {
      const { face } = chosen;
      const at = (box: Box) =>
        [
          (box.x - part.x) * scale * shrink,
          (box.y - part.y) * scale * shrink,
          box.width * scale * shrink,
          box.height * scale * shrink,
        ] as const;
      context.fillStyle = COVER;
      for (const other of chosen.others) context.fillRect(...at(other));
      const source = [face.x * scale, face.y * scale, face.width * scale, face.height * scale] as const;
      context.drawImage(bitmap, ...source, ...at(face));
    }
    return await new Promise((resolve, reject) => {
      const made = (blob: Blob | null) =>
        blob === null ? reject(new Error('This browser cannot write a JPEG.')) : resolve(blob);
      canvas.toBlob(made, 'image/jpeg', JPEG_QUALITY);
    });
  } finally {
    bitmap.close();
  }
}
