import { create } from 'zustand';

/** How long the pointer rests on a face before its photo is shown, and is away from both before it goes; milliseconds. */
const REST = 350;
const GRACE = 120;

interface Peeked {
  /** The enrolled face. */
  face: string;
  name: string;
  /** Where its chip is on the screen. */
  at: DOMRect;
}

interface PeekState {
  peeked: Peeked | null;
  /** The pointer came to rest on a chip, or has come to the photo itself (without an argument). */
  over: (peeked?: Peeked) => void;
  away: () => void;
  hide: () => void;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** The one whole photo that is shown beside the pointer, if any. */
export const peekStore = create<PeekState>()((set) => {
  const later = (ms: number, peeked: Peeked | null) => {
    clearTimeout(timer);
    timer = setTimeout(() => set({ peeked }), ms);
  };
  return {
    peeked: null,
    over: (peeked) => {
      if (peeked === undefined) clearTimeout(timer);
      else later(REST, peeked);
    },
    away: () => later(GRACE, null),
    hide: () => {
      clearTimeout(timer);
      set({ peeked: null });
    },
  };
});
