/**
 * Writes an ONNX model: nodes, constants, inputs and outputs, nothing else of the format.
 * Field numbers: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
 */
import { Message } from './protobuf.ts';

/** onnx.proto3 `TensorProto.DataType`, as far as used. */
const DATA_TYPE = { float32: 1, uint8: 2, int8: 3, int32: 6, int64: 7 } as const;
/** onnx.proto3 `AttributeProto.AttributeType`, as far as used. */
const ATTRIBUTE_TYPE = { int: 2, ints: 7 } as const;

/** Operator set 17 with IR version 8: the newest that ONNX Runtime 1.12 and everything after it reads. */
const IR_VERSION = 8;
const OPERATOR_SET = 17;
/** ONNX Runtime's own operators, in front of the name of one; and the version of their set. */
export const CONTRIBUTED = 'com.microsoft.';
const CONTRIBUTED_SET = 1;

type DataType = keyof typeof DATA_TYPE;
/** A size, or the name of one that is only known when the net runs. */
type Dimension = number | string;
export type Attributes = Readonly<Record<string, number | readonly number[]>>;
type Numbers = Float32Array | Uint8Array | Int8Array | Int32Array | BigInt64Array;

/** A directed graph of ONNX operators; names of values are given by the caller or made unique here. */
export class OnnxGraph {
  readonly #nodes: Message[] = [];
  readonly #constants: Message[] = [];
  readonly #inputs: Message[] = [];
  readonly #outputs: Message[] = [];
  readonly #name: string;
  #values = 0;
  #contributed = false;

  constructor(name: string) {
    this.#name = name;
  }

  input(name: string, type: DataType, shape: readonly Dimension[]): void {
    this.#inputs.push(valueInfo(name, type, shape));
  }

  output(name: string, type: DataType, shape: readonly Dimension[]): void {
    this.#outputs.push(valueInfo(name, type, shape));
  }

  /** Adds a constant and returns its name. */
  constant(values: Numbers, shape: readonly number[]): string {
    const name = this.#unique('c');
    const tensor = new Message();
    for (const size of shape) tensor.int(1, size);
    tensor.int(2, DATA_TYPE[typeOf(values)]);
    tensor.string(8, name);
    tensor.bytes(9, new Uint8Array(values.buffer, values.byteOffset, values.byteLength));
    this.#constants.push(tensor);
    return name;
  }

  /**
   * Adds an operator and returns the name of its first output, `result` when given; `others` names further ones.
   * @param operator of ONNX, or one of ONNX Runtime's after {@link CONTRIBUTED}
   */
  node(
    operator: string,
    inputs: readonly string[],
    attributes: Attributes = {},
    result?: string,
    others: readonly string[] = [],
  ): string {
    const output = result ?? this.#unique('v');
    const node = new Message();
    for (const input of inputs) node.string(1, input);
    for (const each of [output, ...others]) node.string(2, each);
    const contributed = operator.startsWith(CONTRIBUTED);
    node.string(4, contributed ? operator.slice(CONTRIBUTED.length) : operator);
    for (const [name, value] of Object.entries(attributes)) node.message(5, attribute(name, value));
    if (contributed) node.string(7, CONTRIBUTED.slice(0, -1));
    this.#contributed ||= contributed;
    this.#nodes.push(node);
    return output;
  }

  /** The whole file. The same calls always give the same bytes. */
  encode(): Uint8Array {
    const graph = new Message();
    for (const node of this.#nodes) graph.message(1, node);
    graph.string(2, this.#name);
    for (const constant of this.#constants) graph.message(5, constant);
    for (const input of this.#inputs) graph.message(11, input);
    for (const output of this.#outputs) graph.message(12, output);
    const model = new Message()
      .int(1, IR_VERSION)
      .string(2, 'vouch')
      .message(7, graph)
      .message(8, new Message().string(1, '').int(2, OPERATOR_SET));
    if (this.#contributed)
      model.message(8, new Message().string(1, CONTRIBUTED.slice(0, -1)).int(2, CONTRIBUTED_SET));
    return model.encode();
  }

  #unique(prefix: string): string {
    this.#values += 1;
    return `${prefix}${this.#values}`;
  }
}

function typeOf(values: Numbers): DataType {
  if (values instanceof Float32Array) return 'float32';
  if (values instanceof Uint8Array) return 'uint8';
  if (values instanceof Int8Array) return 'int8';
  return values instanceof Int32Array ? 'int32' : 'int64';
}

function attribute(name: string, value: number | readonly number[]): Message {
  const message = new Message().string(1, name);
  if (typeof value === 'number') return message.int(3, value).int(20, ATTRIBUTE_TYPE.int);
  for (const item of value) message.int(8, item);
  return message.int(20, ATTRIBUTE_TYPE.ints);
}

function valueInfo(name: string, type: DataType, shape: readonly Dimension[]): Message {
  const dimensions = new Message();
  for (const size of shape) {
    const dimension = new Message();
    if (typeof size === 'number') dimension.int(1, size);
    else dimension.string(2, size);
    dimensions.message(1, dimension);
  }
  const tensorType = new Message().int(1, DATA_TYPE[type]).message(2, dimensions);
  return new Message().string(1, name).message(2, new Message().message(1, tensorType));
}
