import { FACE_THUMBNAIL, type Point } from '../../contracts/faces.ts';
import type { FacePlace } from '../ports/blacklistTransfer.ts';

/**
 * Where a face is in its small picture: the similarity that brought its eyes there moves its box too (a lean of the head
 * is straightened there, so the box stays upright).
 */
export function placeInThumbnail({ box, eyes, confidence }: FacePlace): FacePlace {
  const [left, right] = FACE_THUMBNAIL.eyes.map(({ x, y }) => ({
    x: x * FACE_THUMBNAIL.side,
    y: y * FACE_THUMBNAIL.side,
  })) as [Point, Point];
  const scale = (right.x - left.x) / Math.hypot(eyes[1].x - eyes[0].x, eyes[1].y - eyes[0].y);
  const between = { x: (eyes[0].x + eyes[1].x) / 2, y: (eyes[0].y + eyes[1].y) / 2 };
  return {
    confidence,
    eyes: [left, right],
    box: {
      x: (left.x + right.x) / 2 + (box.x - between.x) * scale,
      y: left.y + (box.y - between.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    },
  };
}
