import { create } from 'zustand';
import { persist } from 'zustand/middleware';

export const LANGUAGES = { en: 'English', ar: 'العربية' } as const;
export type Language = keyof typeof LANGUAGES;

interface Preferences {
  language: Language;
  highContrast: boolean;
  railCollapsed: boolean;
  setLanguage: (language: Language) => void;
  setHighContrast: (on: boolean) => void;
  toggleRail: () => void;
}

/** What this browser remembers of the person: never a name, a face or a credential. Light or dark is Mantine's. */
export const usePreferences = create<Preferences>()(
  persist(
    (set) => ({
      language: 'en',
      highContrast: false,
      railCollapsed: false,
      setLanguage: (language) => set({ language }),
      setHighContrast: (highContrast) => set({ highContrast }),
      toggleRail: () => set((now) => ({ railCollapsed: !now.railCollapsed })),
    }),
    {
      name: 'vouch-preferences',
      partialize: ({ language, highContrast, railCollapsed }) => ({ language, highContrast, railCollapsed }),
    },
  ),
);
