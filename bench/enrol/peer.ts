/**
 * The peer of the measurement: a plain script of face-api on tfjs-wasm with sharp, as its documentation has it, one
 * image after the other. Takes a list of files per message and answers with its cost.
 */
import sharp from 'sharp';
import { loadFaceApi } from '../../models/reference/face-api.ts';

export interface PeerAnswer {
  cpuMs: number;
  wallMs: number;
  missed: string[];
}

const faceApi = await loadFaceApi();
process.on('message', (files: string[]) => {
  void extractAll(files).then((answer) => process.send?.(answer));
});
process.send?.('ready');

async function extractAll(files: readonly string[]): Promise<PeerAnswer> {
  const cpu = process.cpuUsage();
  const start = performance.now();
  const missed: string[] = [];
  for (const file of files) {
    const { data, info } = await sharp(file).removeAlpha().raw().toBuffer({ resolveWithObject: true });
    const faces = await faceApi.describeFaces({ data, width: info.width, height: info.height });
    if (faces.length === 0) missed.push(file);
  }
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - start, missed };
}
