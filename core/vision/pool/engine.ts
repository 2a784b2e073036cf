/** One image from bytes to template, in this process. The worker wraps it; benches call it directly. */
import type { Box, ExtractedFace, Quality } from '../../contracts/faces.ts';
import type { SeveralFaces } from '../../contracts/enrolmentRuns.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { PipelineId } from '../../contracts/ids.ts';
import type { QualityThresholds } from '../../contracts/settings.ts';
import type {
  EnrolAnalysis,
  FaceMeasurement,
  MeasuredKind,
  SearchAnalysis,
  ReextractionResult,
} from '../../domain/ports/recognition.ts';
import { isClearlyMain } from '../../domain/enrolment/mainFace.ts';
import { openImage, restrictDecoder, UnreadableImage, type OpenedImage } from '../decode.ts';
import type { TemplateExtractor } from '../descriptor.ts';
import { alignedFace, smallPicture } from '../alignedFace.ts';
import { findFaces, findFacesOfFrame, type DetectionNets, type FoundFace } from '../findFaces.ts';
import { refusal, refusals } from '../gate.ts';
import { intersectionOverUnion } from '../geometry.ts';
import type { ImageView } from '../imageView.ts';
import { interEyeDistance, type MeshedFace } from '../mesh.ts';
import { loadBlazeFace } from '../nets/blazeface.ts';
import { loadFaceMesh } from '../nets/facemesh.ts';
import { measureQuality } from '../quality.ts';
import { RasterTooLong } from '../raster.ts';

/** The image operations of one process. A promise rejects only for faults of the machine. */
export interface Engine {
  pipelineId: PipelineId;
  /** `gate` absent: no quality refusals. */
  enrol(
    bytes: Uint8Array,
    gate: QualityThresholds | undefined,
    severalFaces?: SeveralFaces,
  ): Promise<EnrolAnalysis>;
  search(bytes: Uint8Array): Promise<SearchAnalysis>;
  /** Extracts the template of the face that lies at `place`, pixels of the upright image. */
  reextract(bytes: Uint8Array, place: Box): Promise<ReextractionResult>;
  /** Finds and measures the faces and extracts no template. */
  measure(bytes: Uint8Array, kind: MeasuredKind, gate: QualityThresholds): Promise<FaceMeasurement>;
  /** The same nets find the faces, another network extracts the templates. */
  using(extractor: TemplateExtractor): Engine;
}

/** Loads the nets that find faces. Throws when `modelsFolder` lacks one. */
export async function createEngine(modelsFolder: string, extractor: TemplateExtractor): Promise<Engine> {
  restrictDecoder();
  const [blazeFace, faceMesh] = await Promise.all([loadBlazeFace(modelsFolder), loadFaceMesh(modelsFolder)]);
  return engineOf({ blazeFace, faceMesh }, extractor);
}

function engineOf(nets: DetectionNets, extractor: TemplateExtractor): Engine {
  return {
    pipelineId: extractor.pipelineId,
    enrol: (bytes, gate, severalFaces) =>
      refusingUnreadable(() => enrol(nets, extractor, bytes, { gate, severalFaces })),
    search: (bytes) => refusingUnreadable(() => search(nets, extractor, bytes)),
    measure: (bytes, kind, gate) => refusingUnreadable(() => measure(nets, bytes, kind, gate)),
    reextract: (bytes, place) => refusingUnreadable(() => reextract(nets, extractor, bytes, place)),
    using: (other) => engineOf(nets, other),
  };
}

async function refusingUnreadable<T>(
  analysis: () => Promise<T>,
): Promise<T | { kind: 'refused'; code: UnreadableImage['code'] }> {
  try {
    return await analysis();
  } catch (error) {
    if (error instanceof UnreadableImage) return { kind: 'refused', code: error.code };
    if (error instanceof RasterTooLong) return { kind: 'refused', code: 'IMAGE_TOO_LARGE' };
    throw error;
  }
}

/** A face under this share of the main face's width belongs to the background. */
const BACKGROUND_FACE = 1 / 3;

function hasSeveral([main, second]: readonly FoundFace[]): boolean {
  return main !== undefined && second !== undefined && second.box.width >= main.box.width * BACKGROUND_FACE;
}

/** Where there are several already, no further one changes the answer. */
function smallestThatCounts(faces: readonly FoundFace[]): number {
  if (hasSeveral(faces)) return Infinity;
  return faces[0] === undefined ? 0 : faces[0].box.width * BACKGROUND_FACE;
}

async function enrol(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  bytes: Uint8Array,
  { gate, severalFaces }: { gate: QualityThresholds | undefined; severalFaces: SeveralFaces | undefined },
): Promise<EnrolAnalysis> {
  const opened = await openImage(bytes);
  const image = opened.facts;
  const overview = await opened.overview();
  const { faces, unclear } = await findFaces(nets, overview, image, smallestThatCounts);
  const [main] = faces;
  if (main === undefined) return { kind: 'refused', code: whyNoFace(overview, opened, unclear, gate), image };
  const found = { width: image.width, height: image.height, boxes: faces.map(({ box }) => box) };
  const several = hasSeveral(faces);
  if (several && !(severalFaces === 'main' && isClearlyMain(found)))
    return { kind: 'refused', code: 'MULTIPLE_FACES', image, found };
  const view = await closeView(opened, overview, main);
  const quality = measureQuality(view, opened, main);
  const code = gate && refusal(quality.measures, gate);
  if (code !== undefined) return { kind: 'refused', code, image, found, quality };
  const face = await extractFace(extractor, view, main, quality);
  return { kind: 'face', image, face, ...(several && { found }) };
}

