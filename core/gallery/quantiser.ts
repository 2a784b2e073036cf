import { Axes, completeAxes, PAUSE, principalAxes } from './axes.ts';

/**
 * Codes of seven bits per component, and what they cannot be wrong by. The proof is in docs/explanation/gallery.md; its letters are
 * used here: g row, p probe, m centre, w step, y = g − m, r codes of y, e = y − w·r, x = p − m, z = x·w, q codes of z; A axes.
 */

/**
 * The coded parts of a template: the *primary code* of its components along a few axes, which is scanned for every row, and the
 * *residual code* of its components along all other axes, which is read only where the primary code does not decide. To turn a
 * long template, which only a model pack makes, would cost too much: it has no residual code, and is scanned without axes
 * (ADR 0018).
 */
export interface Shape {
  dimensions: number;
  /** Components of the primary code. */
  primaryLength: number;
  /** Components of the residual code; 0: the template is scanned whole, without axes. */
  residualLength: number;
  /** Bytes of a row's codes, each part padded to whole steps of the kernel. */
  primaryBytes: number;
  residualBytes: number;
  /** Components of an exact row in memory, padded to whole 16-byte vectors. */
  stride: number;
}

/** Up to this many components a template is turned along its axes. */
const SHORT = 512;
/** Codes that the kernel takes at a time. */
const STEP = 32;

/** @param primaryLength components of the primary code; as many as `dimensions`: there is no residual code. */
export function shapeOf(dimensions: number, primaryLength = usualPrimaryLength(dimensions)): Shape {
  if (!Number.isInteger(primaryLength) || primaryLength < 1 || primaryLength > dimensions)
    throw new RangeError(
      `A primary code of ${primaryLength} components does not fit a template of ${dimensions}.`,
    );
  const padded = (components: number) => Math.ceil(components / STEP) * STEP;
  const residualLength = dimensions - primaryLength;
  return {
    dimensions,
    primaryLength,
    residualLength,
    primaryBytes: padded(primaryLength),
    residualBytes: padded(residualLength),
    stride: Math.ceil(dimensions / 4) * 4,
  };
}

function usualPrimaryLength(dimensions: number): number {
  if (dimensions > SHORT) return dimensions;
  const quarter = STEP * Math.round(dimensions / 4 / STEP);
  return quarter === 0 ? dimensions : quarter;
}

/** The stored values of a scale. Any values give correct results; good ones make the bounds tight. */
export interface ScaleParts {
  centre: Float32Array;
  /** Of every component of the primary code. */
  primaryStep: Float32Array;
  /** Of every component of the residual code. */
  residualStep: Float32Array;
  /** Directions one after the other: of the primary code, then of the residual code. Empty where there is no residual code. */
  axes: Float32Array;
}

export interface Scale extends ScaleParts {
  /** The axes, orthonormal in double precision; absent where there is no residual code. */
  directions: Axes | undefined;
  /** Room for a few templates around the centre: an array for every one would be most of what coding a gallery allocates. */
  centred: readonly Float64Array[];
}

/** Makes a scale of what is kept of one; pauses every few milliseconds. */
export function* scaleOf(parts: ScaleParts): Generator<void, Scale> {
  const { axes, centre } = parts;
  return along(parts, axes.length === 0 ? undefined : yield* Axes.making(axes, centre.length));
}

function along(parts: ScaleParts, directions: Axes | undefined): Scale {
  return {
    ...parts,
    directions,
    centred: directions?.vectors ?? [new Float64Array(parts.centre.length)],
  };
}

/** Arrays for a scale's parts, of the lengths that the shape asks for. */
export function allocateScale({ dimensions, primaryLength, residualLength }: Shape): ScaleParts {
  const axes = residualLength === 0 ? 0 : dimensions;
  return {
    centre: new Float32Array(dimensions),
    primaryStep: new Float32Array(primaryLength),
    residualStep: new Float32Array(residualLength),
    axes: new Float32Array(axes * dimensions),
  };
}

/** The smallest range that a component is given, so that a constant one has a step too. */
const LEAST_RANGE = 1e-6;

/** Codes of a row go from -ROW_RANGE to ROW_RANGE. */
const ROW_RANGE = 63;
/** They are kept with this added: without a sign, as the relaxed dot product needs one side to be. */
export const ROW_OFFSET = 64;
/** Codes of a probe go from -PROBE_RANGE to PROBE_RANGE. */
const PROBE_RANGE = 127;

