/** Describes faces by the net of a pack. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { thumbnailToImage, fivePointsToImage, mirror } from '../alignment.ts';
import type { TemplateExtractor } from '../descriptor.ts';
import { unit } from '../fusion.ts';
import type { Similarity } from '../geometry.ts';
import type { MeshedFace } from '../mesh.ts';
import { openSession, Tensor, type InferenceSession } from '../nets/net.ts';
import type { Raster } from '../raster.ts';
import type { PackManifest } from './manifest.ts';
import type { Pack } from './reading.ts';

/** @throws {CodedError} when the net cannot be loaded, or does not take and give what the manifest says */
export async function loadPackExtractor({ id, manifest, net }: Pack): Promise<TemplateExtractor> {
  const session = await openSession(net).catch((cause: unknown) => {
    throw new CodedError(problem('PACK_NET_UNREADABLE', { file: manifest.file }), {
      cause,
    });
  });
  const { size } = manifest.input;
  const run = (crop: Raster) => templateOfCrop(session, manifest, crop);
  // Said now and not at the first person: a net of another shape, or one that gives nothing.
  await run({ width: size, height: size, data: testPicture(size) });
  return {
    pipelineId: id,
    extract: async (view, face) => {
      const crop = view.sample(alignmentOf(manifest, face), size, size);
      const straight = await run(crop);
      if (manifest.views === 'straight') return straight;
      const mirrored = await run(mirror(crop));
      return unit(straight.map((value, i) => value + mirrored[i]!));
    },
  };
}

/** @returns unit length */
async function templateOfCrop(
  session: InferenceSession,
  { file, input, output }: PackManifest,
  crop: Raster,
): Promise<Float32Array> {
  let outputs;
  try {
    outputs = await session.run({ [input.name]: tensorOf(input, crop) });
  } catch (cause) {
    throw new CodedError(problem('PACK_NET_INPUT_INVALID', { file }), { cause });
  }
  const { data } = outputs[output.name] ?? {};
  if (!(data instanceof Float32Array))
    throw new CodedError(problem('PACK_NET_WITHOUT_OUTPUT', { file, output: output.name }));
  if (data.length !== output.dimension)
    throw new CodedError(
      problem('PACK_NET_LENGTH_WRONG', { file, found: data.length, expected: output.dimension }),
    );
  return unit(data);
}

function tensorOf(input: PackManifest['input'], { data }: Raster): Tensor {
  const { size, layout, type, colours, mean, scale } = input;
  const shape = layout === 'NHWC' ? [1, size, size, 3] : [1, 3, size, size];
  const pixels = size * size;
  const values = type === 'uint8' ? new Uint8Array(3 * pixels) : new Float32Array(3 * pixels);
  for (let channel = 0; channel < 3; channel++) {
    const from = colours === 'RGB' ? channel : 2 - channel;
    const [start, stride] = layout === 'NHWC' ? [channel, 3] : [channel * pixels, 1];
    for (let pixel = 0; pixel < pixels; pixel++)
      values[start + pixel * stride] = (data[3 * pixel + from]! - mean[channel]!) * scale[channel]!;
  }
  return values instanceof Uint8Array
    ? new Tensor('uint8', values, shape)
    : new Tensor('float32', values, shape);
}

function alignmentOf({ alignment, input }: PackManifest, face: MeshedFace): Similarity {
  if (alignment.method === 'mean-face') return thumbnailToImage(face, input.size, alignment.widening);
  return fivePointsToImage(face, alignment, input.size);
}

/** No face; enough structure that a working net gives numbers. */
function testPicture(size: number): Uint8Array {
  return Uint8Array.from({ length: 3 * size * size }, (_, i) => (i * 31 + (i >> 5) * 17) % 256);
}
