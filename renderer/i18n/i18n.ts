import i18next from 'i18next';
import { initReactI18next } from 'react-i18next';
import type { Language } from '../../core/contracts/dashboard/session.ts';
import { en, type English } from './en.ts';
import { enumLabels } from './enumLabels.en.ts';

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
    interpolation: { escapeValue: true, escape: isolated },
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

/** A plain number, with separators and a percent sign: it reads the same in both directions. */
const NUMBER = /^[\d.,]+%?$/;
/** A number with a sign, a range or a unit in symbols: it is read from left to right. */
const SIGNED = /^[\d.,\s%°+\-–−×:]+$/;
const FROM_THE_RIGHT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff]/;

/**
 * Isolates a value from the direction of the sentence around it, so that a name, a path or a time keeps its own order.
 * In a left-to-right sentence only a value with right-to-left letters needs that. React escapes for HTML.
 */
function isolated(value: string): string {
  const rightToLeft = i18next.dir() === 'rtl';
  if (!(rightToLeft ? !NUMBER.test(value) : FROM_THE_RIGHT.test(value))) return value;
  return `${SIGNED.test(value) ? '\u2066' : '\u2068'}${value}\u2069`;
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
