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
