/** Turns every photo of a set into numbers once, and keeps them in a temporary folder for the next run. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Box } from '../../core/contracts/faces.ts';
import type { PhotoSet } from './photos.ts';

/** A face that a pipeline found in a photo, as that pipeline describes it. */
export interface FoundDescription {
  box: Box;
  vector: Float32Array;
}

export interface Pipeline {
  /** Changes whenever the numbers may change: it names the kept file. */
  id: string;
  /** Length of a description. */
  length: number;
  /** The faces of a photo, and the size of the photo. */
  describe(path: string): Promise<{ width: number; height: number; faces: FoundDescription[] }>;
}

/** One description per photo, in the order of the set; undefined where no face was found. */
export type Descriptions = (Float32Array | undefined)[];

/**
 * Describes the person each photo is labelled with: the face nearest to the middle of the photo, which is where the
 * sets have it. A photo without a face stays undefined and counts as an error in every comparison.
 */
export async function describeSet(
  set: PhotoSet,
  load: () => Promise<Pipeline>,
  { id, length }: { id: string; length: number },
): Promise<Descriptions> {
  const folder = join(tmpdir(), 'vouch-bench');
  const photoNames = createHash('sha256').update(set.photos.map(({ name }) => name).join('\n'));
  const file = join(
    folder,
    `${set.name}-${id.replace(/[^\w.+-]/g, '_')}-${photoNames.digest('hex').slice(0, 12)}.f32`,
  );
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    const numbers = await describeAll(set, await load());
    writeFileSync(`${file}.tmp`, numbers);
    renameSync(`${file}.tmp`, file);
  }
  const numbers = new Float32Array(Uint8Array.from(readFileSync(file)).buffer);
  return set.photos.map((_, i) => {
    const vector = numbers.subarray(i * length, (i + 1) * length);
    return Number.isNaN(vector[0]) ? undefined : vector;
  });
}

async function describeAll(set: PhotoSet, pipeline: Pipeline): Promise<Float32Array> {
  const numbers = new Float32Array(set.photos.length * pipeline.length).fill(Number.NaN);
  for (const [i, photo] of set.photos.entries()) {
    const { width, height, faces } = await pipeline.describe(photo.path);
    const offCentre = ({ box }: FoundDescription) =>
      Math.hypot(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2);
    const [central] = faces.toSorted((a, b) => offCentre(a) - offCentre(b));
    if (central) numbers.set(central.vector, i * pipeline.length);
    if ((i + 1) % 100 === 0) console.log(`${set.name}, ${pipeline.id}: ${i + 1} of ${set.photos.length}`);
  }
  return numbers;
}
