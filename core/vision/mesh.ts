/** A face in detail: 468 points of its surface, fitted to a place that the detector proposes. */
import type { Box, Point } from '../contracts/faces.ts';
import { boundingBox, boxCenter, centroid, distance, squareOnto, transform } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import { CHIN, FOREHEAD_TOP, LEFT_CHEEK_EDGE, LEFT_EYE, RIGHT_CHEEK_EDGE, RIGHT_EYE } from './meshPoints.ts';
import { FACEMESH_SIZE, MESH_POINTS, type FaceMesh, type FaceMesher } from './nets/facemesh.ts';

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

function rotation(angle: number) {
  return { a: Math.cos(angle), b: Math.sin(angle), tx: 0, ty: 0 };
}

async function fitInCrop(
  net: FaceMesher,
  view: ImageView,
  crop: { center: Point; side: number; roll: number },
): Promise<MeshedFace> {
  const cropToImage = squareOnto(FACEMESH_SIZE, crop.center, crop.side, crop.roll);
  const picture = view.sample(cropToImage, FACEMESH_SIZE, FACEMESH_SIZE, 'black');
  const [mesh] = await net(picture.data);
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
