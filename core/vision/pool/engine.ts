/** One image from bytes to template, in this process. The worker wraps it; benches call it directly. */
import type { Box, ExtractedFace, Quality } from '../../contracts/faces.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { PipelineId } from '../../contracts/ids.ts';
import type { QualityThresholds } from '../../contracts/settings.ts';
import type {
  EnrolAnalysis,
  FaceMeasurement,
  FacesOfPhoto,
  MeasuredKind,
  PictureConversion,
  TokenImage,
  SearchAnalysis,
  ReextractionResult,
} from '../../domain/ports/recognition.ts';
import { isClearlyMain } from '../../domain/enrolment/mainFace.ts';
import { distanceOf } from '../../domain/scores/scores.ts';
import sharp from 'sharp';
import { convertPicture, jpegOf } from '../convert.ts';
import { cutPortraits, headsOn, isPage, otherPictures } from '../portraits.ts';
import { openImage, restrictDecoder, UnreadableImage, type OpenedImage } from '../decode.ts';
import type { TemplateExtractor } from '../descriptor.ts';
import { alignedFace, smallPicture } from '../alignment.ts';
import {
  BACKGROUND_FACE,
  facesAt,
  findFaces,
  findFacesOfFrame,
  type DetectionNets,
  type DetectionResult,
  type FoundFace,
} from '../findFaces.ts';
import { centroid, distance, fitSimilarity, intersectionOverUnion } from '../geometry.ts';
import type { ImageView } from '../imageView.ts';
import { interEyeDistance, type MeshedFace } from '../mesh.ts';
import { loadBlazeFace } from '../nets/blazeface.ts';
import { loadFaceMesh } from '../nets/facemesh.ts';
import { portraitComponents } from '../portrait.ts';
import { measureQuality, refusal, refusals } from '../quality.ts';
import { RasterTooLong } from '../raster.ts';

export interface EnrolOptions {
  /** Absent: no quality refusals. */
  gate?: QualityThresholds | undefined;
  severalFaces?: FacesOfPhoto | undefined;
  /** Templates of one photo at most this far apart are of one person; absent: several faces are several people. */
  samePerson?: number | undefined;
}

