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

/** In the place of a description's first number: this photo was looked at and shows no face. */
const NO_FACE = Infinity;
/** After this many photos what is known is written down, so that a run that is stopped goes on where it was. */
const SAVED_EVERY = 100;

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
  mkdirSync(folder, { recursive: true });
  const photoNames = createHash('sha256').update(set.photos.map(({ name }) => name).join('\n'));
  const name = `${set.name}-${id.replace(/[^\w.+-]/g, '_')}-${photoNames.digest('hex').slice(0, 12)}.f32`;
  const numbers = await describeMissing(set, load, length, join(folder, name));
  return set.photos.map((_, i) => {
    const vector = numbers.subarray(i * length, (i + 1) * length);
    return vector[0] === NO_FACE ? undefined : vector;
  });
}

/** The kept numbers, with those of photos that were not looked at yet added; not a number stands for them. */
async function describeMissing(
  set: PhotoSet,
  load: () => Promise<Pipeline>,
  length: number,
  file: string,
): Promise<Float32Array> {
  const numbers = existsSync(file)
    ? new Float32Array(Uint8Array.from(readFileSync(file)).buffer)
    : new Float32Array(set.photos.length * length).fill(Number.NaN);
  const missing = set.photos.map((_, i) => i).filter((i) => Number.isNaN(numbers[i * length]));
  if (missing.length === 0) return numbers;
  const save = () => {
    writeFileSync(`${file}.tmp`, numbers);
    renameSync(`${file}.tmp`, file);
  };
  const pipeline = await load();
  for (const [done, i] of missing.entries()) {
    const vector = centralFace(await pipeline.describe(set.photos[i]!.path));
    if (vector) numbers.set(vector, i * length);
    else numbers[i * length] = NO_FACE;
    if ((done + 1) % SAVED_EVERY > 0) continue;
    save();
    console.log(`${set.name}, ${pipeline.id}: ${done + 1} of ${missing.length}`);
  }
  save();
  return numbers;
}

function centralFace({
  width,
  height,
  faces,
}: Awaited<ReturnType<Pipeline['describe']>>): Float32Array | undefined {
  const offCentre = ({ box }: FoundDescription) =>
    Math.hypot(box.x + (box.width - width) / 2, box.y + (box.height - height) / 2);
  return faces.toSorted((a, b) => offCentre(a) - offCentre(b))[0]?.vector;
}
