/** Covers over the face of a portrait on a composed sheet. */
import { painted } from '../../research/occlusion/covers.ts';
import { COVERS as DRAWN_COVERS, type Cover } from '../desk/people.ts';

/** An oval of one colour, a note stuck on the face, and a face that was cut out. */
const OFFICE_COVERS: Readonly<Record<string, Cover>> = {
  oval: (face, _, random) => {
    const colour = [255 * random(), 255 * random(), 255 * random()] as const;
    const isCovered = (u: number, v: number) => (u / 1.3) ** 2 + ((v - 0.5) / 1.6) ** 2 < 1;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [...colour]));
  },
  note: (face, _, random) => {
    const [left, top] = [-1.2 - 0.4 * random(), -0.9 + 0.4 * random()];
    const isCovered = (u: number, v: number) => u > left && u < left + 2.8 && v > top && v < top + 2.6;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [250, 232, 120]));
  },
  'cut out': (face, _, random) => {
    const half = 1 + 0.3 * random();
    const isCovered = (u: number, v: number) => Math.abs(u) < half && v > -0.8 && v < 1.8;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [251, 250, 246]));
  },
};
/** A thin veil, and a face that was scribbled over. */
const LATER_COVERS: Readonly<Record<string, Cover>> = {
  'thin veil': (face, _, random) => {
    const [left, share] = [random() * 200, 0.75 + 0.15 * random()];
    const { data, width } = face.raster;
    return Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => Math.abs(u) < 1.6 && v > -1.5 && v < 2.4,
        (x, y) => {
          const tone = 20 + (left * (1 + Math.sin(x / 2) * Math.sin(y / 2))) / 2;
          const at = 3 * (y * width + x);
          const seen = (channel: number) => share * tone + (1 - share) * data[at + channel]!;
          return [seen(0), seen(1), seen(2)];
        },
      ),
    );
  },
  scribble: (face, _, random) => {
    const turn = 0.4 + 0.4 * random();
    const isCovered = (u: number, v: number) =>
      Math.abs(u) < 1.2 && v > -0.8 && v < 1.9 && Math.abs(Math.sin(7 * (v + turn * Math.sin(3 * u)))) > 0.45;
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [24, 40, 110]));
  },
};
/** Drawn after the limits were set: what stickers, pens and editors leave. */
const UNSEEN_COVERS: Readonly<Record<string, Cover>> = {
  smiley: (face) => {
    const isCovered = (u: number, v: number) => Math.hypot(u / 1.3, (v - 0.4) / 1.5) < 1;
    const middle = { x: (face.eyes[0].x + face.eyes[1].x) / 2, y: face.eyes[0].y };
    const unit = face.eyes[1].x - face.eyes[0].x;
    return Promise.resolve(
      painted(face.raster, face.eyes, isCovered, (x, y) => {
        const [u, v] = [(x - middle.x) / unit, (y - middle.y) / unit];
        const isEye = Math.hypot(Math.abs(u) - 0.45, v) < 0.16;
        const isMouth = v > 0.7 && Math.abs(Math.hypot(u, v - 0.5) - 0.65) < 0.08;
        return isEye || isMouth ? [60, 40, 10] : [250, 205, 50];
      }),
    );
  },
  'label with text': (face, _, random) => {
    const period = 7 + 4 * random();
    const isCovered = (u: number, v: number) => Math.abs(u) < 1.5 && v > -0.7 && v < 1.7;
    return Promise.resolve(
      painted(face.raster, face.eyes, isCovered, (x, y) =>
        y % period < 3 && Math.sin(x * 1.7) + Math.sin(x * 0.61 + y) > -0.4 ? [30, 30, 30] : [252, 252, 250],
      ),
    );
  },
  phone: (face, _, random) => {
    const lean = 0.3 * random() - 0.15;
    const isCovered = (u: number, v: number) => Math.abs(u - lean * v) < 0.85 && v > -1.3 && v < 1.7;
    return Promise.resolve(
      painted(face.raster, face.eyes, isCovered, (x, y) =>
        Math.hypot(x - face.eyes[0].x, y - face.eyes[0].y + 0.7 * face.width) < 0.09 * face.width
          ? [90, 90, 110]
          : [38, 40, 46],
      ),
    );
  },
  torn: (face, _, random) => {
    const edge = 0.4 + 0.9 * random();
    const isCovered = (u: number, v: number) => v < edge + 0.12 * Math.sin(9 * u) + 0.05 * Math.sin(31 * u);
    return Promise.resolve(painted(face.raster, face.eyes, isCovered, () => [251, 250, 246]));
  },
  sprayed: (face, _, random) =>
    Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => Math.hypot(u / 1.4, (v - 0.4) / 1.7) < 0.8 + 0.2 * random(),
        () => [40 + 60 * random(), 40 + 60 * random(), 45 + 60 * random()],
      ),
    ),
  'sunglasses and mask': (face) =>
    Promise.resolve(
      painted(
        face.raster,
        face.eyes,
        (u, v) => (Math.abs(v) < 0.32 && Math.abs(u) < 1.15) || (v > 0.55 && v < 1.9 && Math.abs(u) < 1.05),
        (_x, y) => (y < face.eyes[0].y + 0.2 * face.width ? [16, 16, 18] : [178, 206, 222]),
      ),
    ),
};

/** Every cover by its name; those with which limits were set, and those that came after. */
export const COVERS: Readonly<Record<string, Cover>> = {
  ...DRAWN_COVERS,
  ...OFFICE_COVERS,
  ...LATER_COVERS,
  ...UNSEEN_COVERS,
};
export const SEEN_COVERS = Object.keys({ ...DRAWN_COVERS, ...OFFICE_COVERS, ...LATER_COVERS });
export const NEW_COVERS = Object.keys(UNSEEN_COVERS);
