/** The description in a pack: `pipeline.json` beside its ONNX file (docs/reference/model-packs.md). */
import { z } from 'zod';
import { problem } from '../../contracts/errors/problem.ts';

const share = z.number().min(-1).max(2);
const place = z.tuple([share, share]).describe('x, y: shares of the side of the crop');
const perChannel = z.tuple([z.number(), z.number(), z.number()]);

/** How a face is brought onto the square crop that the net takes. */
const alignment = z.discriminatedUnion('method', [
  z.strictObject({
    /** 33 points of nose, eyes and mouth onto dlib's mean face. */
    method: z.literal('mean-face'),
    /** How much of the image the crop shows, in widths of dlib's own crop. */
    widening: z.number().min(0.5).max(3).default(1),
  }),
  z.strictObject({
    /** Five points, as ArcFace and its relatives are trained. "Left" is left in the image of an upright face. */
    method: z.literal('five-points'),
    leftEye: place,
    rightEye: place,
    noseTip: place,
    leftMouthCorner: place,
    rightMouthCorner: place,
  }),
]);

const calibrationPoint = z.strictObject({
  /** Share of all non-mated pairs that are at least this alike. */
  fmr: z.number().gt(0).max(0.5),
  /** In the unit of `metric`: a similarity for `cosine`, a distance for `euclidean`. */
  threshold: z.number().min(-1).max(2),
});

/** Between them the thresholds that the product offers lie; docs/guides/calibrate.md says how such a table is measured. */
const WIDEST_FMR = 1e-2;
const RAREST_FMR = 1e-6;

const calibration = z
  .array(calibrationPoint)
  .min(3)
  .max(100)
  .refine((points) => points.every(({ fmr }, i) => i === 0 || fmr < points[i - 1]!.fmr), {
    params: problem('PACK_RATES_NOT_FALLING'),
  })
  .refine((points) => points[0]!.fmr >= WIDEST_FMR && points.at(-1)!.fmr <= RAREST_FMR, {
    params: problem('PACK_RATES_TOO_NARROW', { widest: WIDEST_FMR, rarest: RAREST_FMR }),
  });

export const packManifest = z
  .strictObject({
    format: z.literal(1),
    title: z.string().trim().min(1).max(100),
    /** Name of the ONNX file in the pack's own folder. */
    file: z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]{0,99}\.onnx$/, 'must be the name of an .onnx file in the folder'),
    /** Of that file, lowercase hex. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be 64 digits of lowercase hex'),
    licence: z.string().trim().min(1).max(200),
    /** The maker of the net. */
    origin: z.string().trim().min(1).max(500),
    input: z.strictObject({
      name: z.string().min(1),
      /** Side of the square crop, pixels. */
      size: z.number().int().min(32).max(512),
      layout: z.enum(['NHWC', 'NCHW']),
      type: z.enum(['float32', 'uint8']),
      colours: z.enum(['RGB', 'BGR']),
      /** Of each channel, in the order of `colours`: the net gets (value − mean) × scale, value 0 to 255. */
      mean: perChannel.default([0, 0, 0]),
      scale: perChannel.default([1, 1, 1]),
    }),
    alignment,
    /** `straight`: the crop alone; `mirrored`: the mean of the crop and its mirror image, steadier at twice the cost. */
    views: z.enum(['straight', 'mirrored']).default('mirrored'),
    output: z.strictObject({
      name: z.string().min(1),
      /** Numbers per face; a multiple of 4 is quickest to search. */
      dimension: z.number().int().min(16).max(4096),
    }),
    metric: z.enum(['cosine', 'euclidean']),
    calibration,
  })
  .refine(({ metric, calibration: points }) => fallsWithRate(metric, points), {
    path: ['calibration'],
    params: problem('PACK_THRESHOLDS_NOT_STRICTER'),
  })
  .refine(({ input }) => input.type === 'float32' || isUntouched(input), {
    path: ['input'],
    params: problem('PACK_BYTES_SCALED'),
  });
export type PackManifest = z.infer<typeof packManifest>;

function fallsWithRate(
  metric: 'cosine' | 'euclidean',
  points: readonly z.infer<typeof calibrationPoint>[],
): boolean {
  const sign = metric === 'cosine' ? 1 : -1;
  return points.every(({ threshold }, i) => i === 0 || sign * (threshold - points[i - 1]!.threshold) > 0);
}

function isUntouched({ mean, scale }: { mean: readonly number[]; scale: readonly number[] }): boolean {
  return mean.every((value) => value === 0) && scale.every((value) => value === 1);
}
