/** How an image is laid into a pane: pure geometry, the same for faces and signatures. */

export interface Point {
  x: number;
  y: number;
}

export interface Size {
  width: number;
  height: number;
}

/** The view before zooming: this image point in the middle, at this scale, rotated by this angle. */
export interface Fit {
  anchor: Point;
  scale: number;
  /** Radians, clockwise. */
  angle: number;
}

/** Zoom and pan that both panes share: pan is in pane widths, so that panes of different sizes stay together. */
export interface SharedView {
  zoom: number;
  pan: Point;
}

export const WHOLE_VIEW: SharedView = { zoom: 1, pan: { x: 0, y: 0 } };
const ZOOM_LIMITS = { least: 0.25, most: 40 };
/**
 * Distance between the eyes in a pane that is fitted to them, as a share of its shorter side. A head is 3.7 times as high as
 * its eyes are apart (medians of adults: 230 and 63 mm), and the eyes are at half of its height: from chin to crown it takes
 * 81 % of the pane.
 */
const EYES_SHARE = 0.22;
/** Beards reach below the chin: the eyes sit this share of the pane above its middle. */
const EYES_ABOVE_MIDDLE = 0.04;

export function fitWhole(image: Size, pane: Size): Fit {
  return {
    anchor: { x: image.width / 2, y: image.height / 2 },
    scale: Math.min(pane.width / image.width, pane.height / image.height),
    angle: 0,
  };
}

/** Eyes level, at one distance and one place in every pane: two faces can be compared line by line. */
export function fitEyes(eyes: readonly [Point, Point], pane: Size): Fit {
  const [left, right] = eyes;
  const across = { x: right.x - left.x, y: right.y - left.y };
  const side = Math.min(pane.width, pane.height);
  const scale = (EYES_SHARE * side) / Math.max(1, Math.hypot(across.x, across.y));
  const angle = -Math.atan2(across.y, across.x);
  const below = (EYES_ABOVE_MIDDLE * side) / scale;
  // Straight down in the pane is this direction in the image.
  const down = { x: Math.sin(angle), y: Math.cos(angle) };
  return {
    anchor: {
      x: (left.x + right.x) / 2 + down.x * below,
      y: (left.y + right.y) / 2 + down.y * below,
    },
    scale,
    angle,
  };
}

/** Image point (u, v) is drawn at (x + cos·u − sin·v, y + sin·u + cos·v), CSS pixels from the pane's top left. */
export interface Layout extends Point {
  cos: number;
  sin: number;
}

/** @param turn quarter or finer turns by hand, radians */
export function layOut(fit: Fit, view: SharedView, pane: Size, turn: number): Layout {
  const scale = fit.scale * view.zoom;
  const angle = fit.angle + turn;
  const cos = Math.cos(angle) * scale;
  const sin = Math.sin(angle) * scale;
  const x = pane.width / 2 + view.pan.x * pane.width - (cos * fit.anchor.x - sin * fit.anchor.y);
  const y = pane.height / 2 + view.pan.y * pane.width - (sin * fit.anchor.x + cos * fit.anchor.y);
  return { cos, sin, x, y };
}

/** Where a point of the image is drawn in the pane. */
export function toPane({ cos, sin, x, y }: Layout, point: Point): Point {
  return { x: x + cos * point.x - sin * point.y, y: y + sin * point.x + cos * point.y };
}

/** The point of the image that is drawn at a point of the pane. */
export function toImage({ cos, sin, x, y }: Layout, point: Point): Point {
  const square = cos * cos + sin * sin;
  const [across, down] = [point.x - x, point.y - y];
  return { x: (cos * across + sin * down) / square, y: (cos * down - sin * across) / square };
}

/**
 * The CSS matrix that lays image pixels into the pane.
 * @param map what happens to the pixels before: x' = m0·x + m1·y + m2, y' = m3·x + m4·y + m5
 */
export function placement({ cos, sin, x, y }: Layout, map: readonly number[] = NOT_MAPPED): string {
  const [a = 1, b = 0, c = 0, d = 0, e = 1, f = 0] = map;
  const matrix = [
    cos * a - sin * d,
    sin * a + cos * d,
    cos * b - sin * e,
    sin * b + cos * e,
    cos * c - sin * f + x,
    sin * c + cos * f + y,
  ];
  return `matrix(${matrix.map((value) => value.toFixed(5)).join(',')})`;
}

/** Where a box of a whole image that is not turned comes to lie in the pane, CSS pixels from its top left. */
export function placeBox(box: Point & Size, image: Size, view: SharedView, pane: Size): Point & Size {
  const { anchor, scale: fitted } = fitWhole(image, pane);
  const scale = fitted * view.zoom;
  return {
    x: pane.width / 2 + view.pan.x * pane.width + scale * (box.x - anchor.x),
    y: pane.height / 2 + view.pan.y * pane.width + scale * (box.y - anchor.y),
    width: scale * box.width,
    height: scale * box.height,
  };
}

const NOT_MAPPED = [1, 0, 0, 0, 1, 0];

/** Zooms around the pointer. `at`: from the pane's middle, in pane widths. */
export function zoomAt(view: SharedView, factor: number, at: Point): SharedView {
  const zoom = Math.min(ZOOM_LIMITS.most, Math.max(ZOOM_LIMITS.least, view.zoom * factor));
  const change = zoom / view.zoom;
  return { zoom, pan: { x: at.x - (at.x - view.pan.x) * change, y: at.y - (at.y - view.pan.y) * change } };
}
