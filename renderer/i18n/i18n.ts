import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../core/contracts/dashboard/session.ts';
import { en } from './en.ts';
import { registers } from './registers.en.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: typeof en };
  }
}

/** Starts with English, the language that every key has; others are loaded when they are asked for. */
export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en, registers } },
    interpolation: { escapeValue: true, escape: standingAlone },
  });
  await speak(language);
}

/**
 * A name, a path or a time in Latin letters keeps its own order within a sentence that is read from the right: else its
 * slashes and digits join what stands beside them, and a date shows as another one. React escapes for HTML.
 */
function standingAlone(value: string): string {
  return i18next.dir() === 'rtl' && /[A-Za-z/]/.test(value) ? `\u2068${value}\u2069` : value;
}

/** Changes language and reading direction of the entire page. */
export async function speak(language: Language): Promise<void> {
  if (language === 'ar' && !i18next.hasResourceBundle('ar', 'translation')) {
    const [{ ar }, { registers: arabic }] = await Promise.all([
      import('./ar.ts'),
      import('./registers.ar.ts'),
    ]);
    i18next.addResourceBundle('ar', 'translation', ar);
    i18next.addResourceBundle('ar', 'registers', arabic);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}
