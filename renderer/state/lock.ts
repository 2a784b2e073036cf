import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { useEffect } from 'react';
import { onSessionEnd } from './sessionReset.ts';

const KEY = 'vouch-locked';
/** When any page of this browser last had input, milliseconds since 1970. */
const INPUT_KEY = 'vouch-last-input';
/** Without input in any page for this long all pages lock, milliseconds. */
const IDLE_LOCK = 10 * 60_000;
/** Input is written down at most this often, milliseconds. */
const INPUT_EVERY = 1_000;
/** Corrections of the clock that lock nothing, milliseconds. */
const CLOCK_SLACK = 2 * 60_000;
const INPUTS = ['keydown', 'pointerdown', 'pointermove', 'wheel', 'scroll'] as const;

interface Lock {
  locked: boolean;
  set: (locked: boolean) => void;
}

/**
 * Whether this browser's pages are covered until the passphrase is given again. Kept where a reload and every other tab
 * find it: a lock that ends with a key press would be none.
 */
export const lockStore = create<Lock>()(
  persist(
    (set) => ({
      locked: false,
      set: (locked) => {
        if (!locked) localStorage.setItem(INPUT_KEY, String(Date.now()));
        set({ locked });
      },
    }),
    { name: KEY },
  ),
);

onSessionEnd(() => lockStore.getState().set(false));

window.addEventListener('storage', ({ key }) => {
  if (key === KEY) void lockStore.persist.rehydrate();
});

/** Milliseconds until the pages lock, by the last input in any of them; at most 0: they must lock now. */
function untilLock(): number {
  const last = Number(localStorage.getItem(INPUT_KEY) ?? Date.now());
  const idle = Date.now() - last;
  // Input in the future was written while the clock was wrong.
  return idle < -CLOCK_SLACK ? 0 : IDLE_LOCK - idle;
}

/** Locks all pages of this browser when none of them had input for a while: a page in use keeps the idle ones open. */
export function useIdleLock(): void {
  const { locked, set } = lockStore();
  useEffect(() => {
    if (locked) return undefined;
    let timer: number | undefined;
    let written = -Infinity;
    const look = () => {
      window.clearTimeout(timer);
      const rest = untilLock();
      if (rest <= 0) set(true);
      else timer = window.setTimeout(look, rest);
    };
    const noteInput = () => {
      if (Math.abs(Date.now() - written) < INPUT_EVERY) return;
      // After a sleep of the machine input may come before the timer. It must not open what should be locked.
      if (untilLock() <= 0) {
        set(true);
        return;
      }
      written = Date.now();
      localStorage.setItem(INPUT_KEY, String(written));
    };
    look();
    const options = { capture: true, passive: true };
    for (const input of INPUTS) document.addEventListener(input, noteInput, options);
    return () => {
      window.clearTimeout(timer);
      for (const input of INPUTS) document.removeEventListener(input, noteInput, options);
    };
  }, [locked, set]);
}
