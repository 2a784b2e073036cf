/** Finds the faces of an image: what BlazeFace proposes and the mesh net confirms. */
import type { Box, ImageFacts } from '../contracts/faces.ts';
import {
  headsInMirror,
  keepBest,
  lookAtPart,
  lookAtWhole,
  proposeInTiles,
  scoreAgain,
  type HeadPlace,
  type Proposal,
  type Sight,
} from './detection.ts';
import { boxCenter, distance, intersectionOverSmaller, scaleOf, squareOnto } from './geometry.ts';
import { brightened, type ImageView } from './imageView.ts';
import { displacedFlag, fitMesh, refitMesh, type MeshedFace } from './mesh.ts';
import { BLAZEFACE_SIZE, type BlazeFace } from './nets/blazeface.ts';
import type { FaceMesher } from './nets/facemesh.ts';

export interface DetectionNets {
  blazeFace: BlazeFace;
  faceMesh: FaceMesher;
}

export interface FoundFace extends MeshedFace {
  /** The score of BlazeFace alone for this place, 0 to 1. */
  proposalScore: number;
  /** The lower judgement of the mesh net's two fits, 0 to 1. */
  leastFlag: number;
  /** Agreement of the two nets, 0 to 1. */
  confidence: number;
}

/**
 * The mesh is fitted twice, and its net judges twice whether there is a face: the surer judgement must reach the
 * first of these, the other one the second.
 */
const SURE_FLAG = 0.98;
const FAIR_FLAG = 0.4;

/**
 * A proposal that BlazeFace scores less (3 of 2,520 photos of people do) must convince the mesh net this much, on
 * average, on crops that are a little out of place. Dogs that pass both fits mostly fail here (ADR 0013).
 */
const WEAK_SCORE = 0.75;
const DISPLACED_FLAG = 0.92;

/**
 * Two meshes of which one has more than this share of its box in the other's are one face: tiles and the whole image
 * find the same one twice, and a mouth alone sometimes passes for a small face. Cheek to cheek, boxes share 0.25.
 */
const SAME_FACE_OVERLAP = 0.35;

export interface DetectionResult {
  /** Confirmed by both nets; largest first. */
  faces: readonly FoundFace[];
  /**
   * Heads beside them that the mesh net does not confirm as faces: behind a mask, a veil or a blur, or seen from behind.
   * Largest first.
   */
  unclear: readonly MeshedFace[];
}

/**
 * An unconfirmed proposal of this score is a head. Where no face was confirmed: of pictures without people one in 500 has
 * one. Beside a confirmed face the position says more: of 2,320 press photos 38 have one, and all of them show a head.
 */
const UNCLEAR_SCORE = 0.6;
const UNCLEAR_BESIDE_SCORE = 0.55;
/**
 * The same for a head as wide as the largest confirmed face: that one may be the subject of the photo, and the face beside
 * it another person's. A weaker proposal is looked at again, and the mean of both scores counts. 6 of the 2,320 photos
 * have such a head only by this lower bar; two of them show none.
 */
const UNCLEAR_LARGE_SCORE = 0.45;

/** A face under this share of the main face's width belongs to the background. */
export const BACKGROUND_FACE = 1 / 3;
/**
 * Heads that BlazeFace is not sure of: least logarithm of the odds, for one as wide as the largest confirmed face. By so much
 * less of it is asked for each doubling of the width, as the larger head is more likely the subject, and a hand or a ball
 * is rarely larger than the face. Up to so many doublings. The curve is in bench/README.md.
 */
const HIDDEN_ODDS = 1.4;
const ODDS_PER_DOUBLING = 2;
const MAX_DOUBLINGS = 0.7;
/**
 * The odds are the mean of those in the picture and in its mirror image. Where the first are by so much too low, the mirror image
 * is not looked at: that is so for 97 of 100 press photos. A place that is no head there counts with the second number.
 */
