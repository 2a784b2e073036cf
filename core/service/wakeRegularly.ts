import type { Dispatcher } from '../domain/enrolment/dispatcher.ts';

/** Milliseconds between two questions for photos that other services accepted, or whose leases ended. */
const WAKE_INTERVAL = 1_000;

/** Lets the dispatcher take photos that other services accepted. @returns ends it */
export function wakeRegularly(dispatcher: Pick<Dispatcher, 'wake'>): () => Promise<void> {
  const timer = setInterval(() => {
    dispatcher.wake();
  }, WAKE_INTERVAL);
  return () => {
    clearInterval(timer);
    return Promise.resolve();
  };
}
