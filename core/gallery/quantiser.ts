import { Axes, principalAxes } from './axes.ts';

/**
 * Codes of one byte per component, and what they cannot be wrong by. The proof is in docs/gallery.md; its letters are
 * used here: g row, p probe, m centre, w step, y = g − m, r codes of y, e = y − w·r, x = p − m, z = x·w, q codes of z; A axes.
 */

/**
 * What is coded of a template. A short one in one part: the *lead*. Of a long one the lead is its components along `lead`
 * axes, scanned for every row; the *tail* is all of it, read only where the lead does not decide.
 */
export interface Shape {
  dimensions: number;
  lead: number;
  /** Bytes of a row's codes, both parts padded to whole 64-byte lines. */
  leadBytes: number;
  /** 0: there is one part. */
  tailBytes: number;
  /** Components of an exact row in memory, padded to whole 16-byte vectors. */
  stride: number;
}

/** Up to this many components are scanned as one part. */
const WHOLE = 512;
const LEAD = 128;

/** @param lead along how many axes a template is scanned first; as many as its dimensions: it is scanned whole. */
export function shapeOf(dimensions: number, lead = dimensions <= WHOLE ? dimensions : LEAD): Shape {
  if (!Number.isInteger(lead) || lead < 1 || lead > dimensions)
    throw new RangeError(`A lead of ${lead} components does not fit a template of ${dimensions}.`);
  const line = (components: number) => Math.ceil(components / 64) * 64;
  return {
    dimensions,
    lead,
    leadBytes: line(lead),
    tailBytes: lead === dimensions ? 0 : line(dimensions),
    stride: Math.ceil(dimensions / 4) * 4,
  };
}

/** What a scale is made of, as it is kept: any values are correct, good ones make the bounds tight. */
export interface ScaleParts {
  centre: Float32Array;
  /** Of every component. */
  step: Float32Array;
  /** Of every component along an axis; empty where there is one part. */
  leadStep: Float32Array;
  /** `lead` directions one after the other; empty where there is one part. */
  axes: Float32Array;
}

export interface Scale extends ScaleParts {
  /** The axes, orthonormal in double precision; absent where there is one part. */
  directions: Axes | undefined;
}

export function scaleOf(parts: ScaleParts): Scale {
  const { axes, centre } = parts;
  return { ...parts, directions: axes.length === 0 ? undefined : Axes.along(axes, centre.length) };
}

/** Arrays for a scale's parts, of the lengths that the shape asks for. */
export function allocateScale({ dimensions, lead, tailBytes }: Shape): ScaleParts {
  const axes = tailBytes === 0 ? 0 : lead;
  return {
    centre: new Float32Array(dimensions),
    step: new Float32Array(dimensions),
    leadStep: new Float32Array(axes),
    axes: new Float32Array(axes * dimensions),
  };
}

/** The smallest range that a component is given, so that a constant one has a step too. */
const LEAST_RANGE = 1e-6;

/** Fits centre, axes and steps to sample rows, so that their codes use the whole byte. */
export function fitScale(samples: readonly Float32Array[], shape: Shape): Scale {
  const parts = allocateScale(shape);
  for (let i = 0; i < shape.dimensions; i++) {
    let sum = 0;
    for (const sample of samples) sum += sample[i]!;
    parts.centre[i] = sum / samples.length;
  }
  if (shape.tailBytes > 0) parts.axes = principalAxes(samples, parts.centre, shape.lead);
  const scale = scaleOf(parts);
  const range = new Float64Array(shape.dimensions).fill(LEAST_RANGE);
  const leadRange = new Float64Array(scale.leadStep.length).fill(LEAST_RANGE);
  for (const sample of samples) {
    const { whole, along } = partsOf(scale, sample);
    widen(range, whole);
    widen(leadRange, along);
  }
  scale.step.set(range.map((each) => each / 127));
  scale.leadStep.set(leadRange.map((each) => each / 127));
  return scale;
}

function widen(range: Float64Array, values: Float64Array): void {
  for (let i = 0; i < range.length; i++) range[i] = Math.max(range[i]!, Math.abs(values[i]!));
}

/** A template around the centre, and its components along the axes, which the next call overwrites. */
function partsOf(scale: Scale, vector: Float32Array): { whole: Float64Array; along: Float64Array } {
  const whole = new Float64Array(vector.length);
  for (let i = 0; i < vector.length; i++) whole[i] = vector[i]! - scale.centre[i]!;
  return { whole, along: scale.directions?.project(whole) ?? NOWHERE };
}

const NOWHERE = new Float64Array(0);

