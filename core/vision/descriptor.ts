/** Extracts the template of an aligned face. Only this file knows which networks contribute to a template. */
import type { PipelineId } from '../contracts/ids.ts';
import { thumbnailToImage, fivePointsToImage, mirror, type FivePoints } from './alignment.ts';
import { fuse, lightTemplate, unit, type DescriptorParts } from './fusion.ts';
import fusion from './fusion.json' with { type: 'json' };
import type { Similarity } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
import { PIPELINES, type PipelineName } from './builtInPipelines.ts';
import {
  loadMobileFaceNet,
  loadRecognition,
  MOBILE_SIZE,
  RECOGNITION_SIZE,
  type Descriptor,
} from './nets/descriptors.ts';

export interface TemplateExtractor {
  pipelineId: PipelineId;
  /** @returns the vector of the template, unit length. @throws EmptyDescriptor */
  extract(view: ImageView, face: MeshedFace): Promise<Float32Array>;
}

/** @throws Error when `modelsFolder` lacks a net */
export async function loadTemplateExtractor(
  modelsFolder: string,
  pipeline: PipelineName,
): Promise<TemplateExtractor> {
  const pipelineId = PIPELINES[pipeline];
  if (pipeline === 'light') {
    const mobile = await loadMobileFaceNet(modelsFolder);
    return {
      pipelineId,
      extract: async (view, face) =>
        lightTemplate(await descriptorOf(mobile, MOBILE_VIEWS, view, face), fusion),
    };
  }
  const extractParts = await loadParts(modelsFolder);
  return { pipelineId, extract: async (view, face) => fuse(await extractParts(view, face), fusion) };
}

/** Both descriptors of a face as the nets give them; what the fusion is fitted on. */
export async function loadParts(
  modelsFolder: string,
): Promise<(view: ImageView, face: MeshedFace) => Promise<DescriptorParts>> {
  const recognition = await loadRecognition(modelsFolder);
  const mobile = await loadMobileFaceNet(modelsFolder);
  return async (view, face) => ({
    recognition: await descriptorOf(recognition, RECOGNITION_VIEWS, view, face),
    mobile: await descriptorOf(mobile, MOBILE_VIEWS, view, face),
  });
}

/** The two crops by which a net sees a face: one straight, one mirrored. */
export interface Views {
  /** Side of a crop, pixels. */
  size: number;
  /** How wide the straight crop and the mirrored one are, in widths of the crop that the net was trained with. */
  widths: readonly [number, number];
  /** Maps the pixels of a crop onto the image. */
  toImage: (face: MeshedFace, size: number, width: number) => Similarity;
}

/** Two views that differ in scale separate people better than two of one scale, at no cost (docs/explanation/recognition.md). */
export const RECOGNITION_VIEWS: Views = {
  size: RECOGNITION_SIZE,
  widths: [0.94, 1.06],
  toImage: thumbnailToImage,
};

/** Where MobileFaceNet was trained to find a face: the usual five points of ArcFace, on crops of 112 × 112. */
const FIVE_POINTS: FivePoints = {
  leftEye: [38.2946 / 112, 51.6963 / 112],
  rightEye: [73.5318 / 112, 51.5014 / 112],
  noseTip: [56.0252 / 112, 71.7366 / 112],
  leftMouthCorner: [41.5493 / 112, 92.3655 / 112],
  rightMouthCorner: [70.7299 / 112, 92.2041 / 112],
};

export const MOBILE_VIEWS: Views = {
  size: MOBILE_SIZE,
  widths: [1, 1.08],
  toImage: (face, size, width) => fivePointsToImage(face, FIVE_POINTS, size, width),
};

/** Mean of the unit descriptors of both views, at unit length. */
async function descriptorOf(
  net: Descriptor,
  views: Views,
  view: ImageView,
  face: MeshedFace,
): Promise<Float32Array> {
  const [straight, mirrored] = await net(alignedViews(views, view, face));
  const second = unit(mirrored!);
  return unit(unit(straight!).map((value, i) => value + second[i]!));
}

/** The straight crop and the mirrored one behind one another, as the nets take them. */
export function alignedViews(
  { size, widths, toImage }: Views,
  view: ImageView,
  face: MeshedFace,
): Uint8Array {
  const [straight, mirrored] = [
    view.sample(toImage(face, size, widths[0]), size, size),
    mirror(view.sample(toImage(face, size, widths[1]), size, size)),
  ];
  const crops = new Uint8Array(straight.data.length + mirrored.data.length);
  crops.set(straight.data);
  crops.set(mirrored.data, straight.data.length);
  return crops;
}
