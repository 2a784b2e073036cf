import { useRef, useState } from 'react';
import { Spotlight, type SpotlightActionData, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconArrowRight, IconListDetails, IconSearch, IconShieldOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { blacklistsQuery } from '../api/blacklists.ts';
import { useSession } from '../api/session.ts';
import { destinationsFor } from './destinations.ts';

/**
 * Ctrl K: a screen, a blacklist, or a validation by its number. It is there, and has the focus, before the next key
 * arrives: the first letters belong to it and not to the screen beneath.
 */
export function CommandPalette() {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const from = useRef<EventTarget | null>(null);
  const groups = useGroups(query);
  return (
    <Spotlight
      shortcut="mod + K"
      query={query}
      onQueryChange={setQuery}
      actions={groups}
      nothingFound={t('palette.nothing')}
      highlightQuery
      limit={12}
      lockScroll={false}
      transitionProps={{ duration: 0 }}
      onSpotlightClose={() => {
        if (from.current instanceof HTMLElement) from.current.focus({ preventScroll: true });
        from.current = null;
      }}
      searchProps={{
        autoFocus: true,
        onFocus: ({ relatedTarget }) => {
          from.current ??= relatedTarget;
        },
        leftSection: <IconSearch size={18} stroke={1.6} aria-hidden />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}

function useGroups(query: string): (SpotlightActionGroupData | SpotlightActionData)[] {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const { data } = useQuery({
    ...blacklistsQuery,
    enabled: session.company.features.blacklists,
    staleTime: 30_000,
  });
  const go = (path: string) => () => {
    void navigate(path);
  };
  const number = /^#?(\d+)$/.exec(query.trim())?.[1];
  const asked: SpotlightActionData[] =
    number === undefined
      ? []
      : [
          {
            id: 'validation',
            label: t('palette.validation', { id: number }),
            keywords: query,
            leftSection: <IconListDetails size={18} stroke={1.6} aria-hidden />,
            onClick: go(`/validations/${number}`),
          },
        ];
  const screens = destinationsFor(session).map(({ path, word, Icon }) => ({
    id: path,
    label: t(`nav.${word}`),
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    rightSection: <IconArrowRight size={14} className="mirrored" aria-hidden />,
    onClick: go(path),
  }));
  const lists = (data?.items ?? []).map(({ id, name }) => ({
    id: `blacklist-${id}`,
    label: name,
    leftSection: <IconShieldOff size={18} stroke={1.6} aria-hidden />,
    onClick: go(`/company/internal-biometrics/${id}`),
  }));
  return [
    ...asked,
    { group: t('palette.go'), actions: screens },
    ...(lists.length === 0 ? [] : [{ group: t('palette.lists'), actions: lists }]),
  ];
}
