import { useEffect, useRef } from 'react';

/**
 * Runs at once with the first value, and of those that follow within the pause with the last, when no more come. A
 * leading debounce alone drops what follows the first.
 * @param pause milliseconds
 */
export function useThrottled<T>(run: (value: T) => void, pause: number): (value: T) => void {
  const latestRun = useRef(run);
  const timer = useRef<number>(undefined);
  const waiting = useRef<{ value: T }>(undefined);
  useEffect(() => {
    latestRun.current = run;
  });
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (value) => {
    if (timer.current === undefined) latestRun.current(value);
    else {
      window.clearTimeout(timer.current);
      waiting.current = { value };
    }
    timer.current = window.setTimeout(() => {
      timer.current = undefined;
      const last = waiting.current;
      waiting.current = undefined;
      if (last !== undefined) latestRun.current(last.value);
    }, pause);
  };
}
