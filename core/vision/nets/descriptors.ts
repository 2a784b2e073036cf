/** The two networks that turn a face into a vector: near for photos of one person, far for photos of two. */
import { loadNet } from './net.ts';

/** Side of the crop of the 128-D net (dlib's, from @vladmandic/face-api), pixels. */
export const RECOGNITION_SIZE = 150;
export const RECOGNITION_LENGTH = 128;
/** Side of the crop of MobileFaceNet, pixels. */
export const MOBILE_SIZE = 112;
export const MOBILE_LENGTH = 192;

/**
 * @param crops N crops behind one another, bytes, RGB; left unchanged until the promise settles.
 * @returns N descriptors as the net gives them, not normalised.
 */
export type Descriptor = (crops: Uint8Array) => Promise<Float32Array[]>;

/** 128-D from crops of 150 × 150, aligned as dlib's face chips are. @throws Error as `loadNet` does. */
export function loadRecognition(modelsFolder: string): Promise<Descriptor> {
  return loadDescriptor(modelsFolder, 'recognition', RECOGNITION_LENGTH);
}

/** 192-D from crops of 112 × 112, aligned by five points. @throws Error as `loadNet` does. */
export function loadMobileFaceNet(modelsFolder: string): Promise<Descriptor> {
  return loadDescriptor(modelsFolder, 'mobilefacenet', MOBILE_LENGTH);
}

async function loadDescriptor(
  modelsFolder: string,
  name: 'recognition' | 'mobilefacenet',
  length: number,
): Promise<Descriptor> {
  const net = await loadNet(modelsFolder, name);
  return async (crops) => {
    const { descriptor } = await net.run(crops);
    const count = descriptor!.length / length;
    return Array.from({ length: count }, (_, i) => descriptor!.slice(i * length, (i + 1) * length));
  };
}
