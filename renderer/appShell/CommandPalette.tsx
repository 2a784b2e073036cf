import { useRef, useState, type ReactNode } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import { Spotlight, type SpotlightActionGroupData } from '@mantine/spotlight';
import { IconArrowRight, IconSearch, IconShieldOff, IconSignature, IconUpload } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { LANGUAGES } from '../../core/contracts/dashboard/session.ts';
import { blacklistsQuery } from '../api/blacklists.ts';
import { paletteSearchQuery } from '../api/paletteSearch.ts';
import { useSession } from '../api/session.ts';
import { FaceThumbnail } from '../components/FaceThumbnail.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { useFormats } from '../i18n/format.ts';
import { actionsFor } from './actions.ts';
import { navigationFor } from './navigation.ts';
import { useAppearance } from './useAppearance.ts';

/** The core is asked when no key has come for this long, milliseconds. */
const PAUSE = 120;
/** All screens, lists and actions of a large company fit. */
const MOST_SHOWN = 60;

interface Desk {
  showKeys: () => void;
  lock: () => void;
}

/**
 * Ctrl K: a screen, an action, or whatever of the company the text may mean. It is there, and has the focus, before the
 * next key arrives: the first letters belong to it and not to the screen beneath.
 */
export function CommandPalette(desk: Desk) {
  const { t } = useTranslation();
  const [query, setQuery] = useState('');
  const from = useRef<EventTarget | null>(null);
  const { groups, note } = useGroups(query, desk);
  return (
    <Spotlight
      shortcut="mod + K"
      query={query}
      onQueryChange={setQuery}
      actions={groups}
      nothingFound={note ?? t('palette.nothing')}
      highlightQuery
      scrollable
      maxHeight="min(60vh, 520px)"
      limit={MOST_SHOWN}
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

type Group = SpotlightActionGroupData;

function useGroups(query: string, desk: Desk): { groups: Group[]; note: string | null } {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const session = useSession();
  const appearance = useAppearance();
  const { data } = useQuery({
    ...blacklistsQuery,
    enabled: session.company.features.blacklists && session.permissions.includes('blacklists:read'),
    staleTime: 30_000,
  });
  const found = useFound(query);
  const go = (path: string) => () => void navigate(path);
  const screens = navigationFor(session).map(({ path, word, Icon }) => ({
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
  const actions = actionsFor(session, appearance, desk).map(({ word, Icon, begin, lang }) => ({
    id: `action-${word}`,
    label: lang === undefined ? t(`actions.${word}`) : LANGUAGES[lang],
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    onClick: typeof begin === 'string' ? go(begin) : begin,
  }));
  // What the core finds comes last: what is already there must not move under a finger that is about to press Enter.
  const groups = [
    { group: t('palette.go'), actions: screens },
    { group: t('palette.lists'), actions: lists },
    { group: t('palette.actions'), actions },
    ...found.groups,
  ];
  return { groups: groups.filter((group) => group.actions.length > 0), note: found.note };
}

/** What the core finds: shown as it is, past the palette's own filter, which knows labels alone. */
function useFound(query: string): { groups: Group[]; note: string | null } {
  const { t } = useTranslation();
  const { count, time } = useFormats();
  const navigate = useNavigate();
  const text = query.trim();
  const [settled] = useDebouncedValue(text, PAUSE);
  const { data, isPlaceholderData, error } = useQuery({
    ...paletteSearchQuery(settled),
    enabled: settled !== '',
    placeholderData: keepPreviousData,
  });
  if (text === '') return { groups: [], note: null };
  if (error !== null) return { groups: [], note: t('palette.unanswered') };
  if (data === undefined) return { groups: [], note: t('palette.looking') };
  // The answer to the letters before: of it stays what also holds those typed since.
  const stale = text !== settled || isPlaceholderData;
  const row = (id: string, label: string, picture: ReactNode, about: ReactNode, path: string) => ({
    id,
    label,
    ...(stale ? {} : { keywords: query }),
    leftSection: picture,
    rightSection: <span className="palette-about">{about}</span>,
    onClick: () => void navigate(path),
  });
  const groups: Group[] = [
    {
      group: t('nav.validations'),
      actions: data.validations.map(({ id, name, status, chipUrl }) =>
        row(
          `validation-${id}`,
          name,
          <FaceThumbnail url={chipUrl} name={name} size={24} />,
          <>
            <span>{id}</span>
            <StatusBadge of="validation" code={status} />
          </>,
          `/validations/${id}`,
        ),
      ),
    },
    {
      group: t('palette.faces'),
      actions: data.faces.map(({ id, name, blacklistId, blacklistName, chipUrl }) =>
        row(
          `face-${id}`,
          name,
          <FaceThumbnail url={chipUrl} name={name} size={24} />,
          <>
            <span className="cut">{blacklistName}</span>
            <span>{id}</span>
          </>,
          `/company/internal-biometrics/${blacklistId}?face=${id}`,
        ),
      ),
    },
    {
      group: t('uploads.title'),
      actions: data.uploads.map(({ uploadId, numberOfImages, blacklistName, createdAt }) =>
        row(
          `upload-${uploadId}`,
          t('uploads.one', { time: time(createdAt) }),
          <IconUpload size={18} stroke={1.6} aria-hidden />,
          <>
            <span className="cut">{blacklistName}</span>
            <span>{t('palette.photos', { count: numberOfImages, photos: count(numberOfImages) })}</span>
          </>,
          `/enrol/uploads/${uploadId}`,
        ),
      ),
    },
    {
      group: t('palette.comparisons'),
      actions: data.comparisons.map(({ id, templateId, verificationId, comparedAt }) =>
        row(
          `comparison-${id}`,
          `${templateId} · ${verificationId}`,
          <IconSignature size={18} stroke={1.6} aria-hidden />,
          time(comparedAt),
          `/signatures/history/${id}`,
        ),
      ),
    },
  ];
  return { groups, note: stale ? t('palette.looking') : data.partial ? t('palette.partly') : null };
}
