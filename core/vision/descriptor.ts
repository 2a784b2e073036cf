/** Describes an aligned face as a vector; the one place that knows which recognition nets make a template. */
import type { PipelineId } from '../contracts/ids.ts';
import { chipToImage, mirror } from './alignment.ts';
import { fuse, unit, type DescriptorParts, type FusionConstants } from './fusion.ts';
import fusion2 from './fusion-2.json' with { type: 'json' };
import fusion from './fusion.json' with { type: 'json' };
import type { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
import {
  FACERES_SIZE,
  loadFaceres,
  loadRecognition,
  RECOGNITION_SIZE,
  type Descriptor,
} from './nets/descriptors.ts';

/**
 * Detector, mesh fit, alignment, resampling, nets and fusion. Whoever changes one of them so that descriptors move
 * changes this, and stored templates are made anew from their images.
 */
export const PIPELINES = {
  /** Both nets: the best these weights can tell people apart. */
  full: 'blaze-mesh68-area-mirror.d128+faceres/3' as PipelineId,
  /** The 128-D net alone, for weak machines: a third of the time, a ninth of the memory per face. */
  light: 'blaze-mesh68-area-mirror.d128/2' as PipelineId,
} as const;
export type PipelineName = keyof typeof PIPELINES;

/**
 * What earlier versions of the product described by, as far as it still can be: it serves a company until its faces are
 * described anew.
 */
export const RETIRED_PIPELINES = {
  /** The same nets and views, fused by other constants. */
  'full-2': 'blaze-mesh68-area-mirror.d128+faceres/2' as PipelineId,
} as const;
export type BuiltInName = PipelineName | keyof typeof RETIRED_PIPELINES;

const FUSIONS: Record<Exclude<BuiltInName, 'light'>, { id: PipelineId; constants: FusionConstants }> = {
  full: { id: PIPELINES.full, constants: fusion },
  'full-2': { id: RETIRED_PIPELINES['full-2'], constants: fusion2 },
};

export function isPipelineName(name: string | undefined): name is PipelineName {
  return name !== undefined && Object.hasOwn(PIPELINES, name);
}

export interface Describer {
  pipelineId: PipelineId;
  /** @returns the vector of the template, unit length. @throws EmptyDescriptor */
  describe(view: ImageView, face: MeshedFace): Promise<Float32Array>;
}

/** @throws Error when `modelsFolder` lacks a net */
export async function loadDescriber(modelsFolder: string, pipeline: BuiltInName): Promise<Describer> {
  if (pipeline === 'light') {
    const recognition = await loadRecognition(modelsFolder);
    return {
      pipelineId: PIPELINES.light,
      describe: (view, face) => recognitionPart(recognition, view, face),
    };
  }
  const { id, constants } = FUSIONS[pipeline];
  const describeParts = await loadParts(modelsFolder);
  return {
    pipelineId: id,
    describe: async (view, face) => fuse(await describeParts(view, face), constants),
  };
}

/** Both descriptors of a face as the nets give them; what the fusion is fitted on. */
export async function loadParts(
  modelsFolder: string,
): Promise<(view: ImageView, face: MeshedFace) => Promise<DescriptorParts>> {
  const recognition = await loadRecognition(modelsFolder);
  const faceres = await loadFaceres(modelsFolder);
  return async (view, face) => ({
    recognition: await recognitionPart(recognition, view, face),
    faceres: await faceresPart(faceres, view, face),
  });
}

/**
 * How wide the two views of a face are, in widths of dlib's chip; the second view is mirrored as well. Two views that
 * differ in scale tell more than two of one scale, at no cost (docs/recognition.md).
 */
export const RECOGNITION_VIEWS: Views = { widths: [0.94, 1.06], lift: 0 };
/** HSE-FaceRes was trained on looser crops, with more of the forehead. */
export const FACERES_VIEWS: Views = { widths: [1.2, 1.467], lift: 0.03 };

export interface Views {
  /** Of the straight view and of the mirrored one. */
  widths: readonly [number, number];
  /** How far both are moved up the face, share of their side. */
  lift: number;
}

/** Mean of the unit descriptors of a chip and of a mirrored one, at unit length. */
async function recognitionPart(net: Descriptor, view: ImageView, face: MeshedFace): Promise<Float32Array> {
  const [straight, mirrored] = await net(views(view, face, RECOGNITION_SIZE, RECOGNITION_VIEWS));
  const second = unit(mirrored!);
  return unit(unit(straight!).map((value, i) => value + second[i]!));
}

async function faceresPart(net: Descriptor, view: ImageView, face: MeshedFace): Promise<Float32Array> {
  const [straight, mirrored] = await net(views(view, face, FACERES_SIZE, FACERES_VIEWS));
  return straight!.map((value, i) => (value + mirrored![i]!) / 2);
}

/** A chip and a mirrored chip of these widths behind one another, as the nets take them. */
function views(
  view: ImageView,
  face: MeshedFace,
  size: number,
  { widths: [first, second], lift }: Views,
): Uint8Array {
  const straight = view.sample(chipToImage(face, size, first, lift), size, size);
  const mirrored = mirror(view.sample(chipToImage(face, size, second, lift), size, size));
  const chips = new Uint8Array(straight.data.length + mirrored.data.length);
  chips.set(straight.data);
  chips.set(mirrored.data, straight.data.length);
  return chips;
}
