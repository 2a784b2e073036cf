import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Language } from '../../core/contracts/dashboard/session.ts';

interface Preferences {
  language: Language;
  highContrast: boolean;
  sidebarCollapsed: boolean;
  setLanguage: (language: Language) => void;
  setHighContrast: (on: boolean) => void;
  toggleSidebar: () => void;
}

/**
 * What this browser remembers of who sat here last, for the sign-in screen; once signed in, an operator's own choice
 * comes from the core (frame/useAppearance.ts). Never a name, a face or a credential. Light or dark is Mantine's.
 */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      language: 'en',
      highContrast: false,
      sidebarCollapsed: false,
      setLanguage: (language) => set({ language }),
      setHighContrast: (highContrast) => set({ highContrast }),
      toggleSidebar: () => set((now) => ({ sidebarCollapsed: !now.sidebarCollapsed })),
    }),
    {
      name: 'vouch-preferences',
      partialize: ({ language, highContrast, sidebarCollapsed }) => ({
        language,
        highContrast,
        sidebarCollapsed,
      }),
    },
  ),
);
