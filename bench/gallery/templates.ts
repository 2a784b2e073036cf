/** Templates to search among: around real descriptors where there are some, else in clusters of any direction. */
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { createVision } from '../../core/vision/pool/vision.ts';
import { lfwPhotos } from '../data.ts';

/** Numbers that are the same in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Descriptors of the first photos of LFW that show a face. */
export async function realTemplates(photos: number): Promise<Float32Array[]> {
  const vision = await createVision({
    modelsFolder: join(import.meta.dirname, '..', '..', 'models'),
    workers: availableParallelism(),
  });
  await vision.start();
  try {
    const found = await Promise.all(
      lfwPhotos(photos).map(async ({ path }) => {
        const result = await vision.search(readFileSync(path), { priority: 'bulk' });
        return result.kind === 'faces' ? result.faces[0]?.template.vector : undefined;
      }),
    );
    return found.filter((vector) => vector !== undefined);
  } finally {
    await vision.close();
  }
}

/**
 * Rows one after the other: invented people with the mean and about the covariance of the `seeds` (two of them mixed, plus
 * a part of the difference of two others); without seeds, directions without any structure.
 */
export function spread(
  rows: number,
  dimensions: number,
  seeds: readonly Float32Array[],
  seed: number,
): Float32Array {
  const random = randomFrom(seed);
  const pick = () => seeds[Math.floor(random() * seeds.length)]!;
  const all = new Float32Array(rows * dimensions);
  const row = new Float64Array(dimensions);
  for (let at = 0; at < rows; at++) {
    if (seeds.length > 0) {
      const [a, b, c, d] = [pick(), pick(), pick(), pick()];
      const share = random();
      // The weights keep the covariance: share² + (1 − share)² + 2·w² = 1.
      const w = Math.sqrt(Math.max(0, (1 - share ** 2 - (1 - share) ** 2) / 2));
      for (let i = 0; i < dimensions; i++) row[i] = share * a[i]! + (1 - share) * b[i]! + w * (c[i]! - d[i]!);
    } else for (let i = 0; i < dimensions; i++) row[i] = random() - 0.5;
    let squares = 0;
    for (const value of row) squares += value * value;
    const length = Math.sqrt(squares);
    for (let i = 0; i < dimensions; i++) all[at * dimensions + i] = row[i]! / length;
  }
  return all;
}

/**
 * Invented people, spread normally with the mean and the covariance of the `seeds`; without seeds in random directions.
 * @returns makes so many unit vectors, one after the other, the same in every run for a seed
 */
export function normalSpread(
  seeds: readonly Float32Array[],
  dimensions: number,
): (count: number, seed: number) => Float32Array {
  const { mean, factor } = momentsOf(seeds, dimensions);
  return (count, seed) => {
    const random = randomFrom(seed);
    const normal = () => Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random());
    const all = new Float32Array(count * dimensions);
    for (let row = 0; row < count; row++) {
      const z = Float64Array.from({ length: dimensions }, normal);
      const vector = mean.map((x, a) => {
        let sum = x;
        for (let b = 0; b <= a; b++) sum += factor[a]![b]! * z[b]!;
        return sum;
      });
      const length = Math.hypot(...vector);
      all.set(
        vector.map((x) => x / length),
        row * dimensions,
      );
    }
    return all;
  };
}

/** Mean and Cholesky factor of the covariance; without templates a sphere. */
function momentsOf(
  templates: readonly Float32Array[],
  dimensions: number,
): { mean: Float64Array; factor: Float64Array[] } {
  const mean = new Float64Array(dimensions);
  for (const template of templates) for (const [k, x] of template.entries()) mean[k]! += x / templates.length;
  const factor = Array.from({ length: dimensions }, () => new Float64Array(dimensions));
  for (let a = 0; a < dimensions; a++)
    for (let b = 0; b <= a; b++) {
      let sum = templates.length === 0 && a === b ? 1 : 0;
      for (const template of templates)
        sum += ((template[a]! - mean[a]!) * (template[b]! - mean[b]!)) / templates.length;
      for (let k = 0; k < b; k++) sum -= factor[a]![k]! * factor[b]![k]!;
      factor[a]![b] = a === b ? Math.sqrt(Math.max(1e-12, sum)) : sum / factor[b]![b]!;
    }
  return { mean, factor };
}
