import { trusted, type CompanyId, type PipelineId } from '../contracts/ids.ts';
import type { MemoryGallery } from './gallery.ts';
import { nextTurn } from './portions.ts';
import type { Faces } from '../storage/faces/faces.ts';

/** Faces that are read, coded and appended in one turn. */
const BATCH_SIZE = 32;
const FIRST = trusted.face(0);
const LAST = trusted.face(Number.MAX_SAFE_INTEGER);

/**
 * Makes the faces of a company agree with the store: those that are missing or in another watchlist are read, those that the
 * store does not have are removed. Changes that are committed during it are followed by the caller.
 */
export async function settleCompany(
  gallery: MemoryGallery,
  { faces }: { faces: Pick<Faces, 'matchable' | 'these'> },
  company: CompanyId,
  pipeline: PipelineId,
): Promise<void> {
  let after = FIRST;
  for await (const stored of faces.matchable(company, pipeline)) {
    const upTo = stored.at(-1)!.faceId;
    const gone = new Set(gallery.facesIn(company, { after, upTo }));
    const missing = stored
      .filter(({ faceId, watchlist }) => !gone.delete(faceId) || !gallery.isIn(company, faceId, watchlist))
      .map(({ faceId }) => faceId);
    gallery.remove(company, [...gone, ...missing]);
    for (let from = 0; from < missing.length; from += BATCH_SIZE) {
      // Read and appended in one turn: a face that was erased in between would come back.
      for await (const page of faces.these(company, pipeline, missing.slice(from, from + BATCH_SIZE)))
        gallery.append(company, page);
      await nextTurn();
    }
    after = upTo;
    await nextTurn();
  }
  gallery.remove(company, gallery.facesIn(company, { after, upTo: LAST }));
}
