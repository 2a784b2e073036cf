/** Reads the weight files of TensorFlow.js: a list of named tensors in one binary, some of them quantised. */

/** One entry of a TensorFlow.js weights manifest. */
export interface WeightEntry {
  name: string;
  shape: number[];
  dtype: string;
  quantization?: { dtype: string; scale?: number; min?: number };
}

/** A constant of a net; integers (shapes, paddings) are held as numbers too. */
export interface Weight {
  shape: readonly number[];
  values: Float32Array;
}

/**
 * Decodes all tensors of a weights file by name.
 * Formats: 32-bit floats and integers; 16-bit floats; bytes meaning `min + scale × byte`, rounded to a 32-bit
 * float as TensorFlow.js does it.
 * @throws Error when an entry has another format, or the file has another length than the entries say.
 */
export function decodeWeights(entries: readonly WeightEntry[], file: Uint8Array): Map<string, Weight> {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const weights = new Map<string, Weight>();
  let offset = 0;
  for (const entry of entries) {
    const { bytes, read } = decoderOf(entry);
    const count = entry.shape.reduce((product, size) => product * size, 1);
    if (offset + count * bytes > file.length)
      throw new Error(`the weights file ends before ${entry.name}: is it damaged?`);
    const values = new Float32Array(count);
    for (let i = 0; i < count; i++) values[i] = read(view, offset + i * bytes);
    weights.set(entry.name, { shape: entry.shape, values });
    offset += count * bytes;
  }
  if (offset !== file.length) throw new Error(`the weights file has ${file.length} bytes, not ${offset}`);
  return weights;
}

interface Decoder {
  bytes: number;
  read: (view: DataView, offset: number) => number;
}

function decoderOf(entry: WeightEntry): Decoder {
  const { quantization } = entry;
  const format = quantization?.dtype ?? entry.dtype;
  switch (format) {
    case 'float32':
      return { bytes: 4, read: (view, offset) => view.getFloat32(offset, true) };
    case 'int32':
      return { bytes: 4, read: (view, offset) => view.getInt32(offset, true) };
    case 'float16':
      return { bytes: 2, read: (view, offset) => view.getFloat16(offset, true) };
    case 'uint8': {
      const { scale = 1, min = 0 } = quantization ?? {};
      return { bytes: 1, read: (view, offset) => view.getUint8(offset) * scale + min };
    }
    default:
      throw new Error(`weight ${entry.name} has the unknown format ${format}`);
  }
}
