/**
 * Quality components of a portrait by ISO/IEC 29794-5:2025, as far as landmarks and pixels support them. Each formula and each
 * mapping to 0–100 is that of the standard, as published with its reference implementation OFIQ (BSI-OFIQ/OFIQ-Project:
 * `data/ofiq_config.jaxn` and the measures of the same names). Differences: the landmarks are of the face mesh instead of ADNet,
 * the pose is the mesh's own, and objects before the face are not left out of the face region.
 */
import type { ImageFacts, Point } from '../contracts/faces.ts';
import { PORTRAIT_COMPONENTS, type PortraitCheck, type PortraitComponent } from '../contracts/portrait.ts';
import { centroid, distance, fitSimilarity, transform } from './geometry.ts';
import type { ImageView } from './imageView.ts';
import { LEFT_MOUTH_CORNER, NOSE_TIP, RIGHT_MOUTH_CORNER, type MeshedFace } from './mesh.ts';
import type { Raster } from './raster.ts';

/** Points of the mesh nearest to those that the standard's measures use; "left" and "right" are sides of the image. */
const EYE_CORNERS = { left: [33, 133], right: [362, 263] } as const;
const LIDS = {
  left: [
    [160, 144],
    [159, 145],
    [158, 153],
  ],
  right: [
    [385, 380],
    [386, 374],
    [387, 373],
  ],
} as const;
const INNER_LIPS = [
  [81, 178],
  [13, 14],
  [311, 402],
] as const;
const CHIN = 152;
/** Jaw from temple to temple, and brows: their hull is the face region, as that of the 98 landmarks is. */
const REGION = [
  ...[127, 234, 93, 132, 58, 172, 136, 150, 149, 176, 148, 152, 377, 400, 378, 379, 365, 397, 288, 361, 323],
  ...[454, 356, 70, 63, 105, 66, 107, 336, 296, 334, 293, 300],
] as const;

/** The aligned picture of the standard's measures: its side, and the places of eyes, nose tip and mouth corners; pixels. */
const SIDE = 616;
const ALIGNED: readonly Point[] = [
  { x: 251, y: 272 },
  { x: 364, y: 272 },
  { x: 308, y: 336 },
  { x: 262, y: 402 },
  { x: 355, y: 402 },
];

/** Luminance of a pixel that is nearly black or nearly white, borders included. */
const DARK = [0, 25] as const;
const LIGHT = [247, 255] as const;

const sigmoid = (x: number, x0: number, w: number) => 1 / (1 + Math.exp((x0 - x) / w));

/** The quality component of each native value, before it is rounded and limited to 0–100. */
const MAPPINGS: Readonly<Record<PortraitComponent, (native: number) => number>> = {
  illuminationUniformity: (x) => 100 * x ** 0.3,
  luminanceMean: (x) => 100 * sigmoid(x, 0.2, 0.05) * (1 - sigmoid(x, 0.8, 0.05)),
  luminanceVariance: (x) => 100 * Math.sin(((60 * x) / (60 * x + 1)) * Math.PI),
  underExposurePrevention: (x) => 120 * (0.832 - sigmoid(x, 0.92, 0.05)),
  overExposurePrevention: (x) => 1 / (x + 0.01),
  dynamicRange: (x) => 12.5 * x,
  naturalColour: (x) => 200 * (1 - sigmoid(x, 0, 10)),
  singleFacePresent: (x) => 100 * (1 - x),
  eyesOpen: (x) => 100 * sigmoid(x, 0.02, 0.01),
  mouthClosed: (x) => 100 * (1 - sigmoid(x, 0.2, 0.06)),
  interEyeDistance: (x) => 100 * sigmoid(x, 70, 20),
  headSize: (x) => 200 * (1 - sigmoid(Math.abs(x - 0.45), 0, 0.05)),
  leftwardCrop: (x) => 100 * sigmoid(x, 0.9, 0.1),
  rightwardCrop: (x) => 100 * sigmoid(x, 0.9, 0.1),
  marginAbove: (x) => 100 * sigmoid(x, 1.4, 0.1),
  marginBelow: (x) => 100 * sigmoid(x, 1.8, 0.1),
  headPoseYaw: frontal,
  headPosePitch: frontal,
  headPoseRoll: frontal,
};

function frontal(degrees: number): number {
  return 100 * Math.cos((degrees * Math.PI) / 180) ** 2;
}

/** The quality component, 0 to 100, of a native value. */
export function qualityComponent(component: PortraitComponent, native: number): number {
  return Math.min(100, Math.max(0, Math.round(MAPPINGS[component](native))));
}

