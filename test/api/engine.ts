/** Plays the dispatcher and the engine, so that a test decides what becomes of each image. */
import type { FailureCode } from '../../core/contracts/errors/failures.ts';
import { faceAlong } from '../support/site.ts';
import type { TestSite } from './site.ts';
import { enrolItem, failItem } from '../support/answerItem.ts';

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
      await enrolItem(
        queue,
        item,
        { image: { width: 100, height: 100, format: 'jpeg' }, face: faceAlong(0) },
        at,
      );
    else await failItem(site.storage, item, { code: outcome }, at);
  }
}
