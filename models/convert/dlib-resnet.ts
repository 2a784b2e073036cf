/**
 * The 128-D face descriptor of face-api: dlib's 29-layer residual net, whose weights file names the layers but not
 * how they are joined. The joins here are those of `FaceRecognitionNet` in @vladmandic/face-api.
 */
import type { ConvolutionLayer, FeatureMap, Layers } from './net-builder.ts';
import type { Weight } from './weights.ts';

const INPUT_SIZE = 150;
/** Mean red, green and blue that the net was trained with, and its range. */
const MEAN_RGB = [122.782, 117.001, 104.298] as const;
const RANGE = 255;

/** Names of the residual blocks in order; those that end in `down` or `down_out` halve the map. */
const BLOCKS = [
  'conv32_1',
  'conv32_2',
  'conv32_3',
  'conv64_down',
  'conv64_1',
  'conv64_2',
  'conv64_3',
  'conv128_down',
  'conv128_1',
  'conv128_2',
  'conv256_down',
  'conv256_1',
  'conv256_2',
  'conv256_down_out',
];

/**
 * @param net empty; in floats it computes what face-api does, in bytes nearly that
 * @returns the ONNX file: `image` (N × 150 × 150 × 3 bytes, RGB) to `descriptor` (N × 128, not normalised).
 */
export function convertDlibResnet<M extends FeatureMap>(
  weights: ReadonlyMap<string, Weight>,
  net: Layers<M>,
): Uint8Array {
  const weight = (name: string): Weight => {
    const found = weights.get(name);
    if (!found) throw new Error(`the weights file has no ${name}`);
    return found;
  };
  const layer = (name: string, halving: boolean): ConvolutionLayer => ({
    ...scaled(weight(`${name}/conv/filters`), weight(`${name}/conv/bias`).values, {
      factor: weight(`${name}/scale/weights`).values,
      offset: weight(`${name}/scale/biases`).values,
    }),
    stride: halving ? 2 : 1,
    padding: halving ? 'valid' : 'same',
  });

  // The first layer pads nothing, so the mean and the range fold into its filters exactly.
  const first = normalisedInput(layer('conv32_down', true));
  let map = net.relu(net.convolution(net.image(INPUT_SIZE), first));
  map = net.pool('MaxPool', map, 3, 2, 'valid');
  for (const name of BLOCKS) map = residual(net, map, name, layer);
  net.meanOutput('descriptor', map, weight('fc'));
  return net.encode();
}

function residual<M extends FeatureMap>(
  net: Layers<M>,
  map: M,
  name: string,
  layer: (name: string, halving: boolean) => ConvolutionLayer,
): M {
  const halving = name.includes('_down');
  const inner = net.relu(net.convolution(map, layer(`${name}/conv1`, halving)));
  let outer = net.convolution(inner, layer(`${name}/conv2`, false));
  let shortcut = map;
  if (halving) {
    shortcut = net.pool('AveragePool', map, 2, 2, 'valid');
    if (shortcut.channels !== outer.channels) shortcut = net.growChannels(shortcut, outer.channels);
    outer = net.growSize(outer, shortcut.height, shortcut.width);
  }
  return net.relu(net.add(shortcut, outer));
}

/** A convolution followed by `factor × x + offset` per channel is one convolution. */
function scaled(
  filters: Weight,
  bias: Float32Array,
  { factor, offset }: { factor: Float32Array; offset: Float32Array },
): { filters: Weight; bias: Float32Array } {
  const outputs = factor.length;
  return {
    filters: { shape: filters.shape, values: filters.values.map((w, i) => w * factor[i % outputs]!) },
    bias: bias.map((b, o) => b * factor[o]! + offset[o]!),
  };
}

/** The same layer for an input of 0–255 instead of `(input − mean) / range`. */
function normalisedInput(layer: ConvolutionLayer): ConvolutionLayer {
  const [, , inputs, outputs] = layer.filters.shape as [number, number, number, number];
  const shift = new Float64Array(outputs);
  layer.filters.values.forEach((w, i) => {
    const channel = Math.floor(i / outputs) % inputs;
    shift[i % outputs]! -= (w * MEAN_RGB[channel]!) / RANGE;
  });
  return {
    ...layer,
    filters: { shape: layer.filters.shape, values: layer.filters.values.map((w) => w / RANGE) },
    bias: layer.bias.map((b, o) => b + shift[o]!),
  };
}
