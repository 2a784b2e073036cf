import { create } from 'zustand';
import { onSessionEnd } from './sessionReset.ts';

/** How long an action can be undone, milliseconds. */
export const UNDO_TIME = 10_000;

export interface Undoable {
  id: number;
  /** The action as a sentence. null: nothing can be undone, which the operator asked for. */
  text: string | null;
  /** null: a notice without undo. */
  undo: (() => Promise<unknown>) | null;
}

interface UndoState {
  last: Undoable | null;
  busy: boolean;
  offer: (text: string, undo: () => Promise<unknown>) => void;
  /** Shows a notice without undo. */
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
  notify: (text) => set({ last: { id: (get().last?.id ?? 0) + 1, text, undo: null } }),
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
      get().forget(last.id);
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
