import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ModelFile } from '../../domain/ports/diagnostics.ts';
import { readManifest } from './manifest.ts';

/** Every net of the manifest, and whether its file is the one that was pinned; without loading any. */
export async function inspectModels(modelsFolder: string): Promise<ModelFile[]> {
  const { nets } = await readManifest(modelsFolder);
  return Promise.all(
    Object.entries(nets).map(async ([name, { file, sha256, source }]) => {
      const content = await readFile(join(modelsFolder, file)).catch(() => null);
      return {
        name,
        file,
        bytes: content?.length ?? null,
        sha256,
        pinned: content !== null && createHash('sha256').update(content).digest('hex') === sha256,
        licence: source.licence,
        source: `${source.package} ${source.version}`,
        origin: source.origin,
      };
    }),
  );
}
