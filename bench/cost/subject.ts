/**
 * One of our pipelines in a process of its own, as a worker of the service runs it. Takes a list of files per message
 * and answers with their cost, as the peer does.
 */
import { readFile } from 'node:fs/promises';
import type { PipelineName } from '../../core/vision/builtInPipelines.ts';
import { loadTemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/pool/engine.ts';
import type { PeerAnswer } from '../enrol/peer.ts';
import { MODELS } from '../vision/faceFinder.ts';

const pipeline = process.argv[2] as PipelineName;
const engine = await createEngine(MODELS, await loadTemplateExtractor(MODELS, pipeline));
process.on('message', (files: string[]) => {
  void extractAll(files).then((answer) => process.send?.(answer));
});
process.on('disconnect', () => process.exit());
process.send?.('ready');

async function extractAll(files: readonly string[]): Promise<PeerAnswer> {
  const photos = await Promise.all(files.map((file) => readFile(file)));
  const missed: string[] = [];
  const cpu = process.cpuUsage();
  const start = performance.now();
  for (const [i, photo] of photos.entries())
    if ((await engine.enrol(photo, {})).kind !== 'face') missed.push(files[i]!);
  const { user, system } = process.cpuUsage(cpu);
  return { cpuMs: (user + system) / 1000, wallMs: performance.now() - start, missed };
}
