/** The peer: face-api by its documented path, on TensorFlow.js and WebAssembly. */
import sharp from 'sharp';
import { loadFaceApi } from '../../models/reference/face-api.ts';
import type { Pipeline } from './describing.ts';

/** SSD ≥ 0.5, its 68 landmarks, its alignment, its 128-D, compared by Euclidean distance as its matcher does. */
export const STOCK = { id: 'face-api.ssd.68.d128', length: 128 };

export async function loadStock(): Promise<Pipeline> {
  const faceApi = await loadFaceApi();
  return {
    ...STOCK,
    describe: async (path) => {
      const { data, info } = await sharp(path)
        .toColourspace('srgb')
        .removeAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true });
      const faces = await faceApi.describeFaces({ data, width: info.width, height: info.height });
      return {
        width: info.width,
        height: info.height,
        faces: faces.map(({ box, descriptor }) => ({ box, vector: descriptor })),
      };
    },
  };
}
