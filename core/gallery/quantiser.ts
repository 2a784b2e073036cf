/**
 * Codes of one byte per component, and what they cannot be wrong by. The proof is in docs/gallery.md; its letters are
 * used here: g row, p probe, m centre, w step, y = g − m, r codes of y, e = y − w·r, x = p − m, z = x·w, q codes of z.
 */

/** How a template is cut: the first `lead` components are scanned for every row, the rest only where they do not decide. */
export interface Shape {
  dimensions: number;
  lead: number;
  /** Bytes of a row's codes, both parts padded to whole 64-byte lines. */
  leadBytes: number;
  tailBytes: number;
  /** Components of an exact row in memory, padded to whole 16-byte vectors. */
  stride: number;
}

/** Up to this many components are scanned as one part. */
const WHOLE = 512;
const LEAD = 128;

/** @param lead how many of the first components are a descriptor of their own, where the pipeline fuses several. */
export function shapeOf(dimensions: number, lead = dimensions <= WHOLE ? dimensions : LEAD): Shape {
  if (!Number.isInteger(lead) || lead < 1 || lead > dimensions)
    throw new RangeError(`A lead of ${lead} components does not fit a template of ${dimensions}.`);
  const line = (components: number) => Math.ceil(components / 64) * 64;
  return {
    dimensions,
    lead,
    leadBytes: line(lead),
    tailBytes: line(dimensions - lead),
    stride: Math.ceil(dimensions / 4) * 4,
  };
}

/** The centre and the steps: any values are correct, good ones make the bounds tight. */
export interface Scale {
  centre: Float32Array;
  step: Float32Array;
}

/** The smallest range that a component is given, so that a constant one has a step too. */
const LEAST_RANGE = 1e-6;

/** Fits centre and steps to sample rows, so that their codes use the whole byte. */
export function fitScale(samples: readonly Float32Array[], dimensions: number): Scale {
  const centre = new Float32Array(dimensions);
  const step = new Float32Array(dimensions);
  for (let i = 0; i < dimensions; i++) {
    let sum = 0;
    for (const sample of samples) sum += sample[i]!;
    const mean = Math.fround(sum / samples.length);
    let range = LEAST_RANGE;
    for (const sample of samples) range = Math.max(range, Math.abs(sample[i]! - mean));
    centre[i] = mean;
    step[i] = range / 127;
  }
  return { centre, step };
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

/** Writes the codes of components `from` to `to` of a row. */
export function encodePart(
  scale: Scale,
  row: Float32Array,
  from: number,
  to: number,
  codes: Int8Array,
): PartTerms {
  let squared = 0;
  let sum = 0;
  let codeSquares = 0;
  let restSquares = 0;
  for (let i = from; i < to; i++) {
    const y = row[i]! - scale.centre[i]!;
    const step = scale.step[i]!;
    const code = Math.max(-127, Math.min(127, Math.round(y / step)));
    const rest = y - step * code;
    codes[i - from] = code;
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
  const leadTerms = encodeProbePart(scale, probe, 0, shape.lead, lead);
  const tailTerms = encodeProbePart(scale, probe, shape.lead, shape.dimensions, tail);
  return { lead, tail, squared: leadTerms.length ** 2 + tailTerms.length ** 2, leadTerms, tailTerms };
}

function encodeProbePart(
  scale: Scale,
  probe: Float32Array,
  from: number,
  to: number,
  codes: Uint8Array,
): ProbeTerms {
  let squares = 0;
  let range = 0;
  for (let i = from; i < to; i++) {
    const x = probe[i]! - scale.centre[i]!;
    squares += x * x;
    range = Math.max(range, Math.abs(x * scale.step[i]!));
  }
  if (range === 0) return { step: 0, length: Math.sqrt(squares), rest: 0 };
  const step = range / QUERY_RANGE;
  let restSquares = 0;
  for (let i = from; i < to; i++) {
    const z = (probe[i]! - scale.centre[i]!) * scale.step[i]!;
    const code = Math.round(z / step);
    codes[i - from] = code + QUERY_OFFSET;
    restSquares += (z - step * code) ** 2;
  }
  return { step, length: Math.sqrt(squares), rest: Math.sqrt(restSquares) };
}
