import type { DescribedFace, ImageFacts } from '../contracts/faces.ts';
import type { CompanyId } from '../contracts/ids.ts';
import type { FaceSummary, Faces, GalleryPort, SearchAnalysis, VisionPort, Watchlist } from './ports.ts';

/** A face of the probe image with the enrolled faces nearest to it, nearest first. */
export interface SearchedFace {
  face: DescribedFace;
  candidates: (FaceSummary & { distance: number })[];
}

export type SearchResult =
  | { kind: 'searched'; image: ImageFacts; faces: SearchedFace[] }
  | Extract<SearchAnalysis, { kind: 'refused' }>;

/**
 * Looks every face of an image up in watchlists of a company. Enrols nothing.
 * @param query `maxDistance` Euclidean, 0 to 2; `limit` candidates per face.
 */
export async function searchImage(
  ports: { vision: VisionPort; gallery: GalleryPort; faces: Faces },
  company: CompanyId,
  image: Uint8Array,
  query: { watchlists: readonly Watchlist[]; limit: number; maxDistance: number },
): Promise<SearchResult> {
  const analysis = await ports.vision.search(image, { priority: 'interactive' });
  if (analysis.kind === 'refused') return analysis;
  const faces: SearchedFace[] = [];
  for (const face of analysis.faces) {
    const found = await ports.gallery.search(company, { probe: face.template, ...query });
    const summaries = await ports.faces.summaries(
      company,
      found.map((candidate) => candidate.faceId),
    );
    const byId = new Map(summaries.map((summary) => [summary.faceId, summary]));
    faces.push({
      face,
      // A face erased between the two look-ups is no longer anybody's candidate.
      candidates: found.flatMap(({ faceId, distance }) => {
        const summary = byId.get(faceId);
        return summary === undefined ? [] : [{ ...summary, distance }];
      }),
    });
  }
  return { kind: 'searched', image: analysis.image, faces };
}