/** Fits centre, axes and steps to sample rows, so that their codes use the whole range; pauses every few milliseconds. */
export function* fitScale(samples: readonly Float32Array[], shape: Shape): Generator<void, Scale> {
  const parts = allocateScale(shape);
  const sums = new Float64Array(shape.dimensions);
  for (const [k, sample] of samples.entries()) {
    for (let i = 0; i < sums.length; i++) sums[i]! += sample[i]!;
    if (k % PAUSE === 0) yield;
  }
  parts.centre.set(sums.map((sum) => sum / samples.length));
  if (shape.residualLength > 0) {
    const axes = yield* principalAxes(samples, parts.centre, shape.primaryLength);
    parts.axes = yield* completeAxes(axes, shape.dimensions);
  }
  yield;
  const scale = yield* scaleOf(parts);
  const primaryRange = new Float64Array(shape.primaryLength).fill(LEAST_RANGE);
  const residualRange = new Float64Array(shape.residualLength).fill(LEAST_RANGE);
  for (const [i, sample] of samples.entries()) {
    const { primary, residual } = partsOf(scale, shape, sample);
    widen(primaryRange, primary);
    widen(residualRange, residual);
    if (i % PAUSE === 0) yield;
  }
  scale.primaryStep.set(primaryRange.map((each) => each / ROW_RANGE));
  scale.residualStep.set(residualRange.map((each) => each / ROW_RANGE));
  return scale;
}

function widen(range: Float64Array, values: Float64Array): void {
  for (let i = 0; i < range.length; i++) range[i] = Math.max(range[i]!, Math.abs(values[i]!));
}

/** A template around the centre. */
interface Parts {
  primary: Float64Array;
  residual: Float64Array;
}

/** The parts of some templates, as many as there is room for; the next call overwrites them. */
function partsOfEach(scale: Scale, { primaryLength }: Shape, vectors: readonly Float32Array[]): Parts[] {
  const { centred, centre, directions } = scale;
  for (const [k, vector] of vectors.entries()) {
    const to = centred[k]!;
    for (let i = 0; i < to.length; i++) to[i] = vector[i]! - centre[i]!;
  }
  const projected = directions?.project(vectors.length) ?? centred;
  return vectors.map((_, k) => ({
    primary: projected[k]!.subarray(0, primaryLength),
    residual: projected[k]!.subarray(primaryLength),
  }));
}

function partsOf(scale: Scale, shape: Shape, vector: Float32Array): Parts {
  return partsOfEach(scale, shape, [vector])[0]!;
}

/** The values of a part of a row that the kernel needs in addition to its codes. */
interface PartTerms {
  /** |y|² of the part. */
  squared: number;
  /** |r|, the length of the codes as integers. */
  codeLength: number;
  /** |e|, what the codes leave out. */
  rest: number;
}

/** The values of a row that the kernel needs in addition to its codes. */
export interface RowTerms {
  /** |y|². */
  squared: number;
  primary: PartTerms;
  residual: PartTerms;
  /** The length of what lies off the axes of the primary code. */
  offAxes: number;
}

/** Writes the codes of a row. */
export function encodeRow(
  scale: Scale,
  shape: Shape,
  vector: Float32Array,
  primaryCodes: Uint8Array,
  residualCodes: Uint8Array,
): RowTerms {
  const parts = partsOf(scale, shape, vector);
  const primary = encodePart(parts.primary, scale.primaryStep, primaryCodes);
  const residual = encodePart(parts.residual, scale.residualStep, residualCodes);
  return {
    primary,
    residual,
    squared: primary.squared + residual.squared,
    offAxes: Math.sqrt(residual.squared),
  };
}

function encodePart(values: Float64Array, steps: Float32Array, codes: Uint8Array): PartTerms {
  let squared = 0;
  let codeSquares = 0;
  let restSquares = 0;
  for (let i = 0; i < values.length; i++) {
    const y = values[i]!;
    const step = steps[i]!;
    const code = Math.max(-ROW_RANGE, Math.min(ROW_RANGE, Math.round(y / step)));
    const rest = y - step * code;
    codes[i] = code + ROW_OFFSET;
    squared += y * y;
    codeSquares += code * code;
    restSquares += rest * rest;
  }
  return { squared, codeLength: Math.sqrt(codeSquares), rest: Math.sqrt(restSquares) };
}

/** A probe's codes and what turns sums of code products into bounds of the squared distance. */
export interface CodedProbe {
  /** |x|². */
  squared: number;
  /** The components of the primary code, and the steps of the rows' codes. */
  along: Float64Array;
  primarySteps: Float32Array;
  primary: ProbePart;
  residual: ProbePart;
  /** The length of what lies off the axes of the primary code. */
  offAxes: number;
}

