/** The jobs of a worker for a known set: it prepares one image, or compares pairs of prepared ones or the parts of one. */
import type { SignatureFault, SignatureReason } from '../../contracts/signatures.ts';
import { prepareSignature, scoreParts, scoreSignatures, type Comparable } from '../compare.ts';
import type { ScoredPart, Scores } from '../parts.ts';
import type { Stroke } from '../strokes.ts';
import type { Doubted } from '../doubts.ts';
import { drawInk } from '../picture.ts';
import type { InkAlignment, InkPicture } from '../../domain/ports/signatures.ts';

export interface PrepareJob {
  kind: 'prepare';
  image: Uint8Array;
  /** Also draw the ink that is compared. */
  pictures: boolean;
}

export type PreparedImage =
  | ({
      kind: 'prepared';
      signature: Comparable;
      strokes: readonly Stroke[];
      picture?: InkPicture;
    } & Doubted)
  | { kind: 'unusable'; reason: SignatureReason; picture?: InkPicture }
  | { kind: 'fault'; fault: SignatureFault };

/** Pairs of indices into the signatures. */
export interface ScoreJob {
  kind: 'score';
  signatures: readonly Comparable[];
  pairs: readonly (readonly [number, number])[];
}

/** One pair: its scores, and the map of the second signature's picture onto the first one's. */
export interface ScoredPair extends Scores {
  alignment: InkAlignment;
}

/** In the order of the job's pairs. */
export interface ScoredPairs {
  kind: 'scored';
  pairs: readonly ScoredPair[];
}

/** Parts of the ink of one image, each compared alone with other signatures. */
export interface PartJob {
  kind: 'part';
  strokes: readonly Stroke[];
  wholes: readonly Comparable[];
}

/** The likeliest parts first; the scores of each in the order of the job's signatures. */
export interface ScoredParts {
  kind: 'parted';
  parts: readonly ScoredPart[];
}

/** Decodes and cleans one image. */
export async function runPrepareJob({ image, pictures }: PrepareJob): Promise<PreparedImage> {
  const prepared = await prepareSignature(image);
  if (prepared.kind === 'fault') return prepared;
  const drawn = pictures && prepared.ink ? { picture: await drawInk(prepared.ink) } : {};
  if (prepared.kind === 'unusable') return { kind: 'unusable', reason: prepared.reason, ...drawn };
  const { points, bends, frame, ink, otherInk, isSimple } = prepared;
  return {
    kind: 'prepared',
    signature: { points, bends, frame },
    strokes: ink.strokes,
    otherInk,
    isSimple,
    ...drawn,
  };
}

/** Compares each pair. */
export function runScoreJob({ signatures, pairs }: ScoreJob): ScoredPairs {
  return {
    kind: 'scored',
    pairs: pairs.map(([one, other]) => scoreSignatures(signatures[one]!, signatures[other]!)),
  };
}

/** Compares the parts of some ink. */
export function runPartJob({ strokes, wholes }: PartJob): ScoredParts {
  return { kind: 'parted', parts: scoreParts(strokes, wholes) };
}
