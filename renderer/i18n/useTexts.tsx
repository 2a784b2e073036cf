import { createContext, use, useMemo, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { TFunction } from 'i18next';

interface Texts {
  t: TFunction;
  language: string;
}

const Spoken = createContext<Texts | null>(null);

/** Listens once, for all below, to which language is spoken. */
export function Texts({ children }: { children: ReactNode }) {
  const { t, i18n } = useTranslation();
  const { language } = i18n;
  return <Spoken value={useMemo(() => ({ t, language }), [t, language])}>{children}</Spoken>;
}

/**
 * The texts, for what a screen shows many of. `useTranslation` listens anew in each component that asks; of a list's rows
 * that took more time than drawing them (docs/research/dashboard.md).
 */
export function useTexts(): Texts {
  const texts = use(Spoken);
  if (texts === null) throw new Error('A text was asked for outside of <Texts>.');
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
