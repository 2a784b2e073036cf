/**
 * Rewrites a TensorFlow.js graph model, layer by layer, as an ONNX net over channel-major feature maps. Scales and
 * offsets that follow a convolution are folded into it; operators that no wanted output needs are left out.
 */
import type { GraphModel, GraphNode } from './graph-model.ts';
import { NetBuilder } from './net-builder.ts';
import type { ConvolutionLayer, FeatureMap } from './net-builder.ts';

/** How the bytes of the image (0–255, RGB) become what the net was trained on: `scale × (value − offset[channel])`. */
export interface ImageInput {
  size: number;
  offset: readonly [number, number, number];
  scale: number;
  /** The net wants blue, green, red; `offset` is in the order of the image, red first. */
  bgr?: boolean;
}

/** Channels that ONNX Runtime keeps together on a processor with AVX-512; half as many on others. */
const BLOCK = 16;

/** Weighed sums of a map of which fewer numbers are kept for each cell. */
interface Windows {
  /** For each channel of the map its part in each of the numbers that are kept. */
  axes: Rows;
  windows: readonly WindowWeights[];
}

type Rows = readonly (readonly number[])[];

/** Weights for the means of the numbers that are kept over windows of so many cells, odd. */
export interface WindowWeights {
  cells: number;
  /** Nine windows in three rows, so many cells apart; 0: one window. */
  apart: number;
  /** For each number of each window one weight for each result. */
  weights: Rows;
}

/**
 * Which operator's result becomes an output: its feature map as rows of so many columns, weighed sums of its means over
 * windows around each cell, or its mean per channel.
 */
export type NetOutput = { name: string; node: string } & (
  | { columns: number }
  | { sums: Windows }
  | { mean: true }
);

/** @throws Error at an operator, or a use of one, that this converter does not know. */
export function convertGraph(
  title: string,
  model: GraphModel,
  input: ImageInput,
  outputs: readonly NetOutput[],
): Uint8Array {
  const net = new NetBuilder(title);
  const conversion = new Conversion(net, model, input);
  for (const output of outputs) {
    const map = conversion.map(output.node);
    if ('mean' in output) net.meanOutput(output.name, map);
    else if ('sums' in output) net.listOutput(output.name, ...windowSums(net, map, output.sums));
    else net.listOutput(output.name, map, output.columns);
  }
  return net.encode();
}

/** Cells beyond the edges count as zero. @returns the sums, and how many there are for each cell */
function windowSums(net: NetBuilder, map: FeatureMap, { axes, windows }: Windows): [FeatureMap, number] {
  const [kept, count] = [axes[0]!.length, windows[0]!.weights[0]!.length];
  const reduced = net.convolution(map, layerOf([1, 1, map.channels, kept], axes.flat()));
  const sums = windows.map(({ cells, apart, weights }) => {
    const share = new Array<number>(cells * cells * kept).fill(1 / cells ** 2);
    const means =
      cells === 1
        ? reduced
        : net.convolution(reduced, { ...layerOf([cells, cells, kept, 1], share), depthwise: true });
    const side = apart === 0 ? 1 : 3;
    return net.convolution(means, {
      ...layerOf([side, side, kept, count], weights.flat()),
      dilation: Math.max(1, apart),
    });
  });
  return [sums.reduce((sum, each) => net.add(sum, each)), count];
}

function layerOf(shape: [number, number, number, number], numbers: readonly number[]): ConvolutionLayer {
  const bias = new Float32Array(shape[3] === 1 ? shape[2] : shape[3]);
  const filters = { shape, values: Float32Array.from(numbers) };
  return { filters, bias, stride: 1, padding: 'same', depthwise: false };
}

class Conversion {
  readonly #net: NetBuilder;
  readonly #model: GraphModel;
  readonly #input: ImageInput;
  readonly #maps = new Map<string, FeatureMap>();

  constructor(net: NetBuilder, model: GraphModel, input: ImageInput) {
    this.#net = net;
    this.#model = model;
    this.#input = input;
  }

  /** The feature map that an operator of the source gives, built once. */
  map(name: string): FeatureMap {
    const known = this.#maps.get(name);
    if (known) return known;
    const made = this.#build(this.#node(name));
    this.#maps.set(name, made);
    return made;
  }

