/** Face Mesh (MediaPipe, from @vladmandic/human): 468 points on one face. */
import { loadNet } from './net.ts';

/** Side of the crop it looks at, pixels. */
export const FACEMESH_SIZE = 192;
export const MESH_POINTS = 468;

export interface FaceMesh {
  /** x, y, z of every point in pixels of the crop; z grows away from the camera, 0 near the head's centre. */
  points: Float32Array;
  /** Probability that the crop shows a face, 0 to 1. */
  flag: number;
}

/**
 * @param crops N crops of 192 × 192 × 3 bytes behind one another, RGB: a square around an upright face, about 1.5
 *   times its detected box; left unchanged until the promise settles.
 */
export type FaceMesher = (crops: Uint8Array) => Promise<FaceMesh[]>;

/** @throws Error as `loadNet` does. */
export async function loadFaceMesh(modelsFolder: string): Promise<FaceMesher> {
  const net = await loadNet(modelsFolder, 'facemesh');
  return async (crops) => {
    const { mesh, flag } = await net.run(crops);
    return Array.from(flag!, (probability, i) => ({
      points: mesh!.subarray(i * MESH_POINTS * 3, (i + 1) * MESH_POINTS * 3),
      flag: probability,
    }));
  };
}
