import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../core/contracts/dashboard/session.ts';
import { en, type English } from './en.ts';
import { enumLabels } from './enumLabels.en.ts';
import { isolated } from './isolated.ts';

declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'translation';
    resources: { translation: English };
  }
}

/** Starts with English, which is the fallback. Arabic is loaded on first use. */
export async function startTexts(language: Language): Promise<void> {
  await i18next.use(initReactI18next).init({
    lng: 'en',
    fallbackLng: 'en',
    resources: { en: { translation: en, enumLabels } },
    // React escapes for HTML.
    interpolation: { escapeValue: true, escape: (value: string) => isolated(value, i18next.dir() === 'rtl') },
  });
  await changeLanguage(language);
}

let screenTexts: Promise<unknown> | undefined;

/** Loads the English texts of the screens behind the first page. They are also the fallback of other languages. */
export async function loadScreenTexts(): Promise<void> {
  screenTexts ??= import('./screens.en.ts').then((texts) =>
    i18next.addResourceBundle('en', 'translation', texts.screenTexts, true),
  );
  try {
    await screenTexts;
  } catch (error) {
    // The next screen tries again.
    screenTexts = undefined;
    throw error;
  }
}

/** Changes the language and the reading direction of the page. */
export async function changeLanguage(language: Language): Promise<void> {
  if (language === 'ar' && !i18next.hasResourceBundle('ar', 'translation')) {
    const [{ ar }, { enumLabels: arabic }] = await Promise.all([
      import('./ar.ts'),
      import('./enumLabels.ar.ts'),
    ]);
    i18next.addResourceBundle('ar', 'translation', ar);
    i18next.addResourceBundle('ar', 'enumLabels', arabic);
  }
  await i18next.changeLanguage(language);
  document.documentElement.lang = language;
  document.documentElement.dir = i18next.dir(language);
}
