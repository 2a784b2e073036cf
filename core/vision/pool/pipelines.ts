/** The pipelines that can be run here: two that ship with the product, and the packs of the installation. */
import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { PipelineFacts } from '../../domain/ports/pipelines.ts';
import { isPipelineName, PIPELINES, type PipelineName } from '../builtInPipelines.ts';
import { CALIBRATIONS } from '../calibration.ts';
import { FULL_LENGTH, LIGHT_LENGTH } from '../fusion.ts';
import { readPacks } from '../packs/reading.ts';

export interface PipelineFolders {
  /** Of the nets that ship with the product. */
  models: string;
  /** Of the installation's packs; null: none are looked for. */
  packs: string | null;
}

const BUILT_IN: Record<PipelineName, { title: string; dimensions: number; licence: string }> = {
  full: { title: 'Full: both recognition networks', dimensions: FULL_LENGTH, licence: 'MIT and Apache-2.0' },
  light: { title: 'Light: one network, for weak machines', dimensions: LIGHT_LENGTH, licence: 'Apache-2.0' },
};

/** The pipelines that can be selected, the built-in ones first, and the packs that cannot be, with the reason. */
export async function listPipelines({
  packs: folder,
}: PipelineFolders): Promise<{ pipelines: PipelineFacts[]; refused: { name: string; reason: Problem }[] }> {
  const { packs, refused } = folder === null ? { packs: [], refused: [] } : await readPacks(folder);
  const names = new Set<string>(packs.map(({ name }) => name));
  return {
    pipelines: [
      ...builtInPipelines(),
      ...packs
        .filter(({ name }) => !isPipelineName(name))
        .map(({ id, name, manifest, calibration }) => ({
          id,
          name,
          title: manifest.title,
          builtIn: false,
          retired: false,
          dimensions: manifest.output.dimension,
          licence: manifest.licence,
          calibration,
        })),
    ],
    refused: [
      ...refused,
      ...Object.keys(BUILT_IN)
        .filter((name) => names.has(name))
        .map((name) => ({ name, reason: problem('PACK_NAME_BUILT_IN') })),
    ],
  };
}

function builtInPipelines(): PipelineFacts[] {
  return (Object.keys(BUILT_IN) as PipelineName[]).map((name) => ({
    id: PIPELINES[name],
    name,
    ...BUILT_IN[name],
    builtIn: true,
    retired: false,
    calibration: CALIBRATIONS[name],
    strict: CALIBRATIONS[name].strict,
  }));
}
