/** Many comparisons of the same images: each image is prepared once, however often it occurs. */
import type { ManyComparisons, SignatureComparison } from '../../domain/ports/signatures.ts';
import { CALIBRATION } from '../calibration.ts';
import { doubtsOfPair } from '../doubts.ts';
import { explainsParts, partedBy, restOf } from '../parts.ts';
import type { SignatureReason } from '../../contracts/signatures.ts';
import { similarityOf } from '../fusion.ts';
import { compareKnownSet, type Crew } from './knownSet.ts';

/** A prepared image is kept until its bytes, or the returned comparisons, are no longer in use. */
export function preparingOnce(crew: Crew): ManyComparisons {
  const kept = new WeakMap<Uint8Array, ReturnType<Crew['prepare']>>();
  const once: Crew = {
    ...crew,
    prepare: (job) => {
      const earlier = kept.get(job.image);
      if (earlier !== undefined) return earlier;
      const preparation = crew.prepare(job);
      kept.set(job.image, preparation);
      // The image is prepared again if the pool took no more jobs.
      preparation.catch(() => kept.delete(job.image));
      return preparation;
    },
  };
  return {
    compare: (image1, image2) => comparePair(once, image1, image2),
    compareKnown: (set) => compareKnownSet(once, set, { pictures: false }),
  };
}

async function comparePair(crew: Crew, image1: Uint8Array, image2: Uint8Array): Promise<SignatureComparison> {
  const { modelVersion } = CALIBRATION;
  const prepare = (image: Uint8Array) => crew.prepare({ kind: 'prepare', image, pictures: false });
  const [one, other] = await Promise.all([prepare(image1), prepare(image2)]);
  if (one.kind === 'fault' || other.kind === 'fault') {
    const faults = {
      ...(one.kind === 'fault' && { image1: one.fault }),
      ...(other.kind === 'fault' && { image2: other.fault }),
    };
    return { kind: 'refused', faults };
  }
  const reasons = { ...reasonAt('image1', one), ...reasonAt('image2', other) };
  if (one.kind !== 'prepared' || other.kind !== 'prepared')
    return { kind: 'inconclusive', reasons, modelVersion };
  const signatures = [one.signature, other.signature];
  const scored = await crew.score({ kind: 'score', signatures, pairs: [[0, 1]] });
  // Either image can be the reason.
  const gaveUp = (code: SignatureReason): SignatureComparison => ({
    kind: 'inconclusive',
    reasons: { image1: code, image2: code },
    modelVersion,
  });
  if (scored.kind === 'gaveUp') return gaveUp(scored.code);
  const { alignment, ...scores } = scored.pairs[0]!;
  const similarity = similarityOf(scores.score, CALIBRATION);
  const compared = { kind: 'compared', similarity, alignment, modelVersion } as const;
  if (!explainsParts(similarity)) return { ...compared, doubts: doubtsOfPair(one, other) };
  const [alone, otherAlone] = await Promise.all([
    crew.part({ kind: 'part', strokes: one.strokes, wholes: [other.signature] }),
    crew.part({ kind: 'part', strokes: other.strokes, wholes: [one.signature] }),
  ]);
  if (alone.kind === 'gaveUp') return gaveUp(alone.code);
  if (otherAlone.kind === 'gaveUp') return gaveUp(otherAlone.code);
  const doubts = doubtsOfPair(
    partedBy(one, [...restOf(one.signature, other.signature, scores), ...alone.parts]),
    partedBy(other, [...restOf(other.signature, one.signature, scores), ...otherAlone.parts]),
  );
  return { ...compared, doubts };
}

type Usable = Exclude<Awaited<ReturnType<Crew['prepare']>>, { kind: 'fault' }>;

function reasonAt(key: 'image1' | 'image2', image: Usable) {
  if (image.kind === 'prepared') return {};
  return { [key]: image.kind === 'unusable' ? image.reason : image.code };
}
