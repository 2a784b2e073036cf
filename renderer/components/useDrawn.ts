import { useCallback, useEffect, useRef } from 'react';

/**
 * Calls `drawn` once, when all of these pictures are on screen: each has loaded or failed, and the browser has drawn a
 * frame since then.
 * @param pictures the keys of the pictures that are loaded; none: the content is drawn without a picture
 * @returns to be called with the key of a picture that has loaded or failed
 */
export function useDrawn(
  pictures: readonly string[],
  drawn: (() => void) | undefined,
): (key: string) => void {
  const ready = useRef(new Set<string>());
  const called = useRef(false);
  const check = useCallback(() => {
    if (called.current || drawn === undefined || !pictures.every((key) => ready.current.has(key))) return;
    called.current = true;
    // The first frame after this one contains the pictures; the second begins when it was drawn.
    requestAnimationFrame(() => requestAnimationFrame(drawn));
  }, [pictures, drawn]);
  useEffect(check, [check]);
  return useCallback(
    (key) => {
      ready.current.add(key);
      check();
    },
    [check],
  );
}
