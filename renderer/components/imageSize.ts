/** The size of an image from its header alone, so that a window does not decode an image of gigabytes for a thumbnail. */
import { useEffect, useState } from 'react';
import { IMAGE_LIMITS } from '../../core/contracts/limits/imageLimits.ts';
import { imageKind } from './imageKind.ts';

/** Bytes of a JPEG segment up to the width: marker, length, precision, height, width (ITU-T T.81, B.2.2). */
const FRAME_BYTES = 9;
/** Markers of frames are C0 to CF without C4, C8 and CC, which are tables, an extension and arithmetic coding. */
const isFrame = (marker: number) => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
/** More segments than any camera writes before the frame; a damaged file is not read to its end in steps of two bytes. */
const MAX_SEGMENTS = 1_000;

/** @returns pixels of a JPEG or PNG; null: another format, or a damaged header. Rejects when the file cannot be read. */
export async function pixelsOf(file: Blob): Promise<number | null> {
  const read = async (from: number, bytes: number) =>
    new DataView(await file.slice(from, from + bytes).arrayBuffer());
  const kind = await imageKind(file);
  if (kind === 'image/png') {
    const head = await read(16, 8);
    return head.byteLength < 8 ? null : head.getUint32(0) * head.getUint32(4);
  }
  if (kind !== 'image/jpeg') return null;
  let at = 2;
  for (let segment = 0; segment < MAX_SEGMENTS; segment++) {
    const head = await read(at, FRAME_BYTES);
    if (head.byteLength < FRAME_BYTES || head.getUint8(0) !== 0xff) return null;
    const marker = head.getUint8(1);
    if (isFrame(marker)) return head.getUint16(5) * head.getUint16(7);
    // FF before a marker is padding.
    at += marker === 0xff ? 1 : 2 + head.getUint16(2);
  }
  return null;
}

/**
 * The file, where a window may decode it: within the limit of the service. An image whose size is unknown is shown: a
 * browser does not decode it either.
 * @returns null until the header was read, and for a larger or unreadable file
 */
export function useSmallEnough(file: Blob | null | undefined): Blob | null {
  const [checked, setChecked] = useState<Blob | null>(null);
  useEffect(() => {
    if (file == null) return;
    let current = true;
    const accept = (pixels: number | null) => {
      if (current && (pixels ?? 0) <= IMAGE_LIMITS.pixels) setChecked(file);
    };
    // A file that was removed or replaced on the disk has no thumbnail.
    pixelsOf(file).then(accept, () => undefined);
    return () => {
      current = false;
    };
  }, [file]);
  return checked === file ? checked : null;
}
