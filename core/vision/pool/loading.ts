/** Loads a pipeline with its networks; for worker processes, which alone load the runtime of the networks. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { isPipelineName } from '../builtInPipelines.ts';
import { loadTemplateExtractor, type TemplateExtractor } from '../descriptor.ts';
import { loadPackExtractor } from '../packs/templateExtractor.ts';
import { readPack } from '../packs/reading.ts';
import type { PipelineFolders } from './pipelines.ts';

/** @throws {CodedError} when there is no such pack, or something is wrong with it */
export async function loadPipeline(folders: PipelineFolders, name: string): Promise<TemplateExtractor> {
  if (isPipelineName(name)) return loadTemplateExtractor(folders.models, name);
  if (folders.packs === null) throw new CodedError(problem('PACK_UNKNOWN', { name }));
  return loadPackExtractor(await readPack(folders.packs, name));
}