/** The length of what two orthogonal parts leave of a vector, by the squares of the whole and of the one part. */
function remainder(whole: number, part: number): number {
  return Math.sqrt(Math.max(0, whole - part));
}

/** What the kernel needs of a part of a row besides its codes. */
export interface PartTerms {
  /** |y|² of the part. */
  squared: number;
  /** Σr. */
  sum: number;
  /** |r|, the length of the codes as integers. */
  codeLength: number;
  /** |e|, what the codes leave out. */
  rest: number;
}

/** What the kernel needs of a row besides its codes. */
export interface RowTerms {
  /** |y|². */
  squared: number;
  lead: PartTerms;
  /** Of all of the row; absent where there is one part. */
  tail: PartTerms | undefined;
  /** The length of what lies off the axes. */
  offAxes: number;
}

/** Writes the codes of a row. */
export function encodeRow(
  scale: Scale,
  vector: Float32Array,
  leadCodes: Int8Array,
  tailCodes: Int8Array,
): RowTerms {
  const { whole, along } = partsOf(scale, vector);
  if (along.length === 0) {
    const lead = encodePart(whole, scale.step, leadCodes);
    return { squared: lead.squared, lead, tail: undefined, offAxes: 0 };
  }
  const lead = encodePart(along, scale.leadStep, leadCodes);
  const tail = encodePart(whole, scale.step, tailCodes);
  return { squared: tail.squared, lead, tail, offAxes: remainder(tail.squared, lead.squared) };
}

function encodePart(values: Float64Array, steps: Float32Array, codes: Int8Array): PartTerms {
  let squared = 0;
  let sum = 0;
  let codeSquares = 0;
  let restSquares = 0;
  for (let i = 0; i < values.length; i++) {
    const y = values[i]!;
    const step = steps[i]!;
    const code = Math.max(-127, Math.min(127, Math.round(y / step)));
    const rest = y - step * code;
    codes[i] = code;
    squared += y * y;
    sum += code;
    codeSquares += code * code;
    restSquares += rest * rest;
  }
  return { squared, sum, codeLength: Math.sqrt(codeSquares), rest: Math.sqrt(restSquares) };
}

/** A probe's codes and the factors that turn sums of code products into bounds of the squared distance. */
export interface CodedProbe {
  /** q + 64, each 0 to 127: without a sign, as the relaxed dot product needs. */
  lead: Uint8Array;
  tail: Uint8Array;
  /** |x|². */
  squared: number;
  leadTerms: ProbeTerms;
  tailTerms: ProbeTerms;
  /** The length of what lies off the axes. */
  offAxes: number;
}

export interface ProbeTerms {
  /** t, the step of q. */
  step: number;
  /** |x| of the part. */
  length: number;
  /** |z − t·q|. */
  rest: number;
}

/** The kernel adds this to q so that no code is negative. */
export const QUERY_OFFSET = 64;
const QUERY_RANGE = 63;

export function encodeProbe(scale: Scale, shape: Shape, probe: Float32Array): CodedProbe {
  const lead = new Uint8Array(shape.leadBytes).fill(QUERY_OFFSET);
  const tail = new Uint8Array(shape.tailBytes).fill(QUERY_OFFSET);
  const { whole, along } = partsOf(scale, probe);
  if (shape.tailBytes === 0) {
    const leadTerms = encodeProbePart(whole, scale.step, lead);
    return { lead, tail, squared: leadTerms.length ** 2, leadTerms, tailTerms: NO_PART, offAxes: 0 };
  }
  const leadTerms = encodeProbePart(along, scale.leadStep, lead);
  const tailTerms = encodeProbePart(whole, scale.step, tail);
  const squared = tailTerms.length ** 2;
  return { lead, tail, squared, leadTerms, tailTerms, offAxes: remainder(squared, leadTerms.length ** 2) };
}

const NO_PART: ProbeTerms = { step: 0, length: 0, rest: 0 };

function encodeProbePart(values: Float64Array, steps: Float32Array, codes: Uint8Array): ProbeTerms {
  let squares = 0;
  let range = 0;
  for (let i = 0; i < values.length; i++) {
    squares += values[i]! ** 2;
    range = Math.max(range, Math.abs(values[i]! * steps[i]!));
  }
  if (range === 0) return { step: 0, length: Math.sqrt(squares), rest: 0 };
  const step = range / QUERY_RANGE;
  let restSquares = 0;
  for (let i = 0; i < values.length; i++) {
    const z = values[i]! * steps[i]!;
    const code = Math.round(z / step);
    codes[i] = code + QUERY_OFFSET;
    restSquares += (z - step * code) ** 2;
  }
  return { step, length: Math.sqrt(squares), rest: Math.sqrt(restSquares) };
}
