/** Describes an aligned face as a vector; the one place that knows which recognition nets make a template. */
import type { Template } from '../contracts/faces.ts';
import type { PipelineId } from '../contracts/ids.ts';
import { chipToImage, mirror } from './alignment.ts';
import type { ImageView } from './imageView.ts';
import type { MeshedFace } from './mesh.ts';
import { loadRecognition, RECOGNITION_SIZE, type Descriptor } from './nets/descriptors.ts';

/**
 * Detector, mesh fit, alignment, resampling, net and fusion. Whoever changes one of them so that descriptors move
 * changes this, and stored templates are made anew from their images.
 */
export const PIPELINE_ID = 'blaze-mesh68-area-mirror.d128/1' as PipelineId;

/** A descriptor that says nothing: all zero, or not finite. Two of the first kind would match at distance 0. */
export class EmptyDescriptor extends Error {
  override name = 'EmptyDescriptor';
}

export interface Describer {
  pipelineId: PipelineId;
  describe(view: ImageView, face: MeshedFace): Promise<Template>;
}

export async function loadDescriber(modelsFolder: string): Promise<Describer> {
  const recognition = await loadRecognition(modelsFolder);
  return {
    pipelineId: PIPELINE_ID,
    describe: async (view, face) => ({
      pipelineId: PIPELINE_ID,
      vector: unit(await recognitionPart(recognition, view, face)),
    }),
  };
}

/** Mean of the descriptors of the chip and of its mirror image: 0.045 more true matches at FMR 1e-4 than one chip. */
async function recognitionPart(net: Descriptor, view: ImageView, face: MeshedFace): Promise<Float32Array> {
  const chip = view.sample(chipToImage(face, RECOGNITION_SIZE), RECOGNITION_SIZE, RECOGNITION_SIZE);
  const chips = new Uint8Array(2 * chip.data.length);
  chips.set(chip.data);
  chips.set(mirror(chip).data, chip.data.length);
  const [straight, mirrored] = await net(chips);
  return straight!.map((value, i) => (value + mirrored![i]!) / 2);
}

/** Scales to length 1. Throws `EmptyDescriptor`. */
export function unit(vector: Float32Array): Float32Array {
  const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (!Number.isFinite(length) || length < 1e-6) throw new EmptyDescriptor('the net described nothing');
  return vector.map((value) => value / length);
}
