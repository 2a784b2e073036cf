/**
 * The small part of the Protocol Buffers wire format that an ONNX file needs: varints, floats, and
 * length-delimited bytes, strings and messages. Encoding only.
 * Format: https://protobuf.dev/programming-guides/encoding/
 */

const WIRE_VARINT = 0;
const WIRE_BYTES = 2;
const WIRE_FLOAT32 = 5;

/** One message under construction; fields appear in the order of the calls, so equal calls give equal bytes. */
export class Message {
  readonly #parts: Uint8Array[] = [];

  /** A signed 64-bit integer field (`int32`, `int64` and enums share this form). */
  int(field: number, value: number): this {
    this.#parts.push(varint(tag(field, WIRE_VARINT)), varint(BigInt(value)));
    return this;
  }

  float(field: number, value: number): this {
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setFloat32(0, value, true);
    this.#parts.push(varint(tag(field, WIRE_FLOAT32)), bytes);
    return this;
  }

  bytes(field: number, value: Uint8Array): this {
    this.#parts.push(varint(tag(field, WIRE_BYTES)), varint(BigInt(value.length)), value);
    return this;
  }

  string(field: number, value: string): this {
    return this.bytes(field, new TextEncoder().encode(value));
  }

  message(field: number, value: Message): this {
    return this.bytes(field, value.encode());
  }

  encode(): Uint8Array {
    return Buffer.concat(this.#parts);
  }
}

function tag(field: number, wireType: number): bigint {
  return BigInt(field * 8 + wireType);
}

/** Seven bits a byte, lowest first; negative numbers as their 64-bit two's complement. */
function varint(value: bigint): Uint8Array {
  let rest = BigInt.asUintN(64, value);
  const bytes: number[] = [];
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Uint8Array.from(bytes);
}
