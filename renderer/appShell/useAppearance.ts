import { useEffect, useRef } from 'react';
import { useMantineColorScheme } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { Appearance } from '../../core/contracts/dashboard/session.ts';
import { appearanceQuery, chooseAppearance } from '../api/session.ts';
import { changeLanguage } from '../i18n/i18n.ts';
import { usePreferences } from '../state/preferences.ts';
import { undoStore } from '../state/undo.ts';
import { DEFAULT_ALERTS } from '../../core/contracts/dashboard/validations.ts';
import { DEFAULT_LISTS } from '../../core/contracts/dashboard/lists.ts';
import { useWords } from '../i18n/words.tsx';

/** Holding transitions still takes a style element, which the page's policy refuses. */
const KEEP = { keepTransitions: true };

/** How the dashboard looks now, and changing it for this operator, here and wherever they sign in next. */
export function useAppearance() {
  const { t } = useWords();
  const client = useQueryClient();
  const { colorScheme, setColorScheme } = useMantineColorScheme(KEEP);
  const { language, highContrast } = usePreferences();
  const { data } = useQuery(appearanceQuery);
  const alerts = data?.appearance?.alerts ?? DEFAULT_ALERTS;
  const lists = data?.appearance?.lists ?? DEFAULT_LISTS;
  const now: Appearance = { language, highContrast, scheme: colorScheme, alerts, lists };
  const save = useMutation({
    mutationFn: chooseAppearance,
    onError: () => undoStore.getState().notify(t('top.appearanceNotSaved')),
  });
  return {
    appearance: now,
    choose: (change: Partial<Appearance>) => {
      const next = { ...now, ...change };
      show(next, setColorScheme);
      client.setQueryData(appearanceQuery.queryKey, { appearance: next });
      save.mutate(next);
    },
  };
}

/** Puts on the operator's own choice once it is known. */
export function useOwnAppearance(): void {
  const { setColorScheme } = useMantineColorScheme(KEEP);
  const { data } = useQuery(appearanceQuery);
  const own = data?.appearance ?? null;
  // Applied once per choice: applying it renders again, with another `setColorScheme`.
  const worn = useRef<Appearance | null>(null);
  useEffect(() => {
    if (own === null || own === worn.current) return;
    worn.current = own;
    show(own, setColorScheme);
  }, [own, setColorScheme]);
}

function show(
  { language, highContrast, scheme }: Appearance,
  setScheme: (scheme: Appearance['scheme']) => void,
) {
  const { setLanguage, setHighContrast } = usePreferences.getState();
  setLanguage(language);
  setHighContrast(highContrast);
  setScheme(scheme);
  void changeLanguage(language);
}
