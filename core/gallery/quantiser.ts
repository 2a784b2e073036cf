import { Axes, completeAxes, PAUSE, principalAxes } from './axes.ts';

/**
 * Codes of seven bits per component, and what they cannot be wrong by. The proof is in docs/explanation/gallery.md; its letters are
 * used here: g row, p probe, m centre, w step, y = g − m, r codes of y, e = y − w·r, x = p − m, z = x·w, q codes of z; A axes.
 */

/**
 * The coded parts of a template: the *lead*, its components along a few axes, which are scanned for every row, and the *tail*,
 * read only where the lead does not decide: its components along all other axes. A long template, which only a pack makes,
 * would cost too much to turn: it has no tail, and all of it is scanned as it came (ADR 0018).
 */
export interface Shape {
  dimensions: number;
  lead: number;
  /** Components of the tail; 0: the template is scanned whole, without axes. */
  tailLength: number;
  /** Bytes of a row's codes, each part padded to whole steps of the kernel. */
  leadBytes: number;
  tailBytes: number;
  /** Components of an exact row in memory, padded to whole 16-byte vectors. */
  stride: number;
}

/** Up to this many components a template is turned along its axes. */
const SHORT = 512;
/** Codes that the kernel takes at a time. */
const STEP = 32;

/** @param lead along how many axes a template is scanned first; as many as its dimensions: there is no tail. */
export function shapeOf(dimensions: number, lead = usualLead(dimensions)): Shape {
  if (!Number.isInteger(lead) || lead < 1 || lead > dimensions)
    throw new RangeError(`A lead of ${lead} components does not fit a template of ${dimensions}.`);
  const padded = (components: number) => Math.ceil(components / STEP) * STEP;
  const tailLength = dimensions - lead;
  return {
    ...{ dimensions, lead, tailLength },
    leadBytes: padded(lead),
    tailBytes: padded(tailLength),
    stride: Math.ceil(dimensions / 4) * 4,
  };
}

function usualLead(dimensions: number): number {
  if (dimensions > SHORT) return dimensions;
  const quarter = STEP * Math.round(dimensions / 4 / STEP);
  return quarter === 0 ? dimensions : quarter;
}

/** The stored values of a scale. Any values give correct results; good ones make the bounds tight. */
export interface ScaleParts {
  centre: Float32Array;
  /** Of every component of the lead. */
  leadStep: Float32Array;
  /** Of every component of the tail. */
  tailStep: Float32Array;
  /** Directions one after the other: of the lead, then of the tail. Empty where there is no tail. */
  axes: Float32Array;
}

export interface Scale extends ScaleParts {
  /** The axes, orthonormal in double precision; absent where there is no tail. */
  directions: Axes | undefined;
  /** Room for one template around the centre: an array for every one would be most of what coding a gallery allocates. */
  centred: Float64Array;
}

/** Makes a scale of what is kept of one; pauses every few milliseconds. */
export function* scaleOf(parts: ScaleParts): Generator<void, Scale> {
  const { axes, centre } = parts;
  return along(parts, axes.length === 0 ? undefined : yield* Axes.making(axes, centre.length));
}

function along(parts: ScaleParts, directions: Axes | undefined): Scale {
  return { ...parts, directions, centred: directions?.vector ?? new Float64Array(parts.centre.length) };
}

/** Arrays for a scale's parts, of the lengths that the shape asks for. */
export function allocateScale({ dimensions, lead, tailLength }: Shape): ScaleParts {
  const axes = tailLength === 0 ? 0 : dimensions;
  return {
    centre: new Float32Array(dimensions),
    leadStep: new Float32Array(lead),
    tailStep: new Float32Array(tailLength),
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
  if (shape.tailLength > 0) {
    const axes = yield* principalAxes(samples, parts.centre, shape.lead);
    parts.axes = yield* completeAxes(axes, shape.dimensions);
  }
  yield;
  const scale = yield* scaleOf(parts);
  const leadRange = new Float64Array(shape.lead).fill(LEAST_RANGE);
  const tailRange = new Float64Array(shape.tailLength).fill(LEAST_RANGE);
  for (const [i, sample] of samples.entries()) {
    const { lead, tail } = partsOf(scale, shape, sample);
    widen(leadRange, lead);
    widen(tailRange, tail);
    if (i % PAUSE === 0) yield;
  }
  scale.leadStep.set(leadRange.map((each) => each / ROW_RANGE));
  scale.tailStep.set(tailRange.map((each) => each / ROW_RANGE));
  return scale;
}

function widen(range: Float64Array, values: Float64Array): void {
  for (let i = 0; i < range.length; i++) range[i] = Math.max(range[i]!, Math.abs(values[i]!));
}

/** The parts of a template around the centre; the next call overwrites them. */
function partsOf(
  scale: Scale,
  { lead }: Shape,
  vector: Float32Array,
): { lead: Float64Array; tail: Float64Array } {
  const { centred, centre, directions } = scale;
  for (let i = 0; i < centred.length; i++) centred[i] = vector[i]! - centre[i]!;
  const projected = directions?.project() ?? centred;
  return { lead: projected.subarray(0, lead), tail: projected.subarray(lead) };
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
  lead: PartTerms;
  tail: PartTerms;
  /** The length of what lies off the axes of the lead. */
  offAxes: number;
}

/** Writes the codes of a row. */
export function encodeRow(
  scale: Scale,
  shape: Shape,
  vector: Float32Array,
  leadCodes: Uint8Array,
  tailCodes: Uint8Array,
): RowTerms {
  const parts = partsOf(scale, shape, vector);
  const lead = encodePart(parts.lead, scale.leadStep, leadCodes);
  const tail = encodePart(parts.tail, scale.tailStep, tailCodes);
  return { lead, tail, squared: lead.squared + tail.squared, offAxes: Math.sqrt(tail.squared) };
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
  /** The components of the lead, and the steps of the rows' codes. */
  along: Float64Array;
  leadSteps: Float32Array;
  lead: ProbePart;
  tail: ProbePart;
  /** The length of what lies off the axes of the lead. */
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

export function encodeProbe(scale: Scale, shape: Shape, probe: Float32Array): CodedProbe {
  const parts = partsOf(scale, shape, probe);
  const lead = encodeProbePart(parts.lead, scale.leadStep, shape.leadBytes);
  const tail = encodeProbePart(parts.tail, scale.tailStep, shape.tailBytes);
  return {
    squared: lead.length ** 2 + tail.length ** 2,
    along: parts.lead.slice(),
    leadSteps: scale.leadStep,
    lead,
    tail,
    offAxes: tail.length,
  };
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
export function factorsOf({ squared, lead, tail, offAxes }: CodedProbe) {
  const leadConstant = squared + offsetOf(lead);
  return {
    leadConstant,
    leadFactor: -2 * lead.step,
    offAxesFactor: -2 * offAxes,
    wholeConstant: leadConstant + offsetOf(tail),
    tailFactor: -2 * tail.step,
    leadCodeError: 2 * lead.rest,
    leadRowError: 2 * lead.length,
    tailCodeError: 2 * tail.rest,
    tailRowError: 2 * tail.length,
    slack:
      SLACK * (squared + MAX_DISTANCE ** 2 + 2 * offAxes * MAX_DISTANCE + largestOf(lead) + largestOf(tail)),
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
