/** Plays the dispatcher and the engine, so that a test decides what becomes of each image. */
import type { DescribedFace } from '../../core/contracts/faces.ts';
import type { FailureCode } from '../../core/contracts/failures.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import type { TestSite } from './site.ts';

const FACE: DescribedFace = {
  box: { x: 10, y: 10, width: 80, height: 80 },
  eyes: [
    { x: 30, y: 40 },
    { x: 70, y: 40 },
  ],
  confidence: 0.99,
  quality: {
    score: 80,
    measures: {
      interEyeDistance: 40,
      faceWidth: 80,
      yaw: 0,
      pitch: 0,
      roll: 0,
      sharpness: 0.5,
      brightness: 0.5,
      underexposed: 0,
      overexposed: 0,
      borderDistance: 0.1,
      inFrame: 1,
      eyesCovered: 0,
      mouthCovered: 0,
      quantisation: 12,
    },
  },
  template: { pipelineId: 'test' as PipelineId, vector: new Float32Array([1, 0, 0, 0]) },
  chip: new Uint8Array([0xff, 0xd8, 0xff]),
};

/** Answers the next waiting images, oldest first: 'face' enrols, a code fails. */
export async function answerImages(
  site: TestSite,
  at: Date,
  outcomes: readonly ('face' | FailureCode)[],
): Promise<void> {
  const { queue } = site.storage;
  for (const outcome of outcomes) {
    const [item] = await queue.lease(1);
    if (item === undefined) throw new Error('No image waits.');
    if (outcome === 'face')
      await queue.land(item, { image: { width: 100, height: 100, format: 'jpeg' }, face: FACE }, at);
    else await queue.fail(item, outcome, at);
  }
}
