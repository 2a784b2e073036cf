/**
 * Builds a convolutional net in ONNX from layers whose weights are laid out as TensorFlow does (height, width,
 * in, out). Feature maps are channel-major (NCHW), as ONNX Runtime's fast kernels want them, and every map's size is
 * known here, so paddings are plain numbers and nothing is transposed but the input image.
 */
import { OnnxGraph } from './onnx.ts';
import type { Weight } from './weights.ts';

/** Feature maps of one image: `channels` × `height` × `width`; the batch dimension is always first and free. */
export interface FeatureMap {
  readonly value: string;
  readonly channels: number;
  readonly height: number;
  readonly width: number;
}

/** A map some of whose channels have the wrong sign, −1 in `signs`: the layer that reads it has to put that right. */
export interface SignedMap {
  map: FeatureMap;
  signs: Float32Array;
}

/** `same`: zeros around the map so that the output has ceil(size / stride); `valid`: no padding. TensorFlow's terms. */
export type Padding = 'same' | 'valid';

export interface ConvolutionLayer {
  /** Height, width, inputs, outputs; depthwise: height, width, channels, 1. */
  filters: Weight;
  /** One number per output channel. */
  bias: Float32Array;
  stride: number;
  padding: Padding;
  depthwise?: boolean;
  /** Of the places in the map that the filters' numbers stand for; absent: 1. */
  dilation?: number;
}

/** Builds a net of plain convolutions, in floats or in bytes. */
export interface Layers<M extends FeatureMap> {
  image(size: number): M;
  convolution(map: M, layer: ConvolutionLayer): M;
  relu(map: M): M;
  add(a: M, b: M): M;
  pool(kind: 'MaxPool' | 'AveragePool', map: M, kernel: number, stride: number, padding: Padding): M;
  growChannels(map: M, channels: number): M;
  growSize(map: M, height: number, width: number): M;
  meanOutput(name: string, map: M, matrix: Weight): void;
  encode(): Uint8Array;
}

const BATCH = 'N';

export class NetBuilder implements Layers<FeatureMap> {
  readonly #graph: OnnxGraph;

  constructor(name: string) {
    this.#graph = new OnnxGraph(name);
  }

  /**
   * The input `image`: bytes, batch × height × width × 3, red green blue, made a feature map of 0–255.
   * Bytes, because that is what decoders and warps give: a quarter of the memory, and no conversion in JavaScript.
   */
  image(size: number): FeatureMap {
    this.#graph.input('image', 'uint8', [BATCH, size, size, 3]);
    const planes = this.#graph.node('Transpose', ['image'], { perm: [0, 3, 1, 2] });
    const value = this.#graph.node('Cast', [planes], { to: 1 });
    return { value, channels: 3, height: size, width: size };
  }

  /** `map − offset[channel]`: what a first layer with zero padding needs done before it. */
  centre(map: FeatureMap, offset: readonly number[]): FeatureMap {
    const constant = this.#graph.constant(Float32Array.from(offset), [1, map.channels, 1, 1]);
    return { ...map, value: this.#graph.node('Sub', [map.value, constant]) };
  }

  convolution(map: FeatureMap, layer: ConvolutionLayer): FeatureMap {
    const [height, width, inputs, outputs] = layer.filters.shape as [number, number, number, number];
    if (inputs !== map.channels) throw new Error(`a layer for ${inputs} channels was given ${map.channels}`);
    const group = layer.depthwise ? map.channels : 1;
    const channels = layer.depthwise ? map.channels : outputs;
    const { dilation = 1 } = layer;
    const rows = extent(map.height, dilation * (height - 1) + 1, layer.stride, layer.padding);
    const columns = extent(map.width, dilation * (width - 1) + 1, layer.stride, layer.padding);
    const value = this.#graph.node(
      'Conv',
      [
        map.value,
        this.#graph.constant(channelMajor(layer.filters), [channels, inputs / group, height, width]),
        this.#graph.constant(layer.bias, [channels]),
      ],
      {
        kernel_shape: [height, width],
        strides: [layer.stride, layer.stride],
        pads: [rows.before, columns.before, rows.after, columns.after],
        group,
        ...(dilation > 1 && { dilations: [dilation, dilation] }),
      },
    );
    return { value, channels, height: rows.size, width: columns.size };
  }

  relu(map: FeatureMap): FeatureMap {
    return { ...map, value: this.#graph.node('Relu', [map.value]) };
  }

  clip(map: FeatureMap, min: number, max: number): FeatureMap {
    const bounds = [min, max].map((bound) => this.#graph.constant(Float32Array.of(bound), []));
    return { ...map, value: this.#graph.node('Clip', [map.value, ...bounds]) };
  }

  /** `x` where positive, else `slope[channel] × x`. */
  prelu(map: FeatureMap, slope: Float32Array): FeatureMap {
    const { map: bent, signs } = this.signedPrelu(map, slope);
    return signs.includes(-1) ? this.#times(bent, signs) : bent;
  }

  /**
   * The same, with the sign of a channel turned where its slope is above 1: `relu(|1 − slope| × x) + sign × slope × x`.
   * ONNX Runtime leaves its blocked layout for a PRelu. This form is two convolutions of one pixel: the relu is fused
   * into the first of them and the sum into the second.
   */
  signedPrelu(map: FeatureMap, slope: Float32Array): SignedMap {
    const signs = slope.map((a) => (a > 1 ? -1 : 1));
    const above = this.relu(
      this.#times(
        map,
        slope.map((a) => Math.abs(1 - a)),
      ),
    );
    const throughout = this.#times(
      map,
      slope.map((a, c) => a * signs[c]!),
    );
    return { map: this.add(above, throughout), signs };
  }

  /** `factor[channel] × x`, as a convolution of one pixel. */
  #times(map: FeatureMap, factor: Float32Array): FeatureMap {
    return this.convolution(map, {
      filters: { shape: [1, 1, map.channels, 1], values: factor },
      bias: new Float32Array(map.channels),
      stride: 1,
      padding: 'valid',
      depthwise: true,
    });
  }

