import type { Logger } from '../ports/machine.ts';

/** The committed rows, and the later repair of the rest when the step after COMMIT fails; for the log. */
export const FOLLOWS = {
  imported:
    'an import is stored, but searches do not find all of its faces yet: restart the service, which reads them again',
  enrolled: 'a face is enrolled, but searches do not find it yet: restart the service, which reads it again',
  failed: 'a photo failed, but its file was not removed: the next start removes it',
  superseded:
    'a newer selfie is stored, but searches still find the one before it: restart the service, which drops it',
  decided:
    'a decision is stored, but searches do not follow it yet: restart the service, which reads it again',
  erased:
    'an erasure is stored, but the memory still holds what searches compare: restart the service, which empties it',
  unfinished:
    'an erasure is stored, but files or copies of it remain and its receipt is missing: the next attempt, at the latest at the next start, finishes it',
  blacklistTransfer:
    'an erasure is stored, but transfer packages that wait for their import were not all removed: restart the service, which removes them',
  listed:
    'a blacklist face has another expiry, but searches do not follow it yet: the next check of expiries repeats this',
  spooled: 'an import is stored, but its received file was not removed: the next start removes it',
} as const;

/**
 * Runs a step that follows a COMMIT and keeps memory or files in step with the store. A failure is logged and never
 * thrown: the caller would report that nothing was done, although the change is stored.
 * @param facts for the log: ids, no names
 */
export async function afterCommit(
  log: Pick<Logger, 'error'>,
  facts: object,
  failure: (typeof FOLLOWS)[keyof typeof FOLLOWS],
  step: () => void | Promise<void>,
): Promise<void> {
  try {
    await step();
  } catch (error) {
    log.error({ err: error, ...facts }, failure);
  }
}
