/**
 * MobileFaceNet (Chen et al. 2018), whose weights file names the layers but not how they are joined. The joins are those of
 * `nets/MobileFaceNet.py` in sirius-ai/MobileFaceNet_TF: bottlenecks of a wide 1 × 1, a depthwise 3 × 3 and a narrow 1 × 1
 * convolution, then a depthwise convolution over the whole map and two linear layers.
 */
import { NetBuilder } from './net-builder.ts';
import type { ConvolutionLayer, FeatureMap, SignedMap } from './net-builder.ts';
import type { Weight } from './weights.ts';

const INPUT_SIZE = 112;
/** The net was trained on (value − 127.5) / 128. */
const MEAN = 127.5;
const RANGE = 128;

/** The bottlenecks in order. */
const BLOCKS = [
  ...stage('Conv2d_2_InvResBlock', 5, 2),
  ...stage('Conv2d_3_InvResBlock', 1, 2),
  ...stage('Conv2d_4_InvResBlock', 6, 1),
  ...stage('Conv2d_5_InvResBlock', 1, 2),
  ...stage('Conv2d_6_InvResBlock', 2, 1),
];

function stage(name: string, count: number, stride: number): { name: string; stride: number }[] {
  return Array.from({ length: count }, (_, i) => ({ name: `${name}_${i}`, stride: i === 0 ? stride : 1 }));
}

/** @returns the ONNX file: `image` (N × 112 × 112 × 3 bytes, RGB) to `descriptor` (N × 192, not normalised). */
export function convertMobileFaceNet(weights: ReadonlyMap<string, Weight>): Uint8Array {
  const weight = (name: string): Weight => {
    const found = weights.get(name);
    if (!found) throw new Error(`the weights file has no ${name}`);
    return found;
  };
  const pointwise = (name: string): ConvolutionLayer => ({
    filters: weight(`${name}/Conv2D_weights`),
    bias: weight(`${name}/Conv2D_bn_offset`).values,
    stride: 1,
    padding: 'same',
  });
  const depthwise = (name: string, stride: number): ConvolutionLayer => ({
    filters: weight(`${name}/depthwise_weights`),
    bias: weight(`${name}/depthwise_bn_offset`).values,
    stride,
    padding: 'same',
    depthwise: true,
  });

  const net = new NetBuilder('MobileFaceNet');
  const linear = ({ map, signs }: SignedMap, layer: ConvolutionLayer): FeatureMap =>
    net.convolution(map, scaledInputs(layer, signs));
  const bent = (from: SignedMap, layer: ConvolutionLayer, name: string): SignedMap =>
    net.signedPrelu(linear(from, layer), weight(`${name}/slope`).values);

  const image = net.centre(net.image(INPUT_SIZE), [MEAN, MEAN, MEAN]);
  const stem = scaledInputs(
    { ...pointwise('Conv2d_0'), stride: 2 },
    [1, 1, 1].map((one) => one / RANGE),
  );
  let deep = bent(unsigned(image), stem, 'Conv2d_0');
  deep = bent(deep, depthwise('SeparableConv2d', 1), 'SeparableConv2d');
  // The narrow layer of the stem and the wide one of the first bottleneck have no bend between them: one layer.
  let wide = bent(
    deep,
    product(pointwise('Conv'), pointwise(`${BLOCKS[0]!.name}/Conv`)),
    `${BLOCKS[0]!.name}/Conv`,
  );
  let around: FeatureMap | undefined;
  for (const [i, { name, stride }] of BLOCKS.entries()) {
    deep = bent(wide, depthwise(`${name}/SeparableConv2d`, stride), `${name}/SeparableConv2d`);
    const narrow = linear(deep, pointwise(`${name}/Conv_1`));
    const map: FeatureMap = stride === 1 && around ? net.add(around, narrow) : narrow;
    around = map;
    const next = BLOCKS[i + 1] ? `${BLOCKS[i + 1]!.name}/Conv` : 'Conv2d_7';
    wide = bent(unsigned(map), pointwise(next), next);
  }
  const pooled = linear(wide, { ...depthwise('Logits/SeparableConv2d', 1), padding: 'valid' });
  net.meanOutput(
    'descriptor',
    linear(unsigned(pooled), product(pointwise('Logits/Conv'), pointwise('Logits/LinearConv1x1'))),
  );
  return net.encode();
}

function unsigned(map: FeatureMap): SignedMap {
  return { map, signs: new Float32Array(map.channels).fill(1) };
}

/** The layer for a map whose channels are to be multiplied by these numbers first. */
function scaledInputs(layer: ConvolutionLayer, factors: ArrayLike<number>): ConvolutionLayer {
  const { shape, values } = layer.filters;
  const [, , inputs, outputs] = shape as [number, number, number, number];
  const scaled = values.map((w, i) => w * factors[Math.floor(i / outputs) % inputs]!);
  return { ...layer, filters: { shape, values: scaled } };
}

/** Two convolutions of one pixel as one: summed in double precision. */
function product(first: ConvolutionLayer, second: ConvolutionLayer): ConvolutionLayer {
  const [, , inputs, between] = first.filters.shape as [number, number, number, number];
  const outputs = second.bias.length;
  const through = (row: ArrayLike<number>, from: number, output: number): number => {
    let sum = 0;
    for (let j = 0; j < between; j++) sum += row[from + j]! * second.filters.values[j * outputs + output]!;
    return sum;
  };
  return {
    ...second,
    filters: {
      shape: [1, 1, inputs, outputs],
      values: Float32Array.from({ length: inputs * outputs }, (_, k) =>
        through(first.filters.values, Math.floor(k / outputs) * between, k % outputs),
      ),
    },
    bias: second.bias.map((b, output) => b + through(first.bias, 0, output)),
  };
}
