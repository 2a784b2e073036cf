import type { CompanyId, FaceId, PipelineId } from '../contracts/ids.ts';
import type { Faces, FaceRange, GallerySnapshots } from '../domain/ports/gallery.ts';
import type { MemoryGallery } from './gallery.ts';

/** Where a gallery's faces are kept. */
export interface GalleryStore {
  faces: Faces;
  gallerySnapshots: GallerySnapshots;
}

const FIRST = 0 as FaceId;
const LAST = Number.MAX_SAFE_INTEGER as FaceId;
/** Faces per snapshot: an erased face takes one with it, so they are small; a start reads them all, so they are few. */
const SNAPSHOT_FACES = 8_192;

/**
 * Puts every matchable face of a company into an empty gallery: from its snapshots, and from the rows where there is
 * no snapshot or one that cannot be trusted (damaged, or of another scale).
 * @returns how many faces, and how many of them came from snapshots.
 */
export async function fillCompany(
  gallery: MemoryGallery,
  store: GalleryStore,
  company: CompanyId,
  pipeline: PipelineId,
): Promise<{ faces: number; restored: number }> {
  let faces = 0;
  let restored = 0;
  let after = FIRST;
  const readRows = async (upTo: FaceId) => {
    if (upTo <= after) return;
    for await (const page of store.faces.all(company, pipeline, { after, upTo })) {
      gallery.append(company, page);
      await gallery.coded(company);
      faces += page.length;
    }
  };
  for (const range of await store.gallerySnapshots.ranges(company, pipeline)) {
    const content = await store.gallerySnapshots.read(company, pipeline, range);
    const snapshot = content === undefined ? undefined : gallery.openSnapshot(company, range, content);
    if (snapshot === undefined) continue;
    // The rows before it come first, so that ids rise; they are coded in the scale that opening it has set.
    await readRows(range.after);
    snapshot.restore();
    faces += snapshot.faces;
    restored += snapshot.faces;
    after = range.upTo;
  }
  await readRows(LAST);
  return { faces, restored };
}

/**
 * Keeps snapshots of what has none; the newest faces, up to one snapshot's worth, are left for the next time. Safe at
 * any moment: the store refuses a snapshot that does not agree with it.
 * @returns how many were kept.
 */
export async function keepSnapshots(
  gallery: MemoryGallery,
  store: Pick<GalleryStore, 'gallerySnapshots'>,
  company: CompanyId,
  pipeline: PipelineId,
  size = SNAPSHOT_FACES,
): Promise<number> {
  let kept = 0;
  await gallery.coded(company);
  const covered = await store.gallerySnapshots.ranges(company, pipeline);
  for (const gap of gapsBetween(covered)) {
    for (const { range, faces } of cut(gap, gallery.facesIn(company, gap), size)) {
      const content = gallery.takeSnapshot(company, range, faces);
      if (content === undefined) continue;
      if (await store.gallerySnapshots.keep(company, pipeline, { ...range, content }, faces)) kept++;
    }
  }
  return kept;
}

/** Brings the exact vectors that a start left on disk into memory, within the budget, while searches go on. */
export async function loadVectors(
  gallery: MemoryGallery,
  store: Pick<GalleryStore, 'faces'>,
  company: CompanyId,
  pipeline: PipelineId,
): Promise<void> {
  for await (const page of store.faces.all(company, pipeline)) {
    for (const { faceId, template } of page) gallery.hydrate(company, faceId, template.vector);
    // Between pages whoever waits for an answer gets it.
    await new Promise(setImmediate);
  }
}

function gapsBetween(covered: readonly FaceRange[]): FaceRange[] {
  const starts = [FIRST, ...covered.map(({ upTo }) => upTo)];
  const ends = [...covered.map(({ after }) => after), LAST];
  return starts.map((after, i) => ({ after, upTo: ends[i]! })).filter(({ after, upTo }) => after < upTo);
}

/** Cuts the faces of a gap into ranges of about `size`; only the open end may keep a rest. */
function cut(
  gap: FaceRange,
  faces: readonly FaceId[],
  size: number,
): { range: FaceRange; faces: FaceId[] }[] {
  const pieces: { range: FaceRange; faces: FaceId[] }[] = [];
  let { after } = gap;
  for (let start = 0; start < faces.length; start += size) {
    const piece = faces.slice(start, start + size);
    const isLast = start + size >= faces.length;
    if (isLast && gap.upTo === LAST && piece.length < size) break;
    const upTo = isLast && gap.upTo !== LAST ? gap.upTo : piece.at(-1)!;
    pieces.push({ range: { after, upTo }, faces: piece });
    after = upTo;
  }
  return pieces;
}
