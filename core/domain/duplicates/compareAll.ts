/** Compares all faces of a run that its base has not compared, portion after portion. */
import { trusted, type FaceId } from '../../contracts/ids.ts';
import type { DuplicateRunChoice, NearPair } from '../ports/duplicates.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import type { FacePairSource, PairQuery, Watchlist } from '../ports/gallery.ts';
import { distanceFor, measureGallery, type RatePorts } from './rate.ts';
import type { Companies } from '../../storage/settings/companies.ts';

/** Faces that one transaction keeps the pairs of: a power cut costs at most these, which are compared once more. */
const PORTION = 256;
/** Wait between two portions at most while photos are enrolled, milliseconds. */
const LONGEST_REST_MS = 2_000;

export interface CompareAllPorts extends RatePorts {
  gallery: FacePairSource;
  companies: Pick<Companies, 'find'>;
  /** Images that are being processed: the run leaves them half of the time. */
  inProgress: () => number;
  /** Faces of a portion; for tests. */
  portion?: number;
}

/** How a run is followed. */
interface Following {
  /** The run must end after the present portion. */
  stopped: () => boolean;
  /** After each portion: its new pairs, and how many faces and pairs of faces were compared. */
  compared: (pairs: readonly NearPair[], faces: number, comparisons: number) => Promise<void>;
}

/**
 * Goes through the ids until a pass finds no face that can be compared. A face that becomes matchable behind the present id, or
 * that the gallery receives later than the store, has its turn in the next pass.
 * @returns false: it was stopped, or the run is not in state `running` any more
 * @throws {PipelineChanged} another pipeline serves the company
 */
export async function compareAll(
  ports: CompareAllPorts,
  stored: DuplicateRun,
  following: Following,
): Promise<boolean> {
  const { duplicateRuns, timer } = ports;
  if (following.stopped()) return false;
  const company = await ports.companies.find(stored.company);
  if (company === undefined) return false;
  const run = await withDistance(ports, stored);
  const query = {
    pipeline: run.pipeline,
    watchlists: watchlistsOf(run.blacklists),
    maxDistance: run.maxDistance,
    // The nearest pairs of a face are stored; the run counts the faces with more.
    limit: company.settings.duplicates.maxNearPairs,
  };
  let highest = await duplicateRuns.highestCompared(run);
  let compared = run.total - run.faces + run.compared;
  for (let start = run.lastFace, progress = true; progress; start = trusted.face(0)) {
    // The first pass of a resumed run begins in the middle: only a whole pass without progress is the end.
    progress = start > 0;
    for (let after: FaceId | undefined = start; after !== undefined;) {
      if (following.stopped()) return false;
      const began = timer.elapsed();
      const pending = await duplicateRuns.pending(run, after, ports.portion ?? PORTION);
      const upTo = pending.upTo ?? trusted.face(0);
      after = pending.upTo;
      if (pending.faces.length > 0) {
        // Where no later face was compared yet, later faces have their own turn.
        const against: PairQuery['against'] = highest < pending.faces[0]! ? 'earlier' : 'all';
        const found = await ports.gallery.pairs(run.company, pending.faces, { ...query, against });
        const pairs = await duplicateRuns.store(run, found, upTo);
        if (pairs === undefined) return false;
        const faces = found.compared.length;
        if (faces > 0) {
          progress = true;
          highest = trusted.face(Math.max(highest, found.compared.at(-1)!));
        }
        const others = against === 'all' ? run.total : compared + (faces - 1) / 2;
        await following.compared(pairs, faces, faces * others);
        compared += faces;
      }
      await rest(ports, timer.elapsed() - began);
    }
  }
  return true;
}

/** The run with a distance: chosen from the tail of its gallery, unless its base has one. */
async function withDistance(
  ports: RatePorts,
  run: DuplicateRun,
): Promise<DuplicateRun & { maxDistance: number }> {
  const { tail, maxDistance } = run;
  if (tail !== null && maxDistance !== null) return { ...run, maxDistance };
  const measured = await measureGallery(ports, run.company, run, run.total);
  const chosen = maxDistance ?? distanceFor(measured, run.oneIn, run.total);
  await ports.duplicateRuns.choose(run, measured, chosen);
  return { ...run, tail: measured, maxDistance: chosen };
}

/** The faces that a run with these blacklists compares. */
export function watchlistsOf(blacklists: DuplicateRunChoice['blacklists']): Watchlist[] {
  return [
    { kind: 'duplicate' },
    ...blacklists.map((blacklistId) => ({ kind: 'blacklist' as const, blacklistId })),
  ];
}

/** Gives way to other work: while photos are enrolled for as long as the last portion took. */
async function rest({ timer, inProgress }: CompareAllPorts, took: number): Promise<void> {
  if (inProgress() === 0) await timer.yield();
  else await timer.wait(Math.min(took, LONGEST_REST_MS));
}
