import { imageKind, type ImageKind } from '../../components/imageKind.ts';

/** One of the two images: shown from the disk, kept nowhere. */
export interface Side {
  file: File;
  kind: ImageKind;
  url: string;
  width: number;
  height: number;
}

/** Opens a chosen file. @returns null: neither JPEG nor PNG, or damaged so that nothing can be shown */
export async function openSide(file: File): Promise<Side | null> {
  const kind = await imageKind(file);
  if (kind === null) return null;
  const url = URL.createObjectURL(file);
  const picture = new Image();
  picture.src = url;
  try {
    await picture.decode();
  } catch {
    URL.revokeObjectURL(url);
    return null;
  }
  return { file, kind, url, width: picture.naturalWidth, height: picture.naturalHeight };
}

/** A reference that is not used yet: the present time to the second. */
export function newReference(): string {
  return `manual-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** The ink of a picture in one colour on nothing, so that two can be laid over each other in different colours. */
export async function tinted(
  url: string,
  [red, green, blue]: readonly [number, number, number],
): Promise<string> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement('canvas');
  canvas.width = picture.naturalWidth;
  canvas.height = picture.naturalHeight;
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('This browser draws no pictures.');
  context.drawImage(picture, 0, 0);
  const pixels = context.getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 0; at < pixels.data.length; at += 4) {
    const darkness = 255 - (pixels.data[at] ?? 255);
    pixels.data.set([red, green, blue, darkness], at);
  }
  context.putImageData(pixels, 0, 0);
  return canvas.toDataURL('image/png');
}
