/**
 * TensorFlow.js on its WebAssembly backend, as the packages run it: the numerical reference of the tests and the peer
 * of the measurements. A development dependency; nothing that ships imports this folder.
 */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';

type Core = typeof import('@tensorflow/tfjs-core');
type Converter = typeof import('@tensorflow/tfjs-converter');
type Wasm = typeof import('@tensorflow/tfjs-backend-wasm');

// The CommonJS builds, because face-api's build for Node loads them too: there must be one TensorFlow.js only.
const require = createRequire(import.meta.url);

export const tf = require('@tensorflow/tfjs-core') as Core;
const converter = require('@tensorflow/tfjs-converter') as Converter;

/** Folder of an installed package's file. */
export function packagePath(name: string, ...path: string[]): string {
  return join(dirname(require.resolve(name)), ...path);
}

/** Makes the WebAssembly backend the current one. One thread, as our own nets have. */
export async function startWasm(): Promise<void> {
  const wasm = require('@tensorflow/tfjs-backend-wasm') as Wasm;
  wasm.setWasmPaths(`${packagePath('@tensorflow/tfjs-backend-wasm')}/`);
  wasm.setThreadsCount(1);
  if (!(await tf.setBackend('wasm'))) throw new Error('the WebAssembly backend did not start');
}

/** A net of @vladmandic/human: takes batch × height × width × 3 numbers, gives the named outputs. */
export type ReferenceNet = (
  input: Float32Array,
  size: number,
  outputs: readonly string[],
) => Promise<Float32Array[]>;

/** Loads a graph model from @vladmandic/human, by its file name without ending. */
export async function loadHumanNet(name: string): Promise<ReferenceNet> {
  const folder = packagePath('@vladmandic/human', '..', 'models');
  const weights = await readFile(join(folder, `${name}.bin`));
  const file = JSON.parse(await readFile(join(folder, `${name}.json`), 'utf8')) as {
    modelTopology: object;
    weightsManifest: [{ weights: never[] }];
  };
  const model = await converter.loadGraphModel({
    load: () =>
      Promise.resolve({
        modelTopology: file.modelTopology,
        weightSpecs: file.weightsManifest[0].weights,
        weightData: new Uint8Array(weights).buffer,
      }),
  });
  return async (input, size, outputs) => {
    const image = tf.tensor(input, [input.length / (size * size * 3), size, size, 3]);
    const results = model.execute(image, [...outputs]);
    const data = await Promise.all((Array.isArray(results) ? results : [results]).map((t) => t.data()));
    tf.dispose([image, results]);
    return data.map((numbers) => Float32Array.from(numbers));
  };
}
