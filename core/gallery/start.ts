import { trusted, type CompanyId, type FaceId, type PipelineId } from '../contracts/ids.ts';
import type { FaceRange } from '../domain/ports/gallery.ts';
import type { MemoryGallery } from './gallery.ts';
import { nextTurn } from './portions.ts';
import type { Faces } from '../storage/faces/faces.ts';
import type { GallerySnapshots } from '../storage/faces/gallerySnapshots.ts';

/** Where a gallery's faces are kept. */
export interface GalleryStore {
  faces: Pick<Faces, 'all' | 'these' | 'matchable' | 'dimensions' | 'vectors'>;
  gallerySnapshots: Pick<GallerySnapshots, keyof GallerySnapshots>;
}

const FIRST = trusted.face(0);
const LAST = trusted.face(Number.MAX_SAFE_INTEGER);
/**
 * Faces per snapshot, of long templates fewer: an erased face takes one with it, and keeping one is a single turn, so they are
 * small; each has the company's scale in it, so they are not smaller.
 */
const SNAPSHOT_FACES = 2_048;
const SNAPSHOT_BYTES = 1.5 * 2 ** 20;

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
      await gallery.fill(company, page);
      faces += page.length;
      await nextTurn();
    }
  };
  for (const range of await store.gallerySnapshots.ranges(company, pipeline)) {
    const content = await store.gallerySnapshots.read(company, pipeline, range);
    const snapshot = content === undefined ? undefined : await gallery.openSnapshot(company, range, content);
    if (snapshot === undefined) continue;
    // The rows before it come first, so that ids rise; they are coded in the scale that opening it has set.
    await readRows(range.after);
    snapshot.restore();
    await nextTurn();
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
  size = Math.min(SNAPSHOT_FACES, Math.floor(SNAPSHOT_BYTES / gallery.codeBytes)),
): Promise<number> {
  let kept = 0;
  await gallery.coded(company);
  const covered = await store.gallerySnapshots.ranges(company, pipeline);
  for (const gap of gapsBetween(covered)) {
    for (const { range, faces } of pieces(gallery, company, gap, size)) {
      const content = await gallery.takeSnapshot(company, range, faces);
      if (content === undefined) continue;
      const snapshot = { ...range, content, leftOut: gallery.leftOut(company) };
      if (await store.gallerySnapshots.keep(company, pipeline, snapshot, faces)) kept++;
      await nextTurn();
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
    await gallery.hydrate(company, page);
    await nextTurn();
  }
}

function gapsBetween(covered: readonly FaceRange[]): FaceRange[] {
  const starts = [FIRST, ...covered.map(({ upTo }) => upTo)];
  const ends = [...covered.map(({ after }) => after), LAST];
  return starts.map((after, i) => ({ after, upTo: ends[i]! })).filter(({ after, upTo }) => after < upTo);
}

/** The faces of a gap in ranges of `size`; only the open end may keep a rest. */
function* pieces(
  gallery: MemoryGallery,
  company: CompanyId,
  gap: FaceRange,
  size: number,
): Generator<{ range: FaceRange; faces: FaceId[] }> {
  for (let { after } = gap; ;) {
    const faces = gallery.facesIn(company, { after, upTo: gap.upTo }, size + 1);
    const isLast = faces.length <= size;
    if (faces.length === 0 || (isLast && gap.upTo === LAST && faces.length < size)) return;
    const piece = faces.slice(0, size);
    const upTo = isLast && gap.upTo !== LAST ? gap.upTo : piece.at(-1)!;
    yield { range: { after, upTo }, faces: piece };
    if (isLast) return;
    after = upTo;
  }
}
