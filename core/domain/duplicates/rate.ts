/** The distance of a run, from a rate per person: the share of people enrolled once who may be proposed at all. */
import type { DistanceTail, FaceScope, PendingCounts } from '../ports/duplicates.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import { repeatable } from '../calibration/repeatable.ts';
import { UnavailableError, type Platform } from '../ports/machine.ts';
import type { PipelineRegistry } from '../recognition/pipelineRegistry.ts';
import { trusted, type CompanyId, type FaceId } from '../../contracts/ids.ts';
import { expectedWithin, measureTail, SAMPLE, tailDistance, tailRate } from './tail.ts';
import type { Faces } from '../../storage/faces/faces.ts';
import type { Storage } from '../../storage/index.ts';

/** No pair of a lower similarity is proposed, however small the gallery: one false match in ten thousand pairs. */
export const WIDEST_RATE = 1e-4;
/** Templates that are read at a time, and ids. */
const [PAGE, IDS_PAGE] = [500, 5_000];

export interface RatePorts extends Pick<Storage, 'duplicateRuns'>, Pick<Platform, 'timer'> {
  faces: Pick<Faces, 'vectors'>;
  recognition: Pick<PipelineRegistry, 'pipelineOf' | 'calibrationOf'>;
}

/** How many chance pairs a run is expected to find, and the bounds between which the number lies in 95 of 100 cases. */
export interface ChancePairs {
  pairs: number;
  low: number;
  high: number;
  /** The rate lies beyond those that the random pairs measure. */
  extrapolated: boolean;
}

/** The distance at which about one of `oneIn` people enrolled once has a near face by chance, among `faces`. */
export function distanceFor(tail: DistanceTail, oneIn: number, faces: number): number {
  return tailDistance(tail, Math.min(WIDEST_RATE, 1 / (oneIn * Math.max(1, faces - 1))));
}

/** Near pairs of different people that a run is expected to find by chance. @param counts the faces that it compares */
export function chancePairs(tail: DistanceTail, distance: number, counts: PendingCounts): ChancePairs {
  const { value: pairs, low, high } = expectedWithin(tail, comparisonsOf(counts), distance);
  return { pairs, low, high, extrapolated: tailRate(tail, distance) < tail.measuredTo };
}

/** Pairs that a run compares: each pending face with all others, no pair twice. */
export function comparisonsOf({ total, pending }: PendingCounts): number {
  return pending * (total - pending) + (pending * (pending - 1)) / 2;
}

/** Pairs that a run still has to compare. */
export function comparisonsLeft({ total, faces, compared }: DuplicateRun): number {
  return comparisonsOf({ total, pending: Math.max(0, faces - compared) });
}

/** Measures the tail on random faces of a run; the same faces for the same gallery. */
export async function measureGallery(
  ports: RatePorts,
  company: CompanyId,
  scope: FaceScope,
  total: number,
): Promise<DistanceTail> {
  const { recognition, timer, faces } = ports;
  const calibration = recognition.calibrationOf(company, scope.pipeline);
  if (calibration === undefined)
    throw new UnavailableError(`The pipeline ${scope.pipeline} of this company is not installed.`);
  const chosen = await randomFaces(ports, company, scope, total);
  const vectors: Float32Array[] = [];
  for (let start = 0; start < chosen.length; start += PAGE) {
    const page = chosen.slice(start, start + PAGE);
    const read = await faces.vectors(company, scope.pipeline, page);
    for (const face of page) if (read.has(face)) vectors.push(read.get(face)!);
    await timer.yield();
  }
  return measureTail(timer, vectors, calibration);
}

/** At most {@link SAMPLE} faces, each as likely as any other, in random order. */
export async function randomFaces(
  { duplicateRuns, timer }: Pick<RatePorts, 'duplicateRuns' | 'timer'>,
  company: CompanyId,
  scope: FaceScope,
  total: number,
): Promise<FaceId[]> {
  const random = repeatable(total);
  const chosen: FaceId[] = [];
  let seen = 0;
  for (let after: FaceId | undefined = trusted.face(0); after !== undefined;) {
    const page: FaceId[] = await duplicateRuns.facesAfter(company, scope, after, IDS_PAGE);
    for (const face of page) {
      seen++;
      const place = Math.floor(random() * seen);
      // The first faces are inserted at a random place, each later one takes the place of a random one.
      if (chosen.length < SAMPLE) {
        chosen.push(chosen[place] ?? face);
        chosen[place] = face;
      } else if (place < SAMPLE) chosen[place] = face;
    }
    after = page.length === IDS_PAGE ? page.at(-1) : undefined;
    await timer.yield();
  }
  return chosen;
}