  sigmoid(map: FeatureMap): FeatureMap {
    return { ...map, value: this.#graph.node('Sigmoid', [map.value]) };
  }

  add(a: FeatureMap, b: FeatureMap): FeatureMap {
    if (a.channels !== b.channels || a.height !== b.height || a.width !== b.width)
      throw new Error(`maps of different sizes cannot be added`);
    return { ...a, value: this.#graph.node('Add', [a.value, b.value]) };
  }

  pool(
    kind: 'MaxPool' | 'AveragePool',
    map: FeatureMap,
    kernel: number,
    stride: number,
    padding: Padding,
  ): FeatureMap {
    const rows = extent(map.height, kernel, stride, padding);
    const columns = extent(map.width, kernel, stride, padding);
    const value = this.#graph.node(kind, [map.value], {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [rows.before, columns.before, rows.after, columns.after],
    });
    return { value, channels: map.channels, height: rows.size, width: columns.size };
  }

  /**
   * Appends channels of zeros, as a 1 × 1 convolution with the identity: exact, and ONNX Runtime keeps its blocked
   * layout through it, which a Pad would break.
   */
  growChannels(map: FeatureMap, channels: number): FeatureMap {
    const identity = new Float32Array(map.channels * channels);
    for (let c = 0; c < map.channels; c++) identity[c * channels + c] = 1;
    return this.convolution(map, {
      filters: { shape: [1, 1, map.channels, channels], values: identity },
      bias: new Float32Array(channels),
      stride: 1,
      padding: 'valid',
    });
  }

  /** Appends rows of zeros below and columns of zeros at the right, up to this size. */
  growSize(map: FeatureMap, height: number, width: number): FeatureMap {
    if (map.height === height && map.width === width) return map;
    const pads = BigInt64Array.of(
      0n,
      0n,
      0n,
      0n,
      0n,
      0n,
      BigInt(height - map.height),
      BigInt(width - map.width),
    );
    const value = this.#graph.node('Pad', [map.value, this.#graph.constant(pads, [8])]);
    return { ...map, value, height, width };
  }

  /** Declares an output: the mean of every channel, multiplied by a matrix (`channels` × n) when there is one. */
  meanOutput(name: string, map: FeatureMap, matrix?: Weight): void {
    const pooled = this.#graph.node('GlobalAveragePool', [map.value]);
    if (!matrix) {
      this.#graph.node('Flatten', [pooled], { axis: 1 }, name);
      this.#graph.output(name, 'float32', [BATCH, map.channels]);
      return;
    }
    const means = this.#graph.node('Flatten', [pooled], { axis: 1 });
    this.#graph.node('MatMul', [means, this.#graph.constant(matrix.values, matrix.shape)], {}, name);
    this.#graph.output(name, 'float32', [BATCH, matrix.shape[1]!]);
  }

  /** Declares an output of shape batch × rows × columns, the map read row by row with its channels innermost. */
  listOutput(name: string, map: FeatureMap, columns: number): void {
    const rows = (map.channels * map.height * map.width) / columns;
    const interleaved =
      map.height * map.width === 1
        ? map.value
        : this.#graph.node('Transpose', [map.value], { perm: [0, 2, 3, 1] });
    const shape = this.#graph.constant(BigInt64Array.of(0n, BigInt(rows), BigInt(columns)), [3]);
    this.#graph.node('Reshape', [interleaved, shape], {}, name);
    this.#graph.output(name, 'float32', [BATCH, rows, columns]);
  }

  encode(): Uint8Array {
    return this.#graph.encode();
  }
}

/** Output size and zeros needed along one axis (TensorFlow's rule: an odd number of zeros puts one more at the end). */
export function extent(
  size: number,
  kernel: number,
  stride: number,
  padding: Padding,
): { size: number; before: number; after: number } {
  if (padding === 'valid') return { size: Math.floor((size - kernel) / stride) + 1, before: 0, after: 0 };
  const output = Math.ceil(size / stride);
  const zeros = Math.max(0, (output - 1) * stride + kernel - size);
  return { size: output, before: zeros >> 1, after: zeros - (zeros >> 1) };
}

/** From (height, width, in, out) to (out, in, height, width); depthwise filters (… channels, 1) likewise. */
export function channelMajor({ shape, values }: Weight): Float32Array {
  const [height, width, inputs, outputs] = shape as [number, number, number, number];
  const area = height * width;
  const result = new Float32Array(values.length);
  for (let at = 0; at < area; at++)
    for (let i = 0; i < inputs; i++)
      for (let o = 0; o < outputs; o++)
        result[(o * inputs + i) * area + at] = values[(at * inputs + i) * outputs + o]!;
  return result;
}
