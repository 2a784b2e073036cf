/** How fast ONNX Runtime multiplies on this core where nothing holds it up. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { OnnxGraph } from '../../models/convert/onnx.ts';
import { timesOf } from './times.ts';

/** Layers behind one another: bringing a picture into the blocked layout and back counts for little then. */
const LAYERS = 8;

/** Square maps of `side` pixels with as many channels before and behind each layer, `size` × `size` filters. */
interface Shape {
  side: number;
  channels: number;
  size: number;
}

/** From many pixels and few channels to the opposite, as in any net; which is fastest depends on the caches. */
const SHAPES: readonly Shape[] = [
  { side: 112, channels: 32, size: 3 },
  { side: 56, channels: 64, size: 3 },
  { side: 28, channels: 128, size: 3 },
  { side: 14, channels: 256, size: 3 },
  { side: 28, channels: 128, size: 1 },
  { side: 14, channels: 256, size: 1 },
];

/** Million multiply-adds per millisecond: the fastest run of the fastest shape. */
export async function fastestRate(rounds: number): Promise<number> {
  const rates: number[] = [];
  for (const shape of SHAPES) {
    const session = await InferenceSession.create(convolutions(shape), {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
    });
    const { side, channels, size } = shape;
    const picture = new Tensor('float32', new Float32Array(channels * side ** 2).fill(0.5), [
      1,
      channels,
      side,
      side,
    ]);
    const { least } = await timesOf(() => session.run({ in: picture }), rounds);
    rates.push((LAYERS * side ** 2 * channels ** 2 * size ** 2) / 1e6 / least);
  }
  return Math.max(...rates);
}

function convolutions({ side, channels, size }: Shape): Uint8Array {
  const graph = new OnnxGraph('convolutions');
  const shape = [1, channels, side, side];
  graph.input('in', 'float32', shape);
  let value = 'in';
  for (let layer = 1; layer <= LAYERS; layer++) {
    // Values stay of the size that they have, so that none becomes denormal, which is slow.
    const weight = 1 / (channels * size ** 2);
    const filters = graph.constant(new Float32Array(channels ** 2 * size ** 2).fill(weight), [
      channels,
      channels,
      size,
      size,
    ]);
    const attributes = { kernel_shape: [size, size], pads: Array<number>(4).fill((size - 1) / 2) };
    value = graph.node('Conv', [value, filters], attributes, layer === LAYERS ? 'out' : undefined);
  }
  graph.output('out', 'float32', shape);
  return graph.encode();
}
