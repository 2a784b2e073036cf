import type { Timer } from '../domain/ports/machine.ts';

export const TIMER: Timer = {
  elapsed: () => performance.now(),
  after(milliseconds, work) {
    const timer = setTimeout(work, milliseconds);
    return () => {
      clearTimeout(timer);
    };
  },
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
  yield: () => new Promise((resolve) => setImmediate(resolve)),
};
