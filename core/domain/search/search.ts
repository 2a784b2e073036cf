import type { Box, ExtractedFace, ImageFacts } from '../../contracts/faces.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { Candidate, FaceSummary, GalleryPort, Watchlist } from '../ports/gallery.ts';
import { PipelineChanged } from '../ports/machine.ts';
import type { RecognitionPort, Recogniser, SearchAnalysis } from '../ports/recognition.ts';
import { distanceAtFmr } from '../scores/scores.ts';
import type { Faces } from '../../storage/faces/faces.ts';

/** A face of the probe image with the enrolled faces nearest to it, nearest first. */
export interface SearchedFace {
  face: ExtractedFace;
  candidates: (FaceSummary & { distance: number })[];
}

export type SearchResult =
  | {
      kind: 'searched';
      image: ImageFacts;
      /** A small JPEG of the upright photo, for people to look at. */
      picture: Uint8Array;
      faces: SearchedFace[];
      /** Heads that are covered or unclear. */
      unclear: readonly Box[];
      /** By which the distances are read. */
      recogniser: Pick<Recogniser, 'pipelineId' | 'calibration'>;
    }
  | Extract<SearchAnalysis, { kind: 'refused' }>;

interface SearchPorts {
  vision: RecognitionPort;
  gallery: GalleryPort;
  faces: Faces;
}

interface ImageQuery {
  /** Watchlists that are searched together. The candidates of one group never displace those of another. */
  groups: readonly (readonly Watchlist[])[];
  /** Candidates per face and group. */
  limit: number;
  /** Candidates further away than the distance of this false-match rate are left out; absent: none are. */
  fmr?: number;
}

/** Looks every face of an image up in watchlists of a company. Enrols nothing. */
export async function searchImage(
  ports: SearchPorts,
  company: CompanyId,
  image: Uint8Array,
  query: ImageQuery,
): Promise<SearchResult> {
  try {
    return await searchOnce(ports, company, image, query);
  } catch (error) {
    // The company changed to another pipeline while the image was looked at: it is described by that one.
    if (error instanceof PipelineChanged) return searchOnce(ports, company, image, query);
    throw error;
  }
}

/** Euclidean distance between opposite unit vectors. */
const MAX_DISTANCE = 2;

async function searchOnce(
  ports: SearchPorts,
  company: CompanyId,
  image: Uint8Array,
  { groups, limit, fmr }: ImageQuery,
): Promise<SearchResult> {
  const recogniser = ports.vision.of(company);
  const analysis = await recogniser.search(image, { priority: 'interactive' });
  if (analysis.kind === 'refused') return analysis;
  const maxDistance = fmr === undefined ? MAX_DISTANCE : distanceAtFmr(recogniser.calibration, fmr);
  const probes = analysis.faces.map(({ template }) => template);
  const found = await Promise.all(
    groups.map((watchlists) => ports.gallery.searchEach(company, probes, { watchlists, limit, maxDistance })),
  );
  const faces = await Promise.all(
    analysis.faces.map(async (face, i) => ({
      face,
      candidates: await summarise(ports, company, found.flatMap((group) => group[i]!).toSorted(nearestFirst)),
    })),
  );
  const { image: facts, picture, unclear } = analysis;
  return { kind: 'searched', image: facts, picture, faces, unclear, recogniser };
}

/** As the gallery orders them. */
const nearestFirst = (one: Candidate, other: Candidate) =>
  one.distance - other.distance || one.faceId - other.faceId;

async function summarise(
  { faces }: SearchPorts,
  company: CompanyId,
  found: readonly Candidate[],
): Promise<SearchedFace['candidates']> {
  const summaries = await faces.summaries(
    company,
    found.map((candidate) => candidate.faceId),
  );
  const byId = new Map(summaries.map((summary) => [summary.faceId, summary]));
  // A face erased between the two look-ups is no longer a candidate.
  return found.flatMap(({ faceId, distance }) => {
    const summary = byId.get(faceId);
    return summary === undefined ? [] : [{ ...summary, distance }];
  });
}
