/** Compares the searches of two databases that contain the same rows. */
import { CodedError, problem } from '../contracts/errors/problem.ts';
import type { Template } from '../contracts/faces.ts';
import type { PipelineId } from '../contracts/ids.ts';
import { openGallery, type Gallery } from '../gallery/index.ts';
import type { SearchedStore } from '../storage/index.ts';

/** Searches that are compared. */
const SEARCHES = 200;
/** Candidates of each. */
const CANDIDATES = 20;
/** The largest Euclidean distance of unit vectors. */
const EVERY_DISTANCE = 2;
/** Stands for the pipeline of an installation without companies. */
const UNUSED = 'none' as PipelineId;
/** The range of the change of each component, so that a search is not for a stored template itself. */
const NOISE = 0.02;

/**
 * Searches templates of random faces, with noise, in a gallery of each side.
 * @returns how many searches were compared @throws {CodedError} two answers differ
 */
export async function compareSearches(source: SearchedStore, target: SearchedStore): Promise<number> {
  const faults: string[] = [];
  const samples = await source.samples(SEARCHES);
  const before = await galleryOf(source, faults);
  try {
    const after = await galleryOf(target, faults);
    try {
      for (const { company, template } of samples) {
        const query = {
          probe: withNoise(template),
          watchlists: await source.watchlists(company),
          limit: CANDIDATES,
          maxDistance: EVERY_DISTANCE,
        };
        const answers = [await before.search(company, query), await after.search(company, query)];
        if (JSON.stringify(answers[0]) !== JSON.stringify(answers[1]))
          throw new CodedError(problem('MIGRATION_SEARCHES_DIFFER', { company }));
      }
    } finally {
      await after.close();
    }
  } finally {
    await before.close();
  }
  if (faults.length > 0) throw new Error(`The searches could not be compared: ${faults.join('; ')}.`);
  return samples.length;
}

/** The gallery of a store that no service uses. @param faults receives what a running service would only log */
async function galleryOf(store: SearchedStore, faults: string[]): Promise<Gallery> {
  const serving = await store.serving();
  const pipelineId = [...serving.values()][0] ?? UNUSED;
  const log = {
    error: (_facts: object, text: string) => {
      faults.push(text);
    },
  };
  return openGallery({ pipelineId, serving }, store, log);
}

/** A unit vector near the template. */
function withNoise({ pipelineId, vector }: Template): Template {
  const moved = vector.map((value) => value + NOISE * (Math.random() - 0.5));
  const length = Math.hypot(...moved);
  return { pipelineId, vector: moved.map((value) => value / length) };
}