/** A face that only blur or a cover hides is rejected for that reason, which names the remedy. */
function whyNoFace(
  view: ImageView,
  image: OpenedImage,
  unclear: MeshedFace | undefined,
  gate: QualityThresholds | undefined,
): FailureCode {
  if (unclear === undefined || gate === undefined) return 'NO_FACE';
  const { measures } = measureQuality(view, image, unclear);
  const code = refusal(measures, gate);
  return code === 'LOW_SHARPNESS' || code === 'FACE_OBSCURED' ? code : 'NO_FACE';
}

async function search(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  bytes: Uint8Array,
): Promise<SearchAnalysis> {
  const opened = await openImage(bytes);
  const image = opened.facts;
  const overview = await opened.overview();
  const { faces: found } = await findFaces(nets, overview, image, () => 0);
  if (found.length === 0) return { kind: 'refused', code: 'NO_FACE', image };
  const faces: ExtractedFace[] = [];
  for (const face of found) {
    const view = await closeView(opened, overview, face);
    faces.push(await extractFace(extractor, view, face, measureQuality(view, opened, face)));
  }
  return { kind: 'faces', image, picture: await smallPicture(overview.raster), faces };
}

async function measure(
  nets: DetectionNets,
  bytes: Uint8Array,
  kind: MeasuredKind,
  gate: QualityThresholds,
): Promise<FaceMeasurement> {
  const opened = await openImage(bytes);
  const image = opened.facts;
  const overview = await opened.overview();
  const found =
    kind === 'frame'
      ? await findFacesOfFrame(nets, overview, image)
      : (await findFaces(nets, overview, image, () => 0)).faces;
  const faces = [];
  for (const face of found) {
    const quality = measureQuality(await closeView(opened, overview, face), opened, face);
    faces.push({
      box: face.box,
      eyes: eyesFromLeft(face),
      quality,
      refusals: refusals(quality.measures, gate),
    });
  }
  const [main] = faces;
  if (main === undefined) return { kind: 'measured', image, faces, refusals: ['NO_FACE'] };
  return {
    kind: 'measured',
    image,
    faces,
    refusals: hasSeveral(found) ? ['MULTIPLE_FACES', ...main.refusals] : main.refusals,
  };
}

function eyesFromLeft({ eyes: [first, second] }: FoundFace): ExtractedFace['eyes'] {
  return first.x <= second.x ? [first, second] : [second, first];
}

/** How far a face that was found a second time may lie from where it was: shared area over covered area. */
const SAME_PLACE = 0.3;
/** Faces under this share of the width looked for are of another person. */
const OTHER_FACE = 0.5;

async function reextract(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  bytes: Uint8Array,
  place: Box,
): Promise<ReextractionResult> {
  const opened = await openImage(bytes);
  const overview = await opened.overview();
  const { faces } = await findFaces(nets, overview, opened.facts, () => place.width * OTHER_FACE);
  const overlap = (face: FoundFace) => intersectionOverUnion(face.box, place);
  const face = faces.toSorted((a, b) => overlap(b) - overlap(a))[0];
  if (face === undefined || overlap(face) < SAME_PLACE) return { kind: 'refused', code: 'NO_FACE' };
  const view = await closeView(opened, overview, face);
  const { pipelineId } = extractor;
  return { kind: 'extracted', template: { pipelineId, vector: await extractor.extract(view, face) } };
}

async function extractFace(
  extractor: TemplateExtractor,
  view: ImageView,
  face: FoundFace,
  quality: Quality,
): Promise<ExtractedFace> {
  return {
    box: face.box,
    eyes: eyesFromLeft(face),
    confidence: face.confidence,
    quality,
    template: { pipelineId: extractor.pipelineId, vector: await extractor.extract(view, face) },
    thumbnail: await alignedFace(view, face.eyes),
  };
}

/**
 * Pixels between the eyes that the recognition nets can make use of: as many as the tightest of their crops shows.
 * Fewer in the overview call for a closer look.
 */
const ENOUGH_BETWEEN_EYES = 66;
/** Side of the part that is decoded again, in distances between the eyes: what all crops together may cover. */
const CLOSE_VIEW = 7;

/** The overview, or, where it holds too few pixels of this face and the original has more, the original around it. */
async function closeView(opened: OpenedImage, overview: ImageView, face: FoundFace): Promise<ImageView> {
  const eyes = interEyeDistance(face);
  if (overview.scale === 1 || eyes * overview.scale >= ENOUGH_BETWEEN_EYES) return overview;
  const side = eyes * CLOSE_VIEW;
  const x = face.box.x + face.box.width / 2 - side / 2;
  const y = face.box.y + face.box.height / 2 - side / 2;
  return opened.detail({ x, y, width: side, height: side });
}
