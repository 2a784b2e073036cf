/**
 * Which of the 468 points of the face mesh are what. Indices of the canonical face model of MediaPipe
 * (google/mediapipe, canonical_face_model_uv_visualization.png); "left" and "right" are sides of the image.
 */

/** Contour of each eye, corners first, then along the lids. */
export const LEFT_EYE = [33, 133, 160, 158, 153, 144] as const;
export const RIGHT_EYE = [263, 362, 387, 385, 380, 373] as const;

export const FOREHEAD_TOP = 10;
export const CHIN = 152;
/** Where the cheeks end, in front of the ears, at the height of the eyes. */
export const LEFT_CHEEK_EDGE = 234;
export const RIGHT_CHEEK_EDGE = 454;

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
