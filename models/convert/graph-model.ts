/** Reads a TensorFlow.js graph model: the operators of a frozen TensorFlow graph as JSON, the constants beside it. */
import { decodeWeights } from './weights.ts';
import type { Weight, WeightEntry } from './weights.ts';

/** An operator: what it does, the names of its inputs, and its settings. */
export interface GraphNode {
  name: string;
  operator: string;
  inputs: readonly string[];
  stride: number;
  /** Side of a pooling window. */
  window: number;
  padding: 'same' | 'valid';
  /** The operations that a fused operator appends, in order: BiasAdd, Relu, Prelu. */
  fused: readonly string[];
}

export interface GraphModel {
  nodes: ReadonlyMap<string, GraphNode>;
  constants: ReadonlyMap<string, Weight>;
  /** How many operators read this value. */
  readers: ReadonlyMap<string, number>;
}

/** The JSON as far as it is read. Strings inside attributes are base64, integers are decimal strings. */
interface GraphModelFile {
  modelTopology: {
    node: {
      name: string;
      op: string;
      input?: string[];
      attr?: Record<string, { s?: string; list?: { i?: string[]; s?: string[] } } | undefined>;
    }[];
  };
  weightsManifest: [{ weights: WeightEntry[] }];
}

/** @throws Error when a layer has a stride or a dilation that is not the same in both directions, or not NHWC. */
export function readGraphModel(topology: string, weights: Uint8Array): GraphModel {
  const file = JSON.parse(topology) as GraphModelFile;
  const nodes = new Map<string, GraphNode>();
  const readers = new Map<string, number>();
  for (const { name, op, input = [], attr = {} } of file.modelTopology.node) {
    if (op === 'Const') continue;
    const text = (key: string): string => decode(attr[key]?.s ?? '');
    const square = (key: string): number => {
      const [batch = '1', rows = '1', columns = '1', channels = '1'] = attr[key]?.list?.i ?? [];
      if (rows !== columns || batch !== '1' || channels !== '1')
        throw new Error(`${name} has an uneven ${key}`);
      return Number(rows);
    };
    if (square('dilations') !== 1) throw new Error(`${name} is dilated`);
    if (!['', 'NHWC'].includes(text('data_format'))) throw new Error(`${name} is not NHWC`);
    nodes.set(name, {
      name,
      operator: op,
      inputs: input,
      stride: square('strides'),
      window: square('ksize'),
      padding: text('padding') === 'SAME' ? 'same' : 'valid',
      fused: (attr.fused_ops?.list?.s ?? []).map(decode),
    });
    for (const value of input) readers.set(value, (readers.get(value) ?? 0) + 1);
  }
  return { nodes, constants: decodeWeights(file.weightsManifest[0].weights, weights), readers };
}

function decode(base64: string): string {
  return Buffer.from(base64, 'base64').toString('utf8');
}
