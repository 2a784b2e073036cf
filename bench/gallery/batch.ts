/** Searches of several probes at once, by how many they are, against one matrix product for all of them. */
import type { MemoryGallery } from '../../core/gallery/gallery.ts';
import { onnxBatch } from './peers.ts';
import { nearestIdsOfEach } from './subject.ts';
import { processorTimes, type Work } from './timing.ts';

const BATCHES = [1, 2, 4, 8, 16, 32, 64];

export const BATCH_HEAD = ['N', ...BATCHES.map((batch) => `${batch}`)];

/** Processor time per probe of each size of batch: milliseconds here and there, and their ratio. */
export async function byBatch(
  gallery: MemoryGallery,
  rows: Float32Array,
  dimensions: number,
  probes: Float32Array,
): Promise<{ ours: number[]; theirs: number[] }> {
  const ours: number[] = [];
  const theirs: number[] = [];
  const known = probes.length / dimensions;
  for (const batch of BATCHES) {
    // Other probes in every round: of always the same ones a processor would learn the way.
    const chosen = Array.from({ length: known }, (_, first) => {
      const all = new Float32Array(batch * dimensions);
      for (let i = 0; i < batch; i++) {
        const at = ((first + i) % known) * dimensions;
        all.set(probes.subarray(at, at + dimensions), i * dimensions);
      }
      return {
        all,
        each: Array.from({ length: batch }, (_, i) => all.subarray(i * dimensions, (i + 1) * dimensions)),
      };
    });
    const product = await onnxBatch(rows, dimensions, batch);
    const works: Record<'ours' | 'theirs', Work> = {
      ours: (round) => nearestIdsOfEach(gallery, chosen[round % known]!.each),
      theirs: (round) => product.search(chosen[round % known]!.all),
    };
    const times = await processorTimes(rows.length > 2e7 ? 5 : 15, works);
    await product.close();
    ours.push(times.ours / batch);
    theirs.push(times.theirs / batch);
  }
  return { ours, theirs };
}
