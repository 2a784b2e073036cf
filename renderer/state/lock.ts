import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import { onSessionEnd } from './sessionReset.ts';

const KEY = 'vouch-locked';

interface Lock {
  locked: boolean;
  set: (locked: boolean) => void;
}

/**
 * Whether this browser's pages are covered until the passphrase is given again. Kept where a reload and every other tab
 * find it: a lock that ends with a key press would be none.
 */
export const lockStore = create<Lock>()(
  persist((set) => ({ locked: false, set: (locked) => set({ locked }) }), { name: KEY }),
);

onSessionEnd(() => lockStore.getState().set(false));

window.addEventListener('storage', ({ key }) => {
  if (key === KEY) void lockStore.persist.rehydrate();
});
