/**
 * Builds a convolutional net that computes in bytes: maps of bytes, filters of seven bits, sums of 32 bits. Maps are
 * channel-minor (NHWC), as ONNX Runtime's kernels for bytes want them and as the image is.
 *
 * The numbers are the same on every processor. Where the instruction that sums products of bytes exactly (VNNI) is
 * missing, ONNX Runtime adds two products in 16 bits, and a sum beyond these is cut off: `pmaddubsw`. Two products of
 * filters of seven bits always fit.
 */
import { channelMajor, extent } from './net-builder.ts';
import type { ConvolutionLayer, FeatureMap, Layers, Padding } from './net-builder.ts';
import { CONTRIBUTED, OnnxGraph } from './onnx.ts';
import type { Attributes } from './onnx.ts';
import type { Weight } from './weights.ts';

/** The number of a byte is `scale × (byte − zero)`. A map without negative numbers has 0 as `zero`. */
export interface ByteRange {
  scale: number;
  zero: number;
}

export type ByteMap = FeatureMap & ByteRange;

/** The greatest weight: 2 products × 255 × 64 = 32,640, of 32,767 that fit. */
export const GREATEST_WEIGHT = 64;

export class ByteNet implements Layers<ByteMap> {
  readonly #graph: OnnxGraph;
  readonly #ranges: readonly ByteRange[];
  #results = 0;

  /** @param ranges of the results of all convolutions and sums, after their relu, in the order in which they are built */
  constructor(name: string, ranges: readonly ByteRange[]) {
    this.#graph = new OnnxGraph(name);
    this.#ranges = ranges;
  }

  image(size: number): ByteMap {
    this.#graph.input('image', 'uint8', ['N', size, size, 3]);
    return { value: 'image', channels: 3, height: size, width: size, scale: 1, zero: 0 };
  }

  convolution(map: ByteMap, layer: ConvolutionLayer): ByteMap {
    const [height, width, inputs, outputs] = layer.filters.shape as [number, number, number, number];
    const rows = extent(map.height, height, layer.stride, layer.padding);
    const columns = extent(map.width, width, layer.stride, layer.padding);
    const range = this.#nextRange();
    const { bytes, scales } = weightBytes(channelMajor(layer.filters), outputs);
    const bias = Int32Array.from(layer.bias, (b, o) => Math.round(b / (map.scale * scales[o]!)));
    const value = this.#graph.node(
      `${CONTRIBUTED}QLinearConv`,
      [
        map.value,
        ...this.#range(map),
        this.#graph.constant(bytes, [outputs, inputs, height, width]),
        this.#graph.constant(scales, [outputs]),
        this.#graph.constant(new Int8Array(outputs), [outputs]),
        ...this.#range(range),
        this.#graph.constant(bias, [outputs]),
      ],
      {
        kernel_shape: [height, width],
        strides: [layer.stride, layer.stride],
        pads: [rows.before, columns.before, rows.after, columns.after],
        channels_last: 1,
      },
    );
    return { value, channels: outputs, height: rows.size, width: columns.size, ...range };
  }

  /** Nothing to compute: a range that begins with 0 has cut negative numbers off. */
  relu(map: ByteMap): ByteMap {
    if (map.zero !== 0) throw new Error('the range of a map before a relu has negative numbers');
    return map;
  }

  add(a: ByteMap, b: ByteMap): ByteMap {
    const range = this.#nextRange();
    const inputs = [a.value, ...this.#range(a), b.value, ...this.#range(b), ...this.#range(range)];
    return { ...a, ...range, value: this.#graph.node(`${CONTRIBUTED}QLinearAdd`, inputs) };
  }

  pool(
    kind: 'MaxPool' | 'AveragePool',
    map: ByteMap,
    kernel: number,
    stride: number,
    padding: Padding,
  ): ByteMap {
    const rows = extent(map.height, kernel, stride, padding);
    const columns = extent(map.width, kernel, stride, padding);
    const attributes = {
      kernel_shape: [kernel, kernel],
      strides: [stride, stride],
      pads: [rows.before, columns.before, rows.after, columns.after],
    };
    const value =
      kind === 'MaxPool'
        ? this.#graph.node(`${CONTRIBUTED}NhwcMaxPool`, [map.value], attributes)
        : this.#averages(map, attributes);
    return { ...map, value, height: rows.size, width: columns.size };
  }

  #averages(map: ByteMap, attributes: Attributes): string {
    const range = this.#range(map);
    return this.#graph.node(`${CONTRIBUTED}QLinearAveragePool`, [map.value, ...range, ...range], {
      ...attributes,
      channels_last: 1,
    });
  }

  growChannels(map: ByteMap, channels: number): ByteMap {
    return { ...this.#grow(map, [0, 0, channels - map.channels]), channels };
  }

  growSize(map: ByteMap, height: number, width: number): ByteMap {
    if (map.height === height && map.width === width) return map;
    return { ...this.#grow(map, [height - map.height, width - map.width, 0]), height, width };
  }

  /** Means and matrix in floats: they are 1/1000 of the work, and everything behind them counts in full. */
  meanOutput(name: string, map: ByteMap, matrix: Weight): void {
    const numbers = this.#graph.node('DequantizeLinear', [map.value, ...this.#range(map)]);
    const means = this.#graph.node('ReduceMean', [numbers], { axes: [1, 2], keepdims: 0 });
    this.#graph.node('MatMul', [means, this.#graph.constant(matrix.values, matrix.shape)], {}, name);
    this.#graph.output(name, 'float32', ['N', matrix.shape[1]!]);
  }

  /** @throws Error when there are more ranges than results. */
  encode(): Uint8Array {
    if (this.#results < this.#ranges.length)
      throw new Error('there are more ranges than convolutions and sums');
    return this.#graph.encode();
  }

  /** Appends zeros: rows, columns, channels. */
  #grow(map: ByteMap, by: readonly [number, number, number]): ByteMap {
    const pads = this.#graph.constant(BigInt64Array.from([0, 0, 0, 0, 0, ...by], BigInt), [8]);
    const zero = this.#graph.constant(Uint8Array.of(map.zero), []);
    return { ...map, value: this.#graph.node('Pad', [map.value, pads, zero]) };
  }

  #range({ scale, zero }: ByteRange): [string, string] {
    return [this.#graph.constant(Float32Array.of(scale), []), this.#graph.constant(Uint8Array.of(zero), [])];
  }

  #nextRange(): ByteRange {
    const range = this.#ranges[this.#results++];
    if (!range) throw new Error('there are more convolutions and sums than ranges');
    return range;
  }
}

/** Filters of a layer as seven bits with a sign, and for each output the number that 1 stands for. */
export function weightBytes(
  filters: Float32Array,
  outputs: number,
): { bytes: Int8Array; scales: Float32Array } {
  const length = filters.length / outputs;
  const scales = Float32Array.from({ length: outputs }, (_, o) => {
    const largest = filters
      .subarray(o * length, (o + 1) * length)
      .reduce((most, w) => Math.max(most, Math.abs(w)), 0);
    return largest === 0 ? 1 : largest / GREATEST_WEIGHT;
  });
  const bytes = Int8Array.from(filters, (w, i) => Math.round(w / scales[Math.floor(i / length)]!));
  return { bytes, scales };
}
