/** The aligned picture on which the quality of a face is measured. */
import { thumbnailToImage } from './alignment.ts';
import type { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
import { luma, type Raster } from './raster.ts';

/** Side of the aligned picture, pixels; the eyes are 45 apart on it. */
export const FACE_REGION_SIZE = 128;

export interface FaceRegion {
  size: number;
  /** 0 to 255. */
  luma: Float32Array;
}

/** The same in colour. */
export interface FacePicture extends FaceRegion {
  raster: Raster;
}

export function faceRegion(view: ImageView, face: MeshedFace): FacePicture {
  const size = FACE_REGION_SIZE;
  const raster = view.sample(thumbnailToImage(face, size), size, size);
  return { size, luma: luma(raster), raster };
}

/** Centre and half axes of the ellipse that the skin of a frontal face fills on an aligned crop, shares of its side. */
const SKIN = { x: 0.5, y: 0.52, across: 0.3, down: 0.38 };

/** Whether the pixel in this column and row of the region shows the face rather than hair or background. */
export function isFace(column: number, row: number): boolean {
  const x = ((column + 0.5) / FACE_REGION_SIZE - SKIN.x) / SKIN.across;
  const y = ((row + 0.5) / FACE_REGION_SIZE - SKIN.y) / SKIN.down;
  return x * x + y * y <= 1;
}