/**
 * Measures a face.
 * @param view holds the face and its surroundings, with as many pixels as there are
 * @param image the upright original
 * @param faces all of the image
 */
export function portraitComponents(
  view: ImageView,
  image: ImageFacts,
  face: MeshedFace,
  faces: readonly MeshedFace[],
): PortraitCheck[] {
  const native = { ...ofLandmarks(image, face, faces), ...ofPixels(view, face) };
  return PORTRAIT_COMPONENTS.map((component) => ({
    component,
    native: native[component],
    value: qualityComponent(component, native[component]),
  }));
}

type Eyes = Record<'left' | 'right' | 'middle', Point>;

function eyesOf(points: readonly Point[]): Eyes {
  const [left, right] = [EYE_CORNERS.left, EYE_CORNERS.right].map((of) =>
    centroid(of.map((i) => points[i]!)),
  );
  return { left: left!, right: right!, middle: centroid([left!, right!]) };
}

/** Native values that follow from places alone. Lengths are in distances from the middle of the eyes to the chin, or between the eyes. */
function ofLandmarks(
  { width, height }: ImageFacts,
  { points, pose }: MeshedFace,
  faces: readonly MeshedFace[],
) {
  const eyes = eyesOf(points);
  const between = distance(eyes.left, eyes.right);
  const toChin = distance(eyes.middle, points[CHIN]!);
  const widest = (pairs: readonly (readonly [number, number])[]) =>
    Math.max(...pairs.map(([one, other]) => distance(points[one]!, points[other]!)));
  const [largest = 1, second = 0] = faces
    .map(({ box }) => box.width * box.height)
    .toSorted((one, other) => other - one);
  return {
    // 0: one face. Near 1: another face is nearly as large.
    singleFacePresent: Math.sqrt(second / largest),
    eyesOpen: Math.min(widest(LIDS.left), widest(LIDS.right)) / toChin,
    mouthClosed: widest(INNER_LIPS) / toChin,
    // As if the head were not turned.
    interEyeDistance: between / Math.cos((pose.yaw * Math.PI) / 180),
    headSize: toChin / height,
    // From the edge to the eye further away from it.
    leftwardCrop: eyes.right.x / between,
    rightwardCrop: (width - eyes.left.x) / between,
    marginAbove: eyes.middle.y / toChin,
    marginBelow: (height - eyes.middle.y) / toChin,
    headPoseYaw: pose.yaw,
    headPosePitch: pose.pitch,
    headPoseRoll: pose.roll,
  };
}

/** Native values that follow from the pixels of the aligned face. */
function ofPixels(view: ImageView, { points }: MeshedFace) {
  const { left, right } = eyesOf(points);
  const anchors = [left, right, ...[NOSE_TIP, LEFT_MOUTH_CORNER, RIGHT_MOUTH_CORNER].map((i) => points[i]!)];
  const aligned = view.sample(fitSimilarity(ALIGNED, anchors), SIDE, SIDE, 'black');
  const toAligned = fitSimilarity(anchors, ALIGNED);
  const places = points.map((point) => transform(toAligned, point));
  const light = luminance(aligned);
  const histogram = shares(light, regionOf(REGION.map((i) => places[i]!)));
  const mean = weighted(histogram, (level) => level / 255);
  const cheeks = cheeksOf(places);
  const [one, other] = cheeks.map((cheek) => shares(light, cheek));
  return {
    illuminationUniformity: one!.reduce((sum, share, level) => sum + Math.min(share, other![level]!), 0),
    luminanceMean: mean,
    luminanceVariance: weighted(histogram, (level) => (level / 255 - mean) ** 2),
    underExposurePrevention: sumOf(histogram.subarray(DARK[0], DARK[1] + 1)),
    overExposurePrevention: sumOf(histogram.subarray(LIGHT[0], LIGHT[1] + 1)),
    // Entropy, bits.
    dynamicRange: histogram.reduce((sum, share) => (share === 0 ? sum : sum - share * Math.log2(share)), 0),
    naturalColour: colourFault(aligned, cheeks.flat()),
  };
}

/** Two squares beside the nose below the eyes, pixels of the aligned picture; empty as far as they lie outside. */
function cheeksOf(places: readonly Point[]): number[][] {
  const { left, right, middle } = eyesOf(places);
  const side = Math.trunc(distance(left, right) * 0.3);
  const lips = INNER_LIPS[1].map((i) => places[i]!);
  const down = Math.trunc(distance(middle, centroid(lips)) / 2);
  return [
    { x: Math.round(left.x), y: Math.round(left.y) + down },
    { x: Math.round(right.x) - side, y: Math.round(right.y) + down },
  ].map(({ x, y }) => {
    const pixels: number[] = [];
    for (let row = Math.max(0, y); row < Math.min(SIDE, y + side); row++)
      for (let column = Math.max(0, x); column < Math.min(SIDE, x + side); column++)
        pixels.push(row * SIDE + column);
    return pixels;
  });
}

