/** Detection and measuring in this process, without recognition: what the detection tables are made of. */
import { join } from 'node:path';
import type { Box, ImageFacts, Quality } from '../../core/contracts/faces.ts';
import { openImage, restrictDecoder } from '../../core/vision/decode.ts';
import { findFaces, type FoundFace } from '../../core/vision/findFaces.ts';
import type { ImageView } from '../../core/vision/imageView.ts';
import type { MeshedFace } from '../../core/vision/mesh.ts';
import { loadBlazeFace, type BlazeFace } from '../../core/vision/nets/blazeface.ts';
import { loadFaceMesh } from '../../core/vision/nets/facemesh.ts';
import { measureQuality } from '../../core/vision/quality.ts';

export const MODELS = join(import.meta.dirname, '../../models');

export interface Look {
  image: ImageFacts;
  quantisation: number;
  view: ImageView;
  faces: readonly FoundFace[];
  /** Heads that are no confirmed faces. */
  unclear: readonly MeshedFace[];
}

export interface FaceFinder {
  /** Every face of an image, tiles included. */
  look(bytes: Uint8Array): Promise<Look>;
}

/** @param options.withHiddenHeads whether heads count that the fitted weights find, default true */
export async function createFaceFinder({ withHiddenHeads = true } = {}): Promise<FaceFinder> {
  restrictDecoder();
  const whole = await loadBlazeFace(MODELS);
  const bare: BlazeFace = async (image, minScore) => ({ ...(await whole(image, minScore)), heads: [] });
  const nets = { blazeFace: withHiddenHeads ? whole : bare, faceMesh: await loadFaceMesh(MODELS) };
  return {
    look: async (bytes) => {
      const opened = await openImage(bytes);
      const view = await opened.overview();
      const { faces, unclear } = await findFaces(nets, view, opened.facts, () => 0);
      return { image: opened.facts, quantisation: opened.quantisation, view, faces, unclear };
    },
  };
}

/** The face that covers the middle of a picture; that is who a photo of LFW or ORL is of. */
export function central({ image, faces }: Look): FoundFace | undefined {
  return faces.find(({ box }) => covers(box, image.width / 2, image.height / 2));
}

function covers({ x, y, width, height }: Box, px: number, py: number): boolean {
  return px > x && px < x + width && py > y && py < y + height;
}

export function qualityOf({ view, image, quantisation }: Look, face: FoundFace): Quality {
  return measureQuality(view, { facts: image, quantisation }, face);
}
