import { create } from 'zustand';
import { onSessionEnd } from './sessionReset.ts';

/** How long what was done can be taken back, milliseconds. */
export const UNDO_TIME = 10_000;

export interface Undoable {
  id: number;
  /** A sentence that says what was done. */
  text: string;
  /** null: it is only told. */
  undo: (() => Promise<unknown>) | null;
}

interface UndoState {
  last: Undoable | null;
  busy: boolean;
  offer: (text: string, undo: () => Promise<unknown>) => void;
  /** Says what was done, where there is nothing to take back. */
  notify: (text: string) => void;
  /** Takes back the last thing, once. */
  undoLast: () => Promise<void>;
  forget: (id: number) => void;
}

/** The one thing that can be taken back now: by the bar at the bottom, or Ctrl Z. */
export const undoStore = create<UndoState>()((set, get) => ({
  last: null,
  busy: false,
  offer: (text, undo) => set({ last: { id: (get().last?.id ?? 0) + 1, text, undo } }),
  notify: (text) => set({ last: { id: (get().last?.id ?? 0) + 1, text, undo: null } }),
  undoLast: async () => {
    const { last, busy } = get();
    if (last?.undo == null || busy) return;
    set({ busy: true });
    try {
      await last.undo();
      get().forget(last.id);
    } finally {
      set({ busy: false });
    }
  },
  forget: (id) => {
    if (get().last?.id === id) set({ last: null });
  },
}));

// Taking back is done in the name of who did it.
onSessionEnd(() => undoStore.setState({ last: null }));
