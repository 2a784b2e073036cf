/** Our own path, from the bytes of a file to what the nets say of each face, in this process. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { ExtractedFace, ImageFacts } from '../../core/contracts/faces.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { PIPELINES } from '../../core/vision/builtInPipelines.ts';
import { loadParts, type TemplateExtractor } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/pool/engine.ts';
import type { DescriptorParts } from '../../core/vision/fusion.ts';
import { MOBILE_LENGTH, RECOGNITION_LENGTH } from '../../core/vision/nets/descriptors.ts';
import type { Pipeline } from './describing.ts';
import { FACERES_LENGTH, loadFaceres } from './faceres.ts';

const ROOT = join(import.meta.dirname, '..', '..');
export const MODELS = join(ROOT, 'models');
const VISION = join(ROOT, 'core', 'vision');

/**
 * The inputs of a descriptor: the code from bytes to nets, and the nets. A pipeline keeps its id where pixels move
 * by rounding alone; a kept description must not outlive even that.
 */
function madeBy(): string {
  const sources = new Set<string>();
  for (const entry of ['pool/engine.ts', 'descriptor.ts']) addWithImports(join(VISION, entry), sources);
  const programs = readdirSync(VISION, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.wasm'))
    .map((name) => join(VISION, name));
  const digest = createHash('sha256');
  for (const file of [...[...sources, ...programs].sort(), join(MODELS, 'manifest.json')])
    digest.update(readFileSync(file));
  return digest.digest('hex').slice(0, 12);
}

/** A source and all that it runs; types and tables of constants run nothing. */
function addWithImports(file: string, sources: Set<string>): void {
  if (sources.has(file)) return;
  sources.add(file);
  for (const [, imported] of readFileSync(file, 'utf8').matchAll(
    /^import (?!type )[^;]*? from '(\.[^']+\.ts)';/gm,
  ))
    addWithImports(join(dirname(file), imported!), sources);
}

/** Both descriptors before the fusion, from which every template follows, and HSE-FaceRes for the groups. */
export const PARTS = {
  id: `${PIPELINES.full}.parts-${madeBy()}`,
  length: RECOGNITION_LENGTH + MOBILE_LENGTH + FACERES_LENGTH,
};

export async function loadOurs(): Promise<Pipeline> {
  const extractParts = await loadParts(MODELS);
  const faceres = await loadFaceres();
  return loadExtracting(PARTS, async (view, face) => {
    const { recognition, mobile } = await extractParts(view, face);
    return Float32Array.of(...recognition, ...mobile, ...(await faceres(view, face)));
  });
}

/** Finds faces as enrolment does, and extracts templates by a function of the measurement. */
export async function loadExtracting(
  pipeline: { id: string; length: number },
  extract: TemplateExtractor['extract'],
): Promise<Pipeline> {
  const engine = await createEngine(MODELS, { pipelineId: pipeline.id as PipelineId, extract });
  return {
    ...pipeline,
    describe: async (path) => {
      const bytes = await readFile(path);
      const enrolment = await engine.enrol(bytes, {});
      if (enrolment.kind === 'face') return found(enrolment.image, [enrolment.face]);
      // Enrolment refuses several faces; here the one in the middle is meant.
      const search = enrolment.code === 'MULTIPLE_FACES' ? await engine.search(bytes) : enrolment;
      return search.kind === 'faces' ? found(search.image, search.faces) : { width: 0, height: 0, faces: [] };
    },
  };
}

function found({ width, height }: ImageFacts, faces: readonly ExtractedFace[]) {
  return { width, height, faces: faces.map(({ box, template }) => ({ box, vector: template.vector })) };
}

/** The outputs of the nets for a face: {@link PARTS}, one after the other. */
export function partsOf(vector: Float32Array): DescriptorParts & { faceres: Float32Array } {
  return {
    recognition: vector.subarray(0, RECOGNITION_LENGTH),
    mobile: vector.subarray(RECOGNITION_LENGTH, RECOGNITION_LENGTH + MOBILE_LENGTH),
    faceres: vector.subarray(RECOGNITION_LENGTH + MOBILE_LENGTH),
  };
}
