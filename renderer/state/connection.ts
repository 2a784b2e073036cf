import { create } from 'zustand';

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
