import { createContext, use, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';

interface Texts {
  t: TFunction;
  language: string;
}

const TextsContext = createContext<Texts | null>(null);

/** Subscribes once to the language, for all components below. */
export function Texts({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return <TextsContext value={useMemo(() => ({ t, language }), [t, language])}>{children}</TextsContext>;
}

/**
 * The texts, for components that a screen has many of. Each call of `useTranslation` subscribes to the language; for the rows of
 * a list that took more time than to draw them.
 */
export function useTexts(): Texts {
  const texts = use(TextsContext);
  if (texts === null) throw new Error('useTexts was called outside of <Texts>.');
  return texts;
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
