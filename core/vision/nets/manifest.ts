/** `models/manifest.json`: which files the nets are, what goes in, what comes out, and where they come from. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import type { ModelFile } from '../../domain/ports/diagnostics.ts';

const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** A tensor: sizes outermost first, `N` is the number of images in a run. */
const tensor = z.object({
  name: z.string(),
  type: z.enum(['uint8', 'float32']),
  shape: z.array(z.union([z.number().int(), z.literal('N')])),
  /** Order, range and unit of the numbers. */
  meaning: z.string(),
});

const net = z.object({
  file: z.string(),
  /** Of the ONNX file; a file with another hash is not loaded. */
  sha256: hash,
  source: z.object({
    package: z.string(),
    version: z.string(),
    /** The files in the package that it is converted from. */
    files: z.array(z.object({ path: z.string(), sha256: hash })),
    /** Files of `models/vendor` that hold what was taken from those of the package; absent: the package is installed. */
    vendored: z.array(z.object({ path: z.string(), sha256: hash })).optional(),
    licence: z.string(),
    /** The original maker of the net and its training data: the known facts and the inferred ones. */
    origin: z.string(),
  }),
  input: tensor,
  outputs: z.array(tensor),
});

/** The nets that the product knows. */
export const NET_NAMES = ['blazeface', 'facemesh', 'recognition', 'mobilefacenet'] as const;
export type NetName = (typeof NET_NAMES)[number];

const manifestSchema = z.object({ nets: z.record(z.enum(NET_NAMES), net) });
export type ModelManifest = z.infer<typeof manifestSchema>;

/** @throws Error when the folder holds no manifest, or one of another shape. */
export async function readManifest(modelsFolder: string): Promise<ModelManifest> {
  const text = await readFile(join(modelsFolder, 'manifest.json'), 'utf8');
  return manifestSchema.parse(JSON.parse(text));
}

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
