/**
 * The peer of the cost measurement, in a process of its own: a plain script of face-api on tfjs-wasm with sharp, as its
 * documentation has it. Describes the files it is given and answers with CPU milliseconds per image.
 */
import sharp from 'sharp';
import { loadFaceApi } from '../../models/reference/face-api.ts';

const faceApi = await loadFaceApi();

async function describe(file: string): Promise<number> {
  const { data, info } = await sharp(file)
    .autoOrient()
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const faces = await faceApi.describeFaces({ data, width: info.width, height: info.height });
  return faces.length;
}

/** The first pass warms up and is not counted. */
async function cost(files: readonly string[]): Promise<{ cpuMs: number; faces: number }> {
  for (const file of files.slice(0, 2)) await describe(file);
  const before = process.cpuUsage();
  let faces = 0;
  for (const file of files) faces += await describe(file);
  const { user, system } = process.cpuUsage(before);
  return { cpuMs: (user + system) / 1000 / files.length, faces };
}

process.on('message', (files: string[]) => {
  void cost(files).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
