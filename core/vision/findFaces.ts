/** Finds the faces of an image: what BlazeFace proposes and the mesh net confirms. */
import type { ImageFacts } from '../contracts/faces.ts';
import { keepBest, proposeInTiles, proposeInWhole, type Proposal } from './detection.ts';
import { intersectionOverUnion } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import { fitMesh, refitMesh, type MeshedFace } from './mesh.ts';
import type { BlazeFace } from './nets/blazeface.ts';
import type { FaceMesher } from './nets/facemesh.ts';

export interface DetectionNets {
  blazeFace: BlazeFace;
  faceMesh: FaceMesher;
}

export interface FoundFace extends MeshedFace {
  /** Agreement of the two nets, 0 to 1. */
  confidence: number;
}

/** Least probability that the mesh net must give to a face. */
const MIN_FLAG = 0.9;

/**
 * Two meshes that overlap more than this are one face. Tiles and the whole image often find the same one twice.
 */
const SAME_FACE_OVERLAP = 0.4;

/**
 * A face under this share of the long side may be overlooked in the whole image, so tiles are looked at as well.
 */
const SMALL_FACE = 0.06;

/** Largest face first. */
export async function findFaces(
  nets: DetectionNets,
  view: ImageView,
  image: ImageFacts,
  options: { smallestOfInterest: (faces: readonly FoundFace[]) => number },
): Promise<FoundFace[]> {
  let faces = await confirm(nets, view, await proposeInWhole(nets.blazeFace, view, image));
  const longSide = Math.max(image.width, image.height);
  if (options.smallestOfInterest(faces) < SMALL_FACE * longSide) {
    const small = await confirm(nets, view, await proposeInTiles(nets.blazeFace, view, image));
    faces = distinct([...faces, ...small]);
  }
  if (faces.length === 0) faces = await findTurned(nets, view, image);
  return faces.toSorted((p, q) => q.box.width - p.box.width);
}

/** Turns to try when an image shows no face as it is: a camera held sideways or upside down, a scan laid askew. */
const TURNS = [180, 90, -90, 45, -45, 135, -135].map((degrees) => (degrees * Math.PI) / 180);

async function findTurned(nets: DetectionNets, view: ImageView, image: ImageFacts): Promise<FoundFace[]> {
  for (const turn of TURNS) {
    const faces = await confirm(nets, view, await proposeInWhole(nets.blazeFace, view, image, turn));
    if (faces.length > 0) return faces;
  }
  return [];
}

async function confirm(
  nets: DetectionNets,
  view: ImageView,
  proposals: readonly Proposal[],
): Promise<FoundFace[]> {
  const faces: FoundFace[] = [];
  for (const proposal of keepBest(proposals)) {
    const first = await fitMesh(nets.faceMesh, view, proposal);
    if (first.flag < MIN_FLAG) continue;
    const face = await refitMesh(nets.faceMesh, view, first);
    if (face.flag >= MIN_FLAG) faces.push({ ...face, confidence: Math.min(face.flag, proposal.score) });
  }
  return distinct(faces);
}

/** Keeps the surest of every group that overlaps. */
function distinct(faces: readonly FoundFace[]): FoundFace[] {
  const kept: FoundFace[] = [];
  for (const face of faces.toSorted((p, q) => q.confidence - p.confidence)) {
    if (kept.every((other) => intersectionOverUnion(other.box, face.box) < SAME_FACE_OVERLAP))
      kept.push(face);
  }
  return kept;
}
