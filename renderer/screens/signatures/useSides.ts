import { useEffect, useRef, useState } from 'react';
import { openSide, type Side } from './side.ts';

export type Which = 0 | 1;
export type Pair = readonly [Side | null, Side | null];

export interface SidesState {
  pair: Pair;
  /** Which of the files given last could not be shown. */
  refused: readonly [boolean, boolean];
  /** Opens a file for one side; without a side, for the first that is free. */
  put: (file: File, which?: Which) => Promise<void>;
  remove: (which: Which) => void;
  clear: () => void;
}

const NONE = [null, null] as const;
const NEITHER = [false, false] as const;

/**
 * The two images of a comparison, each its own: files take their time to open, and two given at once may open in any
 * order without either losing the other.
 * @param changed called when the image of a side changes
 */
export function useSides(changed: () => void): SidesState {
  const [pair, setPair] = useState<Pair>(NONE);
  const [refused, setRefused] = useState<readonly [boolean, boolean]>(NEITHER);
  // The file given last to each side, opened or not: an older one that opens later is let go.
  const given = useRef<[File | null, File | null]>([...NONE]);
  const set = (which: Which, side: Side | null, refusal: boolean) => {
    setPair((now) => (which === 0 ? [side, now[1]] : [now[0], side]));
    setRefused((now) => (which === 0 ? [refusal, now[1]] : [now[0], refusal]));
    changed();
  };
  useReleased(pair[0]);
  useReleased(pair[1]);
  return {
    pair,
    refused,
    put: async (file, which = given.current[0] === null ? 0 : 1) => {
      given.current[which] = file;
      const side = await openSide(file).catch(() => null);
      if (given.current[which] !== file) {
        if (side !== null) URL.revokeObjectURL(side.url);
        return;
      }
      if (side === null) given.current[which] = null;
      set(which, side, side === null);
    },
    remove: (which) => {
      given.current[which] = null;
      set(which, null, false);
    },
    clear: () => {
      given.current = [...NONE];
      setPair(NONE);
      setRefused(NEITHER);
      changed();
    },
  };
}

/** Lets the browser forget an image when another takes its place, and when the screen is left. */
function useReleased(side: Side | null): void {
  useEffect(
    () => () => {
      if (side !== null) URL.revokeObjectURL(side.url);
    },
    [side],
  );
}
