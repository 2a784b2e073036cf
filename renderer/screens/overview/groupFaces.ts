/** Where the faces of the demo's group photos are. `npm run demo` cuts the same portraits. */

export type FaceBox = readonly [x: number, y: number, width: number, height: number];

/** A portrait is cut with this much around the face box, in face widths. */
export const MARGIN = 0.55;

/** The face boxes of each photo, pixels, as the detector of the product found them. */
export const GROUP_FACES = {
  sample1: [
    [1467, 227, 209, 206],
    [832, 446, 204, 203],
    [420, 388, 180, 210],
  ],
  sample2: [
    [1440, 183, 212, 208],
    [897, 276, 176, 175],
    [364, 175, 170, 247],
  ],
  sample3: [
    [1071, 241, 231, 262],
    [1472, 323, 221, 248],
    [593, 354, 209, 246],
  ],
  sample4: [
    [659, 86, 188, 214],
    [238, 221, 184, 218],
    [984, 214, 176, 200],
    [1277, 174, 168, 198],
  ],
  sample5: [
    [359, 896, 234, 273],
    [1405, 416, 215, 246],
    [1111, 224, 180, 216],
    [590, 444, 178, 223],
    [776, 127, 173, 206],
  ],
  sample6: [
    [246, 515, 223, 244],
    [1481, 294, 220, 262],
    [669, 364, 217, 259],
    [1169, 351, 203, 226],
  ],
} as const satisfies Record<string, readonly FaceBox[]>;