const WORTH_A_SECOND_LOOK = 2.1;
const UNSEEN_ODDS = -4;
/** A head is nowhere else in two looks by more than this, in widths. */
const SAME_PLACE = 0.6;
/**
 * In a picture more than so many times as wide as its largest face, a head is too small to be told, as in the scan of a page
 * with a photo. So the surroundings of the largest face, of so many widths, are looked at as well. They show paper and print
 * larger than the net knows them: the mean of all looks must be higher by the last number.
 */
const WIDE_PICTURE = 9;
const NEAR_PICTURES = [8, 10];
const NEAR_ODDS = 1.4;
/** Side of a sample of a place, pixels, and by how much its tones differ at most where nothing but paper or a wall is. */
const SAMPLE = 16;
const EVEN_TONES = 12;
/** A place so many doublings wider than the largest confirmed face is the page or the wall behind it. */
const WALL_DOUBLINGS = 2;
/** Heads beside a face that leans more than this from the upright of a look, radians, are looked for again along the face. */
const MAX_TILT = Math.PI / 4;
/** A head whose middle is nearer to the middle of one that was found, in widths of that one, is the same. */
const SAME_HEAD = 0.75;

/** A face under this share of the long side may be overlooked in the whole image, so tiles are looked at as well. */
const SMALL_FACE = 0.06;
/** A face under this many pixels is of no use, so tiles that could only find such ones are left out. */
const LEAST_PIXELS = 20;
/** In a tile a small face is large, and BlazeFace sure of it (0.9 and more); of a badge on a sleeve it is not. */
const TILE_SCORE = 0.6;

/**
 * @param smallestOfInterest width in pixels of the smallest face that would matter beside those found so far.
 * @param around where hidden heads are looked for in a picture in which faces are small: near the largest face, or near `each`,
 * as the portraits of a sheet are alike
 */
export async function findFaces(
  nets: DetectionNets,
  view: ImageView,
  image: ImageFacts,
  smallestOfInterest: (faces: readonly FoundFace[]) => number,
  around: 'largest' | 'each' = 'largest',
): Promise<DetectionResult> {
  const sight = await lookAtWhole(nets.blazeFace, view, image);
  let look: Look = { ...sight, faces: largestFirst(await confirm(nets, view, sight.proposals)) };
  const overlooked = SMALL_FACE * Math.max(image.width, image.height);
  if (overlooked > Math.max(LEAST_PIXELS, smallestOfInterest(look.faces))) {
    const inTiles = await proposeInTiles(nets.blazeFace, view, image);
    const likely = inTiles.filter(({ score }) => score >= TILE_SCORE);
    const small = await confirm(nets, view, likely);
    look = { ...look, faces: largestFirst(distinct([...look.faces, ...small])) };
  }
  if (look.faces.length === 0) look = (await findHidden(nets, view, image)) ?? look;
  else look = await turnOver(nets, view, image, look);
  const tilt = look.faces[0] === undefined ? 0 : (look.faces[0].pose.roll * Math.PI) / 180;
  // Seen sideways, a chest looks like a head.
  if (Math.cos(tilt - angleOf(look)) < Math.cos(MAX_TILT))
    look = {
      ...(await lookAtWhole(nets.blazeFace, view, image, tilt)),
      faces: look.faces,
      proposals: look.proposals,
    };
  const unclear: MeshedFace[] = [];
  for (const head of await unclearHeads(nets.blazeFace, view, look))
    unclear.push(await fitMesh(nets.faceMesh, view, head));
  const known = { faces: look.faces, unclear, around };
  const heads = await likelyHeads(nets.blazeFace, view, image, look, known);
  for (const { box } of hiddenHeads({ ...known, heads })) {
    const place = { center: boxCenter(box), side: box.width, roll: 0 };
    unclear.push({ ...(await fitMesh(nets.faceMesh, view, place)), box });
  }
  return { faces: largestFirst(look.faces), unclear: largestFirst(unclear) };
}

