/** Our own path, from the bytes of a file to what the nets say of each face, in this process. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DescribedFace, ImageFacts } from '../../core/contracts/faces.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { loadParts, PIPELINES } from '../../core/vision/descriptor.ts';
import { createEngine } from '../../core/vision/engine.ts';
import type { DescriptorParts } from '../../core/vision/fusion.ts';
import { FACERES_LENGTH, RECOGNITION_LENGTH } from '../../core/vision/nets/descriptors.ts';
import type { Pipeline } from './describing.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const MODELS = join(ROOT, 'models');
const VISION = join(ROOT, 'core', 'vision');

/**
 * What the descriptions follow from: the code from bytes to nets, and the nets. A pipeline keeps its id where pixels move
 * by rounding alone; a kept description must not outlive even that.
 */
function madeBy(): string {
  const sources = readdirSync(VISION, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.(ts|wasm)$/.test(name) && !name.endsWith('.test.ts'))
    .sort()
    .map((name) => join(VISION, name));
  const digest = createHash('sha256');
  for (const file of [...sources, join(MODELS, 'manifest.json')]) digest.update(readFileSync(file));
  return digest.digest('hex').slice(0, 12);
}

/** Both descriptors before the fusion, behind one another: every pipeline's template follows from them. */
export const PARTS = {
  id: `${PIPELINES.full}.parts-${madeBy()}`,
  length: RECOGNITION_LENGTH + FACERES_LENGTH,
};

export async function loadOurs(): Promise<Pipeline> {
  const describeParts = await loadParts(MODELS);
  const engine = await createEngine(MODELS, {
    pipelineId: PARTS.id as PipelineId,
    describe: async (view, face) => {
      const { recognition, faceres } = await describeParts(view, face);
      return Float32Array.of(...recognition, ...faceres);
    },
  });
  return {
    ...PARTS,
    describe: async (path) => {
      const bytes = await readFile(path);
      const enrolment = await engine.enrol(bytes, undefined);
      if (enrolment.kind === 'face') return found(enrolment.image, [enrolment.face]);
      // Enrolment refuses several faces; here the one in the middle is meant.
      const search = enrolment.code === 'MULTIPLE_FACES' ? await engine.search(bytes) : enrolment;
      return search.kind === 'faces' ? found(search.image, search.faces) : { width: 0, height: 0, faces: [] };
    },
  };
}

function found({ width, height }: ImageFacts, faces: readonly DescribedFace[]) {
  return { width, height, faces: faces.map(({ box, template }) => ({ box, vector: template.vector })) };
}

export function partsOf(vector: Float32Array): DescriptorParts {
  return {
    recognition: vector.subarray(0, RECOGNITION_LENGTH),
    faceres: vector.subarray(RECOGNITION_LENGTH),
  };
}