/** The image operations of one process. A promise rejects only for faults of the machine. */
export interface Engine {
  pipelineId: PipelineId;
  enrol(bytes: Uint8Array, options: EnrolOptions): Promise<EnrolAnalysis>;
  search(bytes: Uint8Array): Promise<SearchAnalysis>;
  /** Extracts the template of the face that lies at `place`, pixels of the upright image. */
  reextract(bytes: Uint8Array, place: Box): Promise<ReextractionResult>;
  /** Finds and measures the faces and extracts no template. */
  measure(bytes: Uint8Array, kind: MeasuredKind, gate: QualityThresholds): Promise<FaceMeasurement>;
  /** @param samePerson given: the picture is a sheet, of which each portrait is cut out; see {@link EnrolOptions} */
  convert(
    bytes: Uint8Array,
    samePerson?: number,
  ): Promise<PictureConversion | { kind: 'refused'; code: UnreadableImage['code'] }>;
  tokenImage(
    bytes: Uint8Array,
    eyes: ExtractedFace['eyes'],
  ): Promise<({ kind: 'tokenImage' } & TokenImage) | { kind: 'refused'; code: UnreadableImage['code'] }>;
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
    enrol: (bytes, options) => refusingUnreadable(() => enrol(nets, extractor, bytes, options)),
    search: (bytes) => refusingUnreadable(() => search(nets, extractor, bytes)),
    measure: (bytes, kind, gate) => refusingUnreadable(() => measure(nets, bytes, kind, gate)),
    reextract: (bytes, place) => refusingUnreadable(() => reextract(nets, extractor, bytes, place)),
    convert: (bytes, samePerson) => refusingUnreadable(() => convert(nets, extractor, bytes, samePerson)),
    tokenImage: (bytes, eyes) => refusingUnreadable(() => tokenImage(bytes, eyes)),
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

/** Places that count beside the largest confirmed face: other faces, and heads that could not be confirmed as faces. */
function countingBeside({ faces, unclear }: DetectionResult): MeshedFace[] {
  const [main, ...others] = faces;
  if (main === undefined) return [];
  return [...others, ...unclear].filter(({ box }) => box.width >= main.box.width * BACKGROUND_FACE);
}

/** Also where there are several already: whether they are of one person, a closer look at small ones may tell. */
function smallestThatCounts(faces: readonly FoundFace[]): number {
  return faces[0] === undefined ? 0 : faces[0].box.width * BACKGROUND_FACE;
}

async function enrol(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  bytes: Uint8Array,
  { gate, severalFaces, samePerson }: EnrolOptions,
): Promise<EnrolAnalysis> {
  const opened = await openImage(bytes);
  const image = opened.facts;
  const overview = await opened.overview();
  const detected = await findFaces(nets, overview, image, smallestThatCounts);
  const { faces, unclear } = detected;
  const [main] = faces;
  if (main === undefined)
    return { kind: 'refused', code: whyNoFace(overview, opened, unclear[0], gate), image };
  const larger = unclear.filter(({ box }) => box.width > main.box.width);
  const beside = countingBeside(severalFaces === 'portrait' ? { ...detected, unclear: larger } : detected);
  const onePerson =
    beside.length > 0 &&
    samePerson !== undefined &&
    (await areOfOnePerson(extractor, opened, overview, { main, beside, samePerson }));
  const found = {
    width: image.width,
    height: image.height,
    boxes: faces.map(({ box }) => box),
    unclear: unclear.map(({ box }) => box),
    onePerson,
  };
  if (beside.length > 0 && !onePerson && !(severalFaces === 'main' && isClearlyMain(found)))
    return { kind: 'refused', code: 'MULTIPLE_FACES', image, found: withOtherPictures(overview, found) };
  const usable = onePerson ? faces.filter((face) => face === main || beside.includes(face)) : [main];
  let refused: EnrolAnalysis | undefined;
  for (const face of usable) {
    const view = await closeView(opened, overview, face);
    const quality = measureQuality(view, opened, face);
    const code = gate && refusal(quality.measures, gate);
    if (code === undefined) {
      const extracted = await extractFace(extractor, view, face, quality);
      return { kind: 'face', image, face: extracted, ...(beside.length > 0 && { found }) };
    }
    // The largest face says what is wrong with the photo.
    refused ??= { kind: 'refused', code, image, found, quality };
  }
  return refused ?? { kind: 'refused', code: 'NO_FACE', image, found };
}

/** Before a page is split, a person sees where it has a portrait without a visible face. */
function withOtherPictures<F extends { boxes: Box[]; unclear: Box[] }>(overview: ImageView, found: F): F {
  const { boxes } = found;
  const portraits = boxes.filter(({ width }) => width >= boxes[0]!.width * BACKGROUND_FACE);
  if (portraits.length < 2 || !isPage(overview)) return found;
  const heads = found.unclear.filter(headsOn(overview));
  const others = otherPictures(overview, [...boxes, ...heads], portraits.at(-1)!.width);
  return { ...found, unclear: [...heads, ...others].toSorted((one, two) => two.width - one.width) };
}

/** A smaller face of the same person on a sheet is a ghost portrait: narrower than this share of the portrait. */
const GHOST = 0.75;

/**
 * A picture, and the portraits of a sheet. There are none where a person must decide: one face or one person alone, a head
 * that is covered or unclear, a face in the background of another, a picture of the size of a portrait without a face. A ghost
 * portrait is none of these.
 */
async function convert(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  bytes: Uint8Array,
  samePerson: number | undefined,
): Promise<PictureConversion> {
  const converted = await convertPicture(bytes);
  // A face record is of one person.
  if (samePerson === undefined || converted.kind !== 'converted' || converted.record !== null)
    return converted;
  const sheet = await openImage(converted.content);
  const overview = await sheet.overview();
  const detected = await findFaces(nets, overview, sheet.facts, smallestThatCounts, 'each');
  const { faces } = detected;
  const [main, ...others] = faces;
  if (main === undefined || others.length === 0) return converted;
  const portraits: Portrait[] = [];
  for (const face of faces) {
    const vector = await extractor.extract(await closeView(sheet, overview, face), face);
    if (portraits.some((larger) => isGhostOf(larger, { face, vector }, samePerson))) continue;
    if (face.box.width < main.box.width * BACKGROUND_FACE) return converted;
    portraits.push({ face, vector });
  }
  const { vector: first } = portraits[0]!;
  if (portraits.every(({ vector }) => distanceOf(vector, first) <= samePerson)) return converted;
  const boxes = portraits.map(({ face }) => face.box);
  const smallest = Math.min(...boxes.map(({ width }) => width));
  const isHead = headsOn(overview);
  const unclear = detected.unclear.filter(({ box }) => isHead(box));
  const counting = countingBeside({ faces, unclear }).filter((place) => unclear.includes(place));
  const known = [...faces, ...unclear].filter((place) => !counting.includes(place)).map(({ box }) => box);
  let doubtful = counting.map(({ box }) => box);
  do {
    for (const place of doubtful) {
      const ghosts = await ghostsAt(nets, extractor, { sheet, place, known, portraits, samePerson });
      if (ghosts.length === 0) return converted;
      known.push(...ghosts);
    }
    doubtful = otherPictures(overview, known, smallest);
  } while (doubtful.length > 0);
  const covered = known.filter((box) => !boxes.includes(box));
  return { ...converted, portraits: await cutPortraits(sheet, boxes, covered) };
}

/** A face of a sheet that becomes a photo, and its template. */
interface Portrait {
  face: FoundFace;
  vector: Float32Array;
}

function isGhostOf(larger: Portrait, { face, vector }: Portrait, samePerson: number): boolean {
  return face.box.width < GHOST * larger.face.box.width && distanceOf(vector, larger.vector) <= samePerson;
}

interface DoubtfulPlace {
  sheet: OpenedImage;
  /** A head that was not confirmed, or a picture in which no face was found. */
  place: Box;
  /** Faces that were found elsewhere. */
  known: readonly Box[];
  portraits: readonly Portrait[];
  samePerson: number;
}

/**
 * Looks closer at a place of a sheet: in a whole page a small and pale ghost portrait is overlooked.
 * @returns boxes of the ghosts that lie there and were not known; none where one of its faces is of nobody else on the sheet
 */
async function ghostsAt(
  nets: DetectionNets,
  extractor: TemplateExtractor,
  { sheet, place, known, portraits, samePerson }: DoubtfulPlace,
): Promise<Box[]> {
  const { x, y, width, height } = place;
  const around = { x: x - width / 2, y: y - height / 2, width: 2 * width, height: 2 * height };
  const view = await sheet.detail(around);
  const ghosts: Box[] = [];
  for (const face of await facesAt(nets, view, sheet.facts, place)) {
    if (known.some((box) => intersectionOverUnion(box, face.box) >= SAME_PLACE)) continue;
    const vector = await extractor.extract(view, face);
    if (!portraits.some((larger) => isGhostOf(larger, { face, vector }, samePerson))) return [];
    ghosts.push(face.box);
  }
  return ghosts;
}

/** Whether every face and head beside the main one is nearer to it than templates of two people are. */
async function areOfOnePerson(
  extractor: TemplateExtractor,
  opened: OpenedImage,
  overview: ImageView,
  { main, beside, samePerson }: { main: MeshedFace; beside: readonly MeshedFace[]; samePerson: number },
): Promise<boolean> {
  const vectorOf = async (face: MeshedFace) =>
    extractor.extract(await closeView(opened, overview, face), face);
  const vector = await vectorOf(main);
  for (const face of beside) if (distanceOf(vector, await vectorOf(face)) > samePerson) return false;
  return true;
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
  const { faces: found, unclear } = await findFaces(nets, overview, image, () => 0);
  if (found.length === 0) return { kind: 'refused', code: 'NO_FACE', image };
  const faces: ExtractedFace[] = [];
  for (const face of found) {
    const view = await closeView(opened, overview, face);
    faces.push(await extractFace(extractor, view, face, measureQuality(view, opened, face)));
  }
  const heads = unclear.map(({ box }) => box);
  return { kind: 'faces', image, picture: await smallPicture(overview.raster), faces, unclear: heads };
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
      ? { faces: await findFacesOfFrame(nets, overview, image), unclear: [] }
      : await findFaces(nets, overview, image, () => 0);
  const unclear = found.unclear.map(({ box }) => box);
  const faces = [];
  for (const face of found.faces) {
    const quality = measureQuality(await closeView(opened, overview, face), opened, face);
    faces.push({
      box: face.box,
      eyes: eyesFromLeft(face),
      quality,
      refusals: refusals(quality.measures, gate),
      ...(kind === 'portrait' && {
        portraitChecks: portraitComponents(
          await opened.detail(surroundings(face.eyes)),
          image,
          face,
          found.faces,
        ),
      }),
    });
  }
  const [main] = faces;
  if (main === undefined) return { kind: 'measured', image, faces, unclear, refusals: ['NO_FACE'] };
  return {
    kind: 'measured',
    image,
    faces,
    unclear,
    refusals: countingBeside(found).length > 0 ? ['MULTIPLE_FACES', ...main.refusals] : main.refusals,
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

/**
 * A token image (ISO/IEC 19794-5:2011, 9.3): width to height 3 to 4, the eyes 0.6 of the width below the top and a quarter
 * of it apart, around the middle. At least 240 pixels wide; wider as far as the photo has the pixels.
 */
const TOKEN = { least: 240, most: 960, eyeLine: 0.6, apart: 0.25 };

async function tokenImage(
  bytes: Uint8Array,
  eyes: ExtractedFace['eyes'],
): Promise<{ kind: 'tokenImage' } & TokenImage> {
  const [left, right] = eyes;
  const between = distance(left, right);
  const width = 12 * Math.round(Math.min(TOKEN.most, Math.max(TOKEN.least, between / TOKEN.apart)) / 12);
  const height = (width * 4) / 3;
  const y = Math.round(TOKEN.eyeLine * width);
  const places = [0.5 - TOKEN.apart / 2, 0.5 + TOKEN.apart / 2].map((share) => ({
    x: Math.round(share * width),
    y,
  }));
  const opened = await openImage(bytes);
  const view = await opened.detail(surroundings(eyes));
  const { data } = view.sample(fitSimilarity(places, eyes), width, height);
  return {
    kind: 'tokenImage',
    jpeg: await jpegOf(sharp(data, { raw: { width, height, channels: 3 } })),
    width,
    height,
    eyes: [places[0]!, places[1]!],
  };
}

/** As far from the eyes as the corners of a token image are, whichever way the head leans. */
function surroundings([left, right]: ExtractedFace['eyes']): Box {
  const reach = (distance(left, right) / TOKEN.apart) * 1.5;
  const { x, y } = centroid([left, right]);
  return { x: x - reach, y: y - reach, width: 2 * reach, height: 2 * reach };
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
async function closeView(opened: OpenedImage, overview: ImageView, face: MeshedFace): Promise<ImageView> {
  const eyes = interEyeDistance(face);
  if (overview.scale === 1 || eyes * overview.scale >= ENOUGH_BETWEEN_EYES) return overview;
  const side = eyes * CLOSE_VIEW;
  const x = face.box.x + face.box.width / 2 - side / 2;
  const y = face.box.y + face.box.height / 2 - side / 2;
  return opened.detail({ x, y, width: side, height: side });
}
