/**
 * Enrols the photos of the queue, which name persons, and dies by SIGKILL before the N-th step: `node nameAndDie.ts HOME STEPS`.
 */
import { openHome, openStorage } from '../../core/storage/index.ts';
import { enrolItem } from './answerItem.ts';
import { dieBeforeStep } from './kills/dying.ts';
import { faceAlong } from './site.ts';

export const NAME_AND_DIE = import.meta.filename;
export const NAMED_IMAGE = { width: 100, height: 100, format: 'jpeg' } as const;

if (process.argv[1] === NAME_AND_DIE) {
  const storage = await openStorage(openHome(process.argv[2]!), { now: () => new Date() });
  await dieBeforeStep(Number(process.argv[3]));
  for (const item of await storage.queue.lease(50))
    await enrolItem(storage.queue, item, { image: NAMED_IMAGE, face: faceAlong(1) }, new Date());
  await storage.close();
}
