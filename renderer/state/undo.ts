import { create } from 'zustand';
import type { ErasureSelection } from '../../core/contracts/erasure.ts';
import type { NewHit } from '../../core/contracts/dashboard/validations.ts';
import { onSessionEnd } from './sessionReset.ts';

/** How long an action can be undone, milliseconds. */
export const UNDO_TIME = 10_000;

export interface Undoable {
  id: number;
  /** The action as a sentence. null: nothing can be undone, which the operator asked for. */
  text: string | null;
  /** null: a notice without undo. */
  undo: (() => Promise<unknown>) | null;
  /** The action was undone. */
  undone?: true;
  /** The notice of a later action, which takes no offer of an undo away. */
  notice?: string;
}

interface UndoState {
  last: Undoable | null;
  busy: boolean;
  offer: (text: string, undo: () => Promise<unknown>) => void;
  /** Shows a notice without undo, beside the offer of one that is still open. Its time begins anew. */
  notify: (text: string) => void;
  /** Undoes the last action, once; where there is none, it says so. */
  undoLast: () => Promise<void>;
  forget: (id: number) => void;
}

/** The last action that can be undone, by the bar at the bottom or Ctrl Z. */
export const undoStore = create<UndoState>()((set, get) => ({
  last: null,
  busy: false,
  offer: (text, undo) => set({ last: { id: (get().last?.id ?? 0) + 1, text, undo } }),
  notify: (text) => {
    const { last, busy } = get();
    const id = (last?.id ?? 0) + 1;
    // While an action is being undone, the notice is about that.
    if (last?.undo != null && !busy) set({ last: { ...last, id, notice: text } });
    else set({ last: { id, text, undo: null } });
  },
  undoLast: async () => {
    const { last, busy } = get();
    if (busy) return;
    if (last?.undo == null) {
      set({ last: { id: (last?.id ?? 0) + 1, text: null, undo: null } });
      return;
    }
    set({ busy: true });
    try {
      await last.undo();
      // Unless the undo has a notice of its own.
      if (get().last === last) set({ last: { id: last.id + 1, text: last.text, undo: null, undone: true } });
    } finally {
      set({ busy: false });
    }
  },
  forget: (id) => {
    if (get().last?.id === id) set({ last: null });
  },
}));

// An action is undone by the operator who did it, never by the next one.
onSessionEnd(() => undoStore.setState({ last: null }));

interface Connection {
  /** The time of the first request without an answer; null while the service answers. */
  lostSince: Date | null;
  lost: () => void;
  answered: () => void;
}

/** Whether the service answers. Screens keep their content; the banner shows since when it is silent. */
export const connection = create<Connection>()((set, get) => ({
  lostSince: null,
  lost: () => {
    if (get().lostSince === null) set({ lostSince: new Date() });
  },
  answered: () => {
    if (get().lostSince !== null) set({ lostSince: null });
  },
}));

/** An erasure that an operator opened. */
export interface Erasing {
  /** Records of the person. */
  start: Partial<ErasureSelection>;
  /** Called after the erasure: the screen must not show the person any longer. */
  gone: () => void;
}

/** The open erasure. It is outside the screen, because the panel that opened it closes before the receipt is read. */
export const erasing = create<{ open: Erasing | null }>()(() => ({ open: null }));

onSessionEnd(() => erasing.setState({ open: null }));

interface Hits {
  /** Hits that the operator has neither opened nor dismissed; oldest first. */
  pending: readonly NewHit[];
  add: (hits: readonly NewHit[]) => void;
  /** Removes the hit of a validation that the operator opened. */
  opened: (validation: number) => void;
  dismiss: () => void;
}

/** Hits on blacklists that arrived while this window was open. */
export const hitStore = create<Hits>()((set) => ({
  pending: [],
  add: (hits) => set(({ pending }) => ({ pending: [...pending, ...hits] })),
  opened: (validation) =>
    set(({ pending }) =>
      pending.some((hit) => hit.validation === validation)
        ? { pending: pending.filter((hit) => hit.validation !== validation) }
        : { pending },
    ),
  dismiss: () => set({ pending: [] }),
}));

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
