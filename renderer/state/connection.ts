import { create } from 'zustand';

interface Connection {
  /** When the first unanswered question was asked; null while the core answers. */
  lostSince: Date | null;
  lost: () => void;
  answered: () => void;
}

/** Whether the core answers. Screens keep what they had; the banner says since when. */
export const connection = create<Connection>()((set, get) => ({
  lostSince: null,
  lost: () => {
    if (get().lostSince === null) set({ lostSince: new Date() });
  },
  answered: () => {
    if (get().lostSince !== null) set({ lostSince: null });
  },
}));
