/**
 * The program of a worker process: one comparison from encoded images to the answer, or a part of one with a known set.
 */
import type { SignatureComparison } from '../domain/ports/signatures.ts';
import { CALIBRATION } from './calibration.ts';
import { bothThatAre } from './doubts.ts';
import { comparePair, prepareSignature, type Prepared } from './compare.ts';
import { runPartJob, runPrepareJob, runScoreJob } from './known/jobs.ts';
import type { PartJob, PreparedImage, PrepareJob, ScoredPairs, ScoredParts, ScoreJob } from './known/jobs.ts';
import { drawInk } from './picture.ts';

/** A comparison of two images. */
export interface SignatureJob {
  kind: 'pair';
  image1: Uint8Array;
  image2: Uint8Array;
  pictures: boolean;
}

export type SignatureWorkerJob = SignatureJob | PrepareJob | ScoreJob | PartJob;
export type SignatureWorkerResult = SignatureComparison | PreparedImage | ScoredPairs | ScoredParts;

export async function runWorkerJob(job: SignatureWorkerJob): Promise<SignatureWorkerResult> {
  if (job.kind === 'prepare') return runPrepareJob(job);
  if (job.kind === 'part') return runPartJob(job);
  return job.kind === 'score' ? runScoreJob(job) : runSignatureJob(job);
}

/** Refuses images that break a limit, says why an image holds nothing to compare, or compares. */
export async function runSignatureJob(job: SignatureJob): Promise<SignatureComparison> {
  const image1 = await prepareSignature(job.image1);
  const image2 = await prepareSignature(job.image2);
  const { modelVersion } = CALIBRATION;
  if (image1.kind === 'fault' || image2.kind === 'fault')
    return { kind: 'refused', faults: bothThatAre(faultOf(image1), faultOf(image2)) };
  const pictures = job.pictures ? bothThatAre(await picture(image1), await picture(image2)) : {};
  if (image1.kind === 'unusable' || image2.kind === 'unusable') {
    const reasons = bothThatAre(reasonOf(image1), reasonOf(image2));
    return { kind: 'inconclusive', reasons, modelVersion, ...(job.pictures ? { pictures } : {}) };
  }
  const compared = {
    kind: 'compared' as const,
    ...comparePair(image1, image2),
    modelVersion,
  };
  if (!pictures.image1 || !pictures.image2) return compared;
  return { ...compared, pictures: { image1: pictures.image1, image2: pictures.image2 } };
}

const faultOf = (image: Prepared) => (image.kind === 'fault' ? image.fault : undefined);
const reasonOf = (image: Prepared) => (image.kind === 'unusable' ? image.reason : undefined);
const picture = async (image: Prepared) =>
  image.kind !== 'fault' && image.ink ? drawInk(image.ink) : undefined;
