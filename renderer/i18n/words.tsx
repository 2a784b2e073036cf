import { createContext, use, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';
import { SYSTEM_FLOW_NAME } from '../../core/contracts/codes.ts';
import { CERTAINTY, type CertaintyWords } from '../../core/contracts/certainty.ts';
import { formatsOf, type Formats } from './formats.ts';

/** The texts, and the numbers and times in the reader's manner. Digits stay Latin: identifiers and scores are compared by eye. */
export interface Words extends Formats {
  t: TFunction;
  language: string;
  /** The name of a Trust Flow as the company wrote it; that of the internal one in the reader's language. */
  flowName: (name: string) => string;
}

const WordsContext = createContext<Words | null>(null);

/** Subscribes once to the language, for all components below. */
export function Texts({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  const words = useMemo(
    () => ({
      ...formatsOf(language),
      t,
      language,
      flowName: (name: string) => (name === SYSTEM_FLOW_NAME ? t('flows.systemName') : name),
    }),
    [t, language],
  );
  return <WordsContext value={words}>{children}</WordsContext>;
}

/**
 * The words in the language of the page. Each call of `useTranslation` would subscribe to the language; for the rows of a
 * list that took more time than to draw them.
 */
export function useWords(): Words {
  const words = use(WordsContext);
  if (words === null) throw new Error('useWords was called outside of <Texts>.');
  return words;
}

/** The words of how certain a similarity is, in the reader's language. */
export function useCertainty(): CertaintyWords {
  return CERTAINTY[useWords().language === 'ar' ? 'ar' : 'en'];
}

/**
 * Keeps each text of a language once it was made: looking one up takes a tenth of the time that drawing its row takes.
 * @param make the text of a key
 */
export function remembered<K>(make: (t: TFunction, key: K) => string): (t: TFunction, key: K) => string {
  const known = new WeakMap<TFunction, Map<K, string>>();
  return (t, key) => {
    const texts = known.get(t) ?? new Map<K, string>();
    known.set(t, texts);
    const text = texts.get(key) ?? make(t, key);
    texts.set(key, text);
    return text;
  };
}