/** The pixels of the aligned picture inside the convex hull of some points. */
function regionOf(points: readonly Point[]): number[] {
  const hull = convexHull(points);
  const pixels: number[] = [];
  for (let row = 0; row < SIDE; row++) {
    const crossings = hull.flatMap((from, i) => {
      const to = hull[(i + 1) % hull.length]!;
      if (from.y <= row === to.y <= row) return [];
      return [from.x + ((row - from.y) / (to.y - from.y)) * (to.x - from.x)];
    });
    if (crossings.length < 2) continue;
    const first = Math.max(0, Math.ceil(Math.min(...crossings)));
    const last = Math.min(SIDE - 1, Math.floor(Math.max(...crossings)));
    for (let column = first; column <= last; column++) pixels.push(row * SIDE + column);
  }
  return pixels;
}

/** Andrew's monotone chain (Information Processing Letters 9, 1979). */
function convexHull(points: readonly Point[]): Point[] {
  const sorted = points.toSorted((p, q) => p.x - q.x || p.y - q.y);
  const chain = (of: readonly Point[]) => {
    const hull: Point[] = [];
    for (const point of of) {
      while (hull.length > 1 && turn(hull.at(-2)!, hull.at(-1)!, point) <= 0) hull.pop();
      hull.push(point);
    }
    return hull.slice(0, -1);
  };
  return [...chain(sorted), ...chain(sorted.toReversed())];
}

function turn(a: Point, b: Point, c: Point): number {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/** Light of a channel, 0 to 1, from its sRGB value, 0 to 1 (IEC 61966-2-1). */
function linear(value: number): number {
  return value > 0.04045 ? ((value + 0.055) / 1.055) ** 2.4 : value / 12.92;
}
const LINEAR = Float64Array.from({ length: 256 }, (_, value) => linear(value / 255));

/** Relative luminance of every pixel (ITU-R BT.709), 0 to 255, rounded. */
function luminance({ data }: Raster): Uint8Array {
  return Uint8Array.from({ length: data.length / 3 }, (_, pixel) => {
    const at = 3 * pixel;
    const [r, g, b] = [LINEAR[data[at]!]!, LINEAR[data[at + 1]!]!, LINEAR[data[at + 2]!]!];
    return Math.round(255 * (0.2126 * r + 0.7152 * g + 0.0722 * b));
  });
}

/** The share of each luminance among some pixels. */
function shares(light: Uint8Array, pixels: readonly number[]): Float64Array {
  const histogram = new Float64Array(256);
  for (const pixel of pixels) histogram[light[pixel]!]! += 1 / pixels.length;
  return histogram;
}

function sumOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0);
}

function weighted(histogram: Float64Array, of: (level: number) => number): number {
  return histogram.reduce((sum, share, level) => sum + share * of(level), 0);
}

/** Mean values of a* and b* of skin: the colour is natural between them. */
const NATURAL = { a: [5, 25], b: [5, 35] } as const;
/** Of a colour that no skin has. */
const UNNATURAL = 100;

/** How far the mean colour of the cheeks is from that of skin, in CIELAB; 0: natural. */
function colourFault({ data }: Raster, pixels: readonly number[]): number {
  const mean = [0, 1, 2].map(
    (channel) =>
      pixels.reduce((sum, pixel) => sum + data[3 * pixel + channel]!, 0) / Math.max(1, pixels.length) / 255,
  );
  const [r, g, b] = mean.map(linear) as [number, number, number];
  // To CIE XYZ under D50 (Bradford), relative to its white point.
  const x = f((r * 0.43605 + g * 0.38508 + b * 0.14309) / 0.964221);
  const y = f(r * 0.22249 + g * 0.71689 + b * 0.06062);
  const z = f((r * 0.01393 + g * 0.0971 + b * 0.71419) / 0.825211);
  const lab = { a: 500 * (x - y), b: 200 * (y - z) };
  if (lab.a < 0 || lab.b < 0) return UNNATURAL;
  const beyond = (value: number, [least, most]: readonly [number, number]) =>
    Math.max(0, least - value, value - most);
  return Math.hypot(beyond(lab.a, NATURAL.a), beyond(lab.b, NATURAL.b));
}

/** The cube root of CIELAB, linear near black (CIE 15:2004). */
function f(value: number): number {
  return value > 216 / 24_389 ? Math.cbrt(value) : ((24_389 / 27) * value + 16) / 116;
}