export interface ProbePart {
  /** q. */
  codes: Int8Array;
  /** t, the step of q. */
  step: number;
  /** |x| of the part. */
  length: number;
  /** |z − t·q|. */
  rest: number;
  /** Σq and Σ|q|. */
  sum: number;
  magnitude: number;
}

export function encodeProbes(scale: Scale, shape: Shape, probes: readonly Float32Array[]): CodedProbe[] {
  const coded: CodedProbe[] = [];
  const step = scale.centred.length;
  for (let start = 0; start < probes.length; start += step)
    for (const parts of partsOfEach(scale, shape, probes.slice(start, start + step))) {
      const primary = encodeProbePart(parts.primary, scale.primaryStep, shape.primaryBytes);
      const residual = encodeProbePart(parts.residual, scale.residualStep, shape.residualBytes);
      coded.push({
        squared: primary.length ** 2 + residual.length ** 2,
        along: parts.primary.slice(),
        primarySteps: scale.primaryStep,
        primary,
        residual,
        offAxes: residual.length,
      });
    }
  return coded;
}

function encodeProbePart(values: Float64Array, steps: Float32Array, bytes: number): ProbePart {
  const codes = new Int8Array(bytes);
  let squares = 0;
  let range = 0;
  for (let i = 0; i < values.length; i++) {
    squares += values[i]! * values[i]!;
    range = Math.max(range, Math.abs(values[i]! * steps[i]!));
  }
  const length = Math.sqrt(squares);
  if (range === 0) return { codes, step: 0, length, rest: 0, sum: 0, magnitude: 0 };
  const step = range / PROBE_RANGE;
  let restSquares = 0;
  let sum = 0;
  let magnitude = 0;
  for (let i = 0; i < values.length; i++) {
    const z = values[i]! * steps[i]!;
    const code = Math.round(z / step);
    const rest = z - step * code;
    codes[i] = code;
    sum += code;
    magnitude += Math.abs(code);
    restSquares += rest * rest;
  }
  return { codes, step, length, rest: Math.sqrt(restSquares), sum, magnitude };
}

/**
 * The numbers of a scan's job: d² = |x|² + |y|² − 2 x·y, with x·y = t·(S − 64 Σq) for each part, and S the kernel's sum over
 * codes that 64 was added to.
 */
export function factorsOf({ squared, primary, residual, offAxes }: CodedProbe) {
  const primaryConstant = squared + offsetOf(primary);
  return {
    primaryConstant,
    primaryFactor: -2 * primary.step,
    offAxesFactor: -2 * offAxes,
    wholeConstant: primaryConstant + offsetOf(residual),
    residualFactor: -2 * residual.step,
    primaryCodeError: 2 * primary.rest,
    primaryRowError: 2 * primary.length,
    residualCodeError: 2 * residual.rest,
    residualRowError: 2 * residual.length,
    slack:
      SLACK *
      (squared + MAX_DISTANCE ** 2 + 2 * offAxes * MAX_DISTANCE + largestOf(primary) + largestOf(residual)),
  };
}

/** 2t · 64 Σq. */
function offsetOf({ step, sum }: ProbePart): number {
  return 2 * step * ROW_OFFSET * sum;
}

/** No sum, offset or error of a part is larger in the kernel. */
function largestOf({ codes, step, rest, length, magnitude }: ProbePart): number {
  const largestCode = ROW_RANGE + ROW_OFFSET;
  return (
    2 * step * (largestCode + ROW_OFFSET) * magnitude +
    2 * (rest * ROW_RANGE * Math.sqrt(codes.length) + length * MAX_DISTANCE)
  );
}

/**
 * Errors of single precision in the kernel's operations, relative to the largest magnitudes in them: at most 24 roundings
 * of 2^-24 each are below 2^-19.
 */
const SLACK = 2 ** -19;

/** No row is further than this from the centre: both lie in the unit ball (with room for rounding). */
const MAX_DISTANCE = 2.1;

/**
 * A sum of n squares of single-precision differences is wrong by a factor of at most (1 ± 2^-24)^(n/8 + 8), because
 * nothing in it cancels; the absolute part covers what is too small for single precision.
 */
export function exactErrors(shape: Shape) {
  return { exactRelativeError: (shape.stride / 8 + 8) * 2 ** -23, slack: 1e-30 };
}