/** Sides of the squares that are looked at around a place, in its longer side. */
const CLOSER_LOOKS = [1.1, 1.7];

/**
 * Looks closer at a place of a large picture, in which a small or pale face was overlooked.
 * @param place pixels of the image @returns the confirmed faces whose middle lies in it, largest first
 */
export async function facesAt(
  nets: DetectionNets,
  view: ImageView,
  image: ImageFacts,
  place: Box,
): Promise<FoundFace[]> {
  const found: FoundFace[] = [];
  for (const share of CLOSER_LOOKS) {
    const side = share * Math.max(place.width, place.height);
    const onto = squareOnto(BLAZEFACE_SIZE, boxCenter(place), side, 0);
    const { proposals } = await lookAtPart(nets.blazeFace, view, image, onto);
    found.push(...(await confirm(nets, view, proposals)));
  }
  const isInPlace = ({ box }: FoundFace) => {
    const { x, y } = boxCenter(box);
    return x >= place.x && y >= place.y && x < place.x + place.width && y < place.y + place.height;
  };
  return largestFirst(distinct(found).filter(isInPlace));
}

/** The direction of the picture in the image, radians, clockwise. */
function angleOf({ onto }: Pick<Sight, 'onto'>): number {
  return Math.atan2(onto.b, onto.a);
}

/** A look at a picture, and the faces that were confirmed. */
interface Look extends Sight {
  faces: readonly FoundFace[];
}

/** Where a head is that cannot be confirmed as a face. Without any face the best proposal alone counts. */
async function unclearHeads(
  net: BlazeFace,
  view: ImageView,
  { faces, proposals }: Look,
): Promise<Proposal[]> {
  if (faces.length === 0) return proposals.filter(({ score }) => score >= UNCLEAR_SCORE).slice(0, 1);
  const widest = Math.max(...faces.map(({ box }) => box.width));
  const heads: Proposal[] = [];
  for (const proposal of proposals) {
    if (faces.some((face) => intersectionOverSmaller(face.box, proposal.box) >= SAME_FACE_OVERLAP)) continue;
    if (await looksLikeHead(net, view, proposal, widest)) heads.push(proposal);
  }
  return heads;
}

/** Faces and heads of a picture that were found already. */
interface Known {
  faces: readonly { box: Box }[];
  unclear: readonly { box: Box }[];
}

/** The likely heads beside the confirmed faces, with the mean of their odds in several looks and their mirror images. */
export async function likelyHeads(
  net: BlazeFace,
  view: ImageView,
  image: { width: number; height: number },
  whole: Pick<Sight, 'onto' | 'heads'>,
  known: Known & { around?: 'largest' | 'each' },
): Promise<HeadPlace[]> {
  if (known.faces.length === 0) return [];
  const parts = [{ more: 0, looks: [whole] }];
  for (const { box } of known.around === 'each' ? known.faces : known.faces.slice(0, 1)) {
    if (scaleOf(whole.onto) * BLAZEFACE_SIZE <= WIDE_PICTURE * box.width) continue;
    const looks = [];
    for (const widths of NEAR_PICTURES) {
      const near = squareOnto(BLAZEFACE_SIZE, boxCenter(box), widths * box.width, angleOf(whole));
      const { onto, heads } = await lookAtPart(net, view, image, near);
      looks.push({ onto, heads: heads.filter((head) => !isBlank(view, head.box)) });
    }
    parts.push({ more: NEAR_ODDS, looks });
  }
  const found: HeadPlace[] = [];
  for (const { more, looks } of parts) {
    const [{ heads } = whole, ...others] = looks;
    const likely = hiddenHeads({ ...known, heads }, HIDDEN_ODDS - WORTH_A_SECOND_LOOK + more);
    if (likely.length === 0) continue;
    const opinions = others.map((look) => look.heads);
    for (const { onto } of looks) opinions.push(await headsInMirror(net, view, image, onto));
    for (const head of likely) {
      let sum = head.odds;
      for (const places of opinions) {
        const same = places.filter((place) => isSamePlace(head, place));
        sum += Math.max(UNSEEN_ODDS, ...same.map(({ odds }) => odds));
      }
      found.push({ ...head, odds: sum / (1 + opinions.length) - more });
    }
  }
  return found;
}

