import { create } from 'zustand';

/** How long the pointer stays on a face before its photo appears, milliseconds. */
const SHOW_DELAY_MS = 350;
/** How long the photo stays after the pointer left the face and the photo, milliseconds. */
const HIDE_DELAY_MS = 120;

interface PreviewedFace {
  /** The enrolled face. */
  face: string;
  name: string;
  /** Where its thumbnail is on the screen. */
  at: DOMRect;
}

interface HoverPreviewState {
  previewed: PreviewedFace | null;
  /** The pointer stays on a thumbnail or, without an argument, has reached the photo itself. */
  over: (face?: PreviewedFace) => void;
  away: () => void;
  hide: () => void;
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** The photo that is shown beside the pointer, if there is one. */
export const hoverPreviewStore = create<HoverPreviewState>()((set) => {
  const setLater = (ms: number, previewed: PreviewedFace | null) => {
    clearTimeout(timer);
    timer = setTimeout(() => set({ previewed }), ms);
  };
  return {
    previewed: null,
    over: (face) => {
      if (face === undefined) clearTimeout(timer);
      else setLater(SHOW_DELAY_MS, face);
    },
    away: () => setLater(HIDE_DELAY_MS, null),
    hide: () => {
      clearTimeout(timer);
      set({ previewed: null });
    },
  };
});
