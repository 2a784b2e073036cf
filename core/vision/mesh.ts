/** A face in detail: 468 points of its surface, fitted to a place that the detector proposes. */
import type { Box, Point } from '../contracts/faces.ts';
import {
  boundingBox,
  boxCenter,
  centroid,
  distance,
  squareOnto,
  transform,
  type Similarity,
} from './geometry.ts';
import type { ImageView } from './imageView.ts';
import { FACEMESH_SIZE, MESH_POINTS, type FaceMesh, type FaceMesher } from './nets/facemesh.ts';
import type { Raster } from './raster.ts';

/*
 * Indices of the 468 points in the canonical face model of MediaPipe (google/mediapipe,
 * canonical_face_model_uv_visualization.png); "left" and "right" are sides of the image.
 */

/** Contour of each eye, corners first, then along the lids. */
const LEFT_EYE = [33, 133, 160, 158, 153, 144] as const;
const RIGHT_EYE = [263, 362, 387, 385, 380, 373] as const;

const FOREHEAD_TOP = 10;
const CHIN = 152;
/** Where the cheeks end, in front of the ears, at the height of the eyes. */
const LEFT_CHEEK_EDGE = 234;
const RIGHT_CHEEK_EDGE = 454;

export const NOSE_TIP = 4;
export const LEFT_MOUTH_CORNER = 61;
export const RIGHT_MOUTH_CORNER = 291;

/**
 * The points of the mesh nearest to points 27–35 (nose), 36–47 (eyes), 48–54 and 60–64 (upper lip, corners, inner
 * mouth) of the 68-point scheme of iBUG 300-W, in that order: those by which dlib aligns a face.
 */
export const ALIGNMENT_POINTS = [
  ...[168, 197, 5, 4, 75, 97, 2, 326, 305],
  ...[33, 160, 158, 133, 153, 144],
  ...[362, 385, 387, 263, 373, 380],
  ...[61, 39, 37, 0, 267, 269, 291],
  ...[78, 82, 13, 312, 308],
] as const;

/** Head pose in degrees, 0 for a frontal upright face. */
export interface Pose {
  /** Positive when the nose points to the right of the image. */
  yaw: number;
  /** Positive when the face looks down. */
  pitch: number;
  /** Positive when the head leans clockwise in the image. */
  roll: number;
}

/** Positions in pixels of the upright original image. */
export interface MeshedFace {
  /** Probability that there is a face, 0 to 1. */
  flag: number;
  points: readonly Point[];
  /** Centres of the eyes, first the one that is left when the face is upright. */
  eyes: readonly [Point, Point];
  box: Box;
  pose: Pose;
}

/** The mesh net wants the face with room around: the side of its crop, in sides of BlazeFace's square. */
const CROP_PER_PROPOSAL = 1.5;
/** The same, in the longer side of the box around the mesh's own points. */
const CROP_PER_MESH = 1.5;

/** Fits the mesh to a square place in the image. */
export async function fitMesh(
  net: FaceMesher,
  view: ImageView,
  place: { center: Point; side: number; roll: number },
): Promise<MeshedFace> {
  const side = place.side * CROP_PER_PROPOSAL;
  return fitInCrop(net, view, { ...place, side });
}

/** Fits it again from where it was found: steadier, since the crop no longer depends on the detector's luck. */
export function refitMesh(net: FaceMesher, view: ImageView, face: MeshedFace): Promise<MeshedFace> {
  const roll = (face.pose.roll * Math.PI) / 180;
  // The box is measured along the face's own axes, so that a turned head keeps its size.
  const upright = boundingBox(face.points.map((point) => transform(rotation(-roll), point)));
  const center = transform(rotation(roll), boxCenter(upright));
  const side = Math.max(upright.width, upright.height) * CROP_PER_MESH;
  return fitInCrop(net, view, { center, side, roll });
}

/** A crop beside the one that a face was fitted in: shifted and resized by shares of the face, turned by degrees. */
interface Displacement {
  across: number;
  down: number;
  side: number;
  turn: number;
}

