/** The gallery under measurement, filled with rows whose face ids are their numbers from 1. */
import type { CompanyId, FaceId, PipelineId } from '../../core/contracts/ids.ts';
import { MemoryGallery, type GalleryOptions } from '../../core/gallery/gallery.ts';
import { NEAREST } from './peers.ts';

export const PIPELINE = 'bench' as PipelineId;
export const COMPANY = 1 as CompanyId;
const DUPLICATES = { kind: 'duplicate' } as const;

export async function filled(
  rows: Float32Array,
  dimensions: number,
  options: Partial<GalleryOptions> = {},
): Promise<MemoryGallery> {
  const gallery = new MemoryGallery({ pipelineId: PIPELINE, dimensions, threads: 0, ...options });
  const PAGE = 10_000;
  for (let first = 0; first * dimensions < rows.length; first += PAGE) {
    const count = Math.min(PAGE, rows.length / dimensions - first);
    const entries = Array.from({ length: count }, (_, i) => ({
      faceId: (first + i + 1) as FaceId,
      watchlist: DUPLICATES,
      template: {
        pipelineId: PIPELINE,
        vector: rows.subarray((first + i) * dimensions, (first + i + 1) * dimensions),
      },
    }));
    gallery.append(COMPANY, entries);
    await gallery.coded(COMPANY);
  }
  return gallery;
}

/** The nearest ids for several probes that are searched at once. */
export async function nearestIdsOfEach(
  gallery: MemoryGallery,
  vectors: readonly Float32Array[],
): Promise<number[][]> {
  const probes = vectors.map((vector) => ({ pipelineId: PIPELINE, vector }));
  const restrictions = { watchlists: [DUPLICATES], limit: NEAREST, maxDistance: 2 };
  const found = await gallery.searchEach(COMPANY, probes, restrictions);
  return found.map((candidates) => candidates.map(({ faceId }) => faceId));
}

export async function nearestIds(
  gallery: MemoryGallery,
  vector: Float32Array,
  maxDistance = 2,
): Promise<number[]> {
  const query = { watchlists: [DUPLICATES], limit: NEAREST, maxDistance };
  const found = await gallery.search(COMPANY, { probe: { pipelineId: PIPELINE, vector }, ...query });
  return found.map(({ faceId }) => faceId);
}