function isBlank(view: ImageView, box: Box): boolean {
  const { data } = view.sample(squareOnto(SAMPLE, boxCenter(box), box.width, 0), SAMPLE, SAMPLE);
  const greens = data.filter((_, i) => i % 3 === 1);
  return Math.max(...greens) - Math.min(...greens) <= EVEN_TONES;
}

/** Heads that count beside the largest confirmed face and are none of the heads that were found. */
export function hiddenHeads(
  { faces, unclear, heads }: Known & { heads: readonly HeadPlace[] },
  leastOdds = HIDDEN_ODDS,
): HeadPlace[] {
  if (faces.length === 0) return [];
  const widest = Math.max(...faces.map(({ box }) => box.width));
  const kept: HeadPlace[] = [];
  for (const head of heads) {
    const doublings = Math.log2(head.box.width / widest);
    const least = leastOdds - ODDS_PER_DOUBLING * Math.min(MAX_DOUBLINGS, doublings);
    if (head.odds < least || doublings < Math.log2(BACKGROUND_FACE) || doublings > WALL_DOUBLINGS) continue;
    if ([...faces, ...unclear, ...kept].every(({ box }) => !isSameHead(box, head))) kept.push(head);
  }
  return kept;
}

function isSameHead(found: Box, { box, reach }: HeadPlace): boolean {
  return distance(boxCenter(found), boxCenter(box)) < Math.max(reach, SAME_HEAD * found.width);
}

/** Whether a place of another look is this head: nearly there, and less than twice or half as wide. */
function isSamePlace({ box, reach }: HeadPlace, other: HeadPlace): boolean {
  const apart = distance(boxCenter(box), boxCenter(other.box));
  const doublings = Math.abs(Math.log2(other.box.width / box.width));
  return apart < SAME_PLACE * Math.max(box.width, reach) && doublings < 1;
}

/** @param widest width of the largest confirmed face, pixels of the image. */
async function looksLikeHead(
  net: BlazeFace,
  view: ImageView,
  proposal: Proposal,
  widest: number,
): Promise<boolean> {
  const { score, side } = proposal;
  if (side < widest) return score >= UNCLEAR_BESIDE_SCORE;
  return (
    score >= UNCLEAR_LARGE_SCORE ||
    (score + (await scoreAgain(net, view, proposal))) / 2 >= UNCLEAR_LARGE_SCORE
  );
}

/**
 * The upright faces of a camera's frame, largest first. One look at the whole frame: a person at a camera is large in it,
 * and the next frame follows, so the looks at tiles, dark and turned pictures are left out.
 */
export async function findFacesOfFrame(
  nets: DetectionNets,
  view: ImageView,
  image: ImageFacts,
): Promise<readonly FoundFace[]> {
  const { proposals } = await lookAtWhole(nets.blazeFace, view, image);
  return largestFirst(await confirm(nets, view, proposals));
}

/** Turns to try when an image shows no face as it is: a camera held upside down or sideways, a scan laid askew. */
const TURNS = [180, 90, -90, 45, -45, 135, -135].map((degrees) => (degrees * Math.PI) / 180);

/**
 * Seven more looks at pictures that hold no face would find seven times as many that are none. What a photo that lies
 * askew was taken of is larger than this share of its long side, and BlazeFace is this sure of it.
 */
const TURNED_FACE = 0.1;
const TURNED_SCORE = 0.6;