/** The net was trained on faces that lie like this in their crop; what only looks like one rarely survives all four. */
const DISPLACEMENTS: readonly Displacement[] = [
  { across: 0.1, down: 0, side: 0.85, turn: 10 },
  { across: -0.1, down: 0, side: 0.85, turn: -10 },
  { across: 0, down: 0.1, side: 0.85, turn: 10 },
  { across: 0, down: 0, side: 0.75, turn: 0 },
];

/** How sure the net is of a face, 0 to 1, when it is shown a little out of place: the mean over four such crops. */
export async function displacedFlag(net: FaceMesher, view: ImageView, face: MeshedFace): Promise<number> {
  const { width, height } = face.box;
  const middle = boxCenter(face.box);
  const crops = new Uint8Array(DISPLACEMENTS.length * FACEMESH_SIZE * FACEMESH_SIZE * 3);
  for (const [i, { across, down, side, turn }] of DISPLACEMENTS.entries()) {
    const center = { x: middle.x + across * width, y: middle.y + down * height };
    const roll = ((face.pose.roll + turn) * Math.PI) / 180;
    const picture = sampleCrop(view, { center, side: Math.max(width, height) * side * CROP_PER_MESH, roll });
    crops.set(picture.data, i * picture.data.length);
  }
  const fits = await net(crops);
  return fits.reduce((sum, { flag }) => sum + flag, 0) / fits.length;
}

function rotation(angle: number) {
  return { a: Math.cos(angle), b: Math.sin(angle), tx: 0, ty: 0 };
}

interface Crop {
  center: Point;
  side: number;
  /** Radians. */
  roll: number;
}

function cropOnto({ center, side, roll }: Crop): Similarity {
  return squareOnto(FACEMESH_SIZE, center, side, roll);
}

function sampleCrop(view: ImageView, crop: Crop): Raster {
  return view.sample(cropOnto(crop), FACEMESH_SIZE, FACEMESH_SIZE, 'black');
}

async function fitInCrop(net: FaceMesher, view: ImageView, crop: Crop): Promise<MeshedFace> {
  const cropToImage = cropOnto(crop);
  const [mesh] = await net(sampleCrop(view, crop).data);
  const points = meshPoints(mesh!).map((point) => transform(cropToImage, point));
  const eyes = [eyeCenter(points, LEFT_EYE), eyeCenter(points, RIGHT_EYE)] as const;
  return { flag: mesh!.flag, points, eyes, box: boundingBox(points), pose: poseOf(mesh!, eyes) };
}

function meshPoints({ points }: FaceMesh): Point[] {
  return Array.from({ length: MESH_POINTS }, (_, i) => ({ x: points[3 * i]!, y: points[3 * i + 1]! }));
}

function eyeCenter(points: readonly Point[], eye: readonly number[]): Point {
  return centroid(eye.map((index) => points[index]!));
}

/**
 * Yaw and pitch from the depth that the mesh gives to the edges of the face (in the crop, where roll is taken out),
 * roll from the line through the eyes in the image.
 */
function poseOf({ points }: FaceMesh, [left, right]: readonly [Point, Point]): Pose {
  const at = (index: number) => ({
    x: points[3 * index]!,
    y: points[3 * index + 1]!,
    z: points[3 * index + 2]!,
  });
  const leftEdge = at(LEFT_CHEEK_EDGE);
  const rightEdge = at(RIGHT_CHEEK_EDGE);
  const top = at(FOREHEAD_TOP);
  const bottom = at(CHIN);
  return {
    yaw: degrees(Math.atan2(rightEdge.z - leftEdge.z, rightEdge.x - leftEdge.x)),
    pitch: degrees(Math.atan2(bottom.z - top.z, bottom.y - top.y)),
    roll: degrees(Math.atan2(right.y - left.y, right.x - left.x)),
  };
}

function degrees(radians: number): number {
  return (radians * 180) / Math.PI;
}

/** Distance between the centres of the eyes, pixels of the original image. */
export function interEyeDistance({ eyes }: MeshedFace): number {
  return distance(eyes[0], eyes[1]);
}
