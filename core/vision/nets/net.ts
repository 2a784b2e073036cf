/** Loads one of the installed nets and runs it. */
// First: it must be evaluated before the library is loaded.
import './noTelemetry.ts';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { InferenceSession, Tensor } from 'onnxruntime-node';
import { readManifest, type NetName } from './manifest.ts';

/** A net in memory. */
export interface Net {
  /**
   * @param images N images of the net's input size behind one another: rows of pixels, red, green, blue, 0–255. Must
   *   stay as it is until the promise settles: ONNX Runtime reads it after this call returns.
   * @returns the outputs by name, N results behind one another in each.
   * @throws RangeError when `images` is no whole number of images, or empty.
   */
  run(images: Uint8Array): Promise<Readonly<Record<string, Float32Array>>>;
}

export { InferenceSession, Tensor };

/**
 * Makes a net ready. One inference thread: more images at once come from more worker processes, which costs half the
 * CPU per image that more threads do. While a net runs, the event loop of the process stands still.
 * @param file the ONNX file; weights in files beside it are not read.
 */
export function openSession(file: Uint8Array): Promise<InferenceSession> {
  return InferenceSession.create(file, {
    executionProviders: ['cpu'],
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    graphOptimizationLevel: 'all',
  });
}

/**
 * Reads a net, checks that it is the file the manifest pins, and makes it ready.
 * @param modelsFolder the folder of `manifest.json`.
 * @throws Error when the file is missing or is not the pinned one; the message says what to run.
 */
export async function loadNet(modelsFolder: string, name: NetName): Promise<Net> {
  const entry = (await readManifest(modelsFolder)).nets[name];
  const file = await readFile(join(modelsFolder, entry.file)).catch((cause: unknown) => {
    throw new Error(`The net ${entry.file} is not installed: run "npm run models".`, { cause });
  });
  if (createHash('sha256').update(file).digest('hex') !== entry.sha256)
    throw new Error(`The net ${entry.file} is not the file that was pinned: run "npm run models".`);
  const session = await openSession(file);
  const [height, width, channels] = entry.input.shape.slice(1) as [number, number, number];
  const imageBytes = height * width * channels;

  return {
    run: async (images) => {
      const count = images.length / imageBytes;
      if (!Number.isInteger(count) || count < 1)
        throw new RangeError(`${name} takes images of ${width} × ${height} pixels in three bytes each`);
      const input = new Tensor('uint8', images, [count, height, width, channels]);
      const outputs = await session.run({ [entry.input.name]: input });
      return Object.fromEntries(
        entry.outputs.map((output) => [output.name, outputs[output.name]!.data as Float32Array]),
      );
    },
  };
}
