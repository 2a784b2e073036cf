import { create } from 'zustand';
import { persist } from 'zustand/middleware';
import type { Language } from '../../core/contracts/dashboard/session.ts';

interface Preferences {
  language: Language;
  highContrast: boolean;
  sidebarCollapsed: boolean;
  /** The first steps on the overview are hidden. */
  firstStepsHidden: boolean;
  setLanguage: (language: Language) => void;
  setHighContrast: (on: boolean) => void;
  toggleSidebar: () => void;
  hideFirstSteps: () => void;
}

/**
 * Preferences of this browser, for the sign-in screen. A signed-in operator's own preferences come from the service
 * (appShell/useAppearance.ts). They never hold a name, a face or a credential. Mantine stores the colour scheme.
 */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      language: 'en',
      highContrast: false,
      sidebarCollapsed: false,
      firstStepsHidden: false,
      setLanguage: (language) => set({ language }),
      setHighContrast: (highContrast) => set({ highContrast }),
      toggleSidebar: () => set((now) => ({ sidebarCollapsed: !now.sidebarCollapsed })),
      hideFirstSteps: () => set({ firstStepsHidden: true }),
    }),
    {
      name: 'vouch-preferences',
      partialize: ({ language, highContrast, sidebarCollapsed, firstStepsHidden }) => ({
        language,
        highContrast,
        sidebarCollapsed,
        firstStepsHidden,
      }),
    },
  ),
);