  #build(node: GraphNode): FeatureMap {
    const [first = '', second = ''] = node.inputs;
    switch (node.operator) {
      case 'Placeholder':
        return this.#image();
      case '_FusedConv2D':
      case 'Conv2D':
      case 'DepthwiseConv2dNative':
        return this.#convolution(node, this.#layer(node));
      case 'Mul':
      case 'Add':
      case 'AddV2': {
        const layer = this.#foldable(node);
        if (layer) return this.#convolution(this.#source(node), layer);
        return this.#net.add(this.map(first), this.map(second));
      }
      case 'Relu':
        return this.#net.relu(this.map(first));
      case 'Maximum':
        return this.#clip(node);
      case 'Prelu':
        return this.#net.prelu(this.map(first), this.#constant(second));
      case 'Sigmoid':
        return this.#net.sigmoid(this.map(first));
      case 'MaxPool':
        return this.#pool(node);
      case 'Pad':
        return this.#growChannels(node);
      default:
        throw new Error(`no conversion of the operator ${node.operator} (${node.name})`);
    }
  }

  #image(): FeatureMap {
    const { size, offset } = this.#input;
    const image = this.#net.image(size);
    return offset.some((value) => value !== 0) ? this.#net.centre(image, offset) : image;
  }

  #convolution(node: GraphNode, layer: ConvolutionLayer): FeatureMap {
    const map = this.#net.convolution(this.map(node.inputs[0]!), layer);
    const [, , , slope] = node.inputs;
    if (node.fused.includes('Relu')) return this.#net.relu(map);
    if (node.fused.includes('Prelu')) return this.#net.prelu(map, this.#constant(slope ?? ''));
    return map;
  }

  #layer(node: GraphNode): ConvolutionLayer {
    const [image = '', filterName = '', biasName = ''] = node.inputs;
    const filters = this.#model.constants.get(filterName);
    if (!filters) throw new Error(`${node.name} has filters that are not constant`);
    const depthwise = node.operator === 'DepthwiseConv2dNative';
    return {
      filters: this.#node(image).operator === 'Placeholder' ? this.#onImage(filters) : filters,
      bias: node.fused.includes('BiasAdd')
        ? this.#constant(biasName)
        : new Float32Array(filters.shape[depthwise ? 2 : 3]!),
      stride: node.stride,
      padding: node.padding,
      depthwise,
    };
  }

  /** Filters of a layer that reads the image, with what is still to be done to its bytes worked in. */
  #onImage(filters: ConvolutionLayer['filters']): ConvolutionLayer['filters'] {
    const { scale, bgr } = this.#input;
    const { shape, values } = bgr ? swapRedAndBlue(filters) : filters;
    return { shape, values: values.map((w) => w * scale) };
  }

  /**
   * The convolution that this Mul or Add by a constant can be part of, with the constant worked in; undefined where
   * the other operand is not constant, or the convolution's own result is needed elsewhere.
   */
  #foldable(node: GraphNode): ConvolutionLayer | undefined {
    const [before = '', constantName = ''] = node.inputs;
    const constant = this.#model.constants.get(constantName)?.values;
    const source = this.#model.nodes.get(before);
    if (!constant || !source || this.#model.readers.get(before) !== 1 || source.fused.length > 0)
      return undefined;
    const layer = /Conv2[dD]/.test(source.operator) ? this.#layer(source) : this.#foldable(source);
    if (!layer) return undefined;
    const channels = layer.bias.length;
    if (node.operator !== 'Mul') return { ...layer, bias: layer.bias.map((b, c) => b + constant[c]!) };
    const { shape, values } = layer.filters;
    return {
      ...layer,
      filters: { shape, values: values.map((w, i) => w * constant[i % channels]!) },
      bias: layer.bias.map((b, c) => b * constant[c]!),
    };
  }

  /** The convolution under a chain of folded Muls and Adds. */
  #source(node: GraphNode): GraphNode {
    const before = this.#node(node.inputs[0]!);
    return /Conv2[dD]/.test(before.operator) ? before : this.#source(before);
  }

  /**
   * ONNX Runtime pools 24 channels outside its blocked layout, and what is added to the result stays outside; a
   * convolution with the identity brings it back. Where the channels grow, that is done already.
   */
  #pool(node: GraphNode): FeatureMap {
    const map = this.map(node.inputs[0]!);
    const pooled = this.#net.pool('MaxPool', map, node.window, node.stride, node.padding);
    const grows = [...this.#model.nodes.values()].some(
      ({ operator, inputs }) => operator === 'Pad' && inputs[0] === node.name,
    );
    return map.channels % BLOCK === 0 || grows ? pooled : this.#net.growChannels(pooled, map.channels);
  }

  /** Relu, Minimum, Maximum in a row, as TensorFlow writes a clipped Relu: one Clip. */
  #clip(node: GraphNode): FeatureMap {
    const [minimumName = '', lowName = ''] = node.inputs;
    const minimum = this.#node(minimumName);
    const relu = this.#node(minimum.inputs[0] ?? '');
    const low = this.#constant(lowName)[0]!;
    if (minimum.operator !== 'Minimum' || relu.operator !== 'Relu' || low !== 0)
      throw new Error(`${node.name} is no clipped Relu`);
    return this.#net.clip(this.map(relu.inputs[0]!), low, this.#constant(minimum.inputs[1]!)[0]!);
  }

  /** A Pad that adds channels of zeros behind those that are there; no other Pad is known here. */
  #growChannels(node: GraphNode): FeatureMap {
    const map = this.map(node.inputs[0]!);
    const paddings = [...this.#constant(node.inputs[1]!)];
    const added = paddings.pop() ?? 0;
    if (paddings.some((zeros) => zeros !== 0)) throw new Error(`${node.name} pads more than channels`);
    return this.#net.growChannels(map, map.channels + added);
  }

  #node(name: string): GraphNode {
    const node = this.#model.nodes.get(name);
    if (!node) throw new Error(`the graph has no operator ${name}`);
    return node;
  }

  #constant(name: string): Float32Array {
    const constant = this.#model.constants.get(name);
    if (!constant) throw new Error(`the graph has no constant ${name}`);
    return constant.values;
  }
}

/** Filters that read blue, green, red, made to read red, green, blue. */
function swapRedAndBlue(filters: ConvolutionLayer['filters']): ConvolutionLayer['filters'] {
  const [, , inputs, outputs] = filters.shape as [number, number, number, number];
  const values = filters.values.map((_, i, all) => {
    const input = Math.floor(i / outputs) % inputs;
    return all[i + (inputs - 1 - 2 * input) * outputs]!;
  });
  return { shape: filters.shape, values };
}