/** Faces in the dark, then turned ones; the first attempt that finds any ends the search. */
async function findHidden(
  nets: DetectionNets,
  view: ImageView,
  image: ImageFacts,
): Promise<Look | undefined> {
  const lit = brightened(view);
  if (lit !== undefined) {
    const sight = await lookAtWhole(nets.blazeFace, lit, image);
    const faces = await confirm(nets, lit, sight.proposals);
    if (faces.length > 0) return turnOver(nets, lit, image, { ...sight, faces });
  }
  const least = TURNED_FACE * Math.max(image.width, image.height);
  for (const turn of TURNS) {
    const sight = await lookAtWhole(nets.blazeFace, view, image, turn);
    const likely = sight.proposals.filter(({ score, side }) => score >= TURNED_SCORE && side >= least);
    const faces = await confirm(nets, view, likely);
    if (faces.length > 0) return turnOver(nets, view, image, { ...sight, faces });
  }
  return undefined;
}

/**
 * Of a face that is fitted the wrong way round BlazeFace is rarely surer than this, and if it is, one fit of the mesh doubts
 * it. Upright, 90 of 100 photos pass both.
 */
const DOUBTFUL_SCORE = 0.87;
const STEADY_FLAG = 0.995;

function isDoubtful({ proposalScore, leastFlag }: FoundFace): boolean {
  return proposalScore < DOUBTFUL_SCORE || leastFlag < STEADY_FLAG;
}

/**
 * A face is sometimes fitted the wrong way round, forehead as chin: one that stands on its head, or one that fills the
 * picture. Looks again upside down, and takes what lies in the place of a doubtful face if the mesh net recognises it
 * better a little out of place. BlazeFace's scores tell less: bench/README.md.
 */
async function turnOver(nets: DetectionNets, view: ImageView, image: ImageFacts, look: Look): Promise<Look> {
  if (!look.faces.some(isDoubtful)) return look;
  const { proposals } = await lookAtWhole(nets.blazeFace, view, image, angleOf(look) + Math.PI);
  const faces: FoundFace[] = [];
  for (const face of look.faces) {
    const inPlace = proposals.filter(
      ({ box }) => intersectionOverSmaller(box, face.box) >= SAME_FACE_OVERLAP,
    );
    const [turned] = isDoubtful(face) ? await confirm(nets, view, inPlace) : [];
    const better =
      turned !== undefined &&
      (await displacedFlag(nets.faceMesh, view, turned)) > (await displacedFlag(nets.faceMesh, view, face));
    faces.push(better ? turned : face);
  }
  return { ...look, faces };
}

async function confirm(
  nets: DetectionNets,
  view: ImageView,
  proposals: readonly Proposal[],
): Promise<FoundFace[]> {
  const faces: FoundFace[] = [];
  for (const proposal of keepBest(proposals)) {
    const first = await fitMesh(nets.faceMesh, view, proposal);
    if (first.flag < FAIR_FLAG) continue;
    const second = await refitMesh(nets.faceMesh, view, first);
    const leastFlag = Math.min(first.flag, second.flag);
    if (leastFlag < FAIR_FLAG || Math.max(first.flag, second.flag) < SURE_FLAG) continue;
    // On a profile the second fit may slip off the face; where it does, its own judgement says so.
    const face = second.flag >= SURE_FLAG ? second : first;
    const { score } = proposal;
    if (score < WEAK_SCORE && (await displacedFlag(nets.faceMesh, view, face)) < DISPLACED_FLAG) continue;
    faces.push({ ...face, proposalScore: score, leastFlag, confidence: Math.min(face.flag, score) });
  }
  return distinct(faces);
}

function largestFirst<F extends MeshedFace>(faces: readonly F[]): F[] {
  return faces.toSorted((p, q) => q.box.width - p.box.width);
}

/** Keeps the surest of every group that overlaps. */
function distinct(faces: readonly FoundFace[]): FoundFace[] {
  const kept: FoundFace[] = [];
  for (const face of faces.toSorted((p, q) => q.confidence - p.confidence)) {
    if (kept.every((other) => intersectionOverSmaller(other.box, face.box) < SAME_FACE_OVERLAP))
      kept.push(face);
  }
  return kept;
}
