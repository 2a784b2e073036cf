import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useDebouncedValue } from '@mantine/hooks';
import {
  Spotlight,
  type SpotlightActionData,
  type SpotlightActionGroupData,
  type SpotlightFilterFunction,
} from '@mantine/spotlight';
import {
  IconSearch,
  IconUserOff,
  IconSignature,
  IconUpload,
  IconAlertTriangle,
  IconContrast2,
  IconCopy,
  IconFolderPlus,
  IconHistory,
  IconKeyboard,
  IconKey,
  IconLanguage,
  IconListCheck,
  IconLock,
  IconMoon,
  IconRoute,
  IconShieldPlus,
  IconSun,
  IconUserPlus,
  type Icon,
} from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate } from 'react-router';
import { isFound } from '../../core/contracts/searchKey.ts';
import { LANGUAGES, type Language, type Session } from '../../core/contracts/dashboard/session.ts';
import type { Permission } from '../../core/contracts/dashboard/permissions.ts';
import { blacklistsQuery } from '../api/blacklists.ts';
import { paletteSearchQuery } from '../api/validations.ts';
import { useSession } from '../api/session.ts';
import { FaceThumbnail } from '../components/FaceThumbnail.tsx';
import { StatusBadge } from '../components/StatusBadge.tsx';
import { Matched } from '../components/Matched.tsx';
import { SeverityBadge } from '../components/Severity.tsx';
import { useWords } from '../i18n/words.tsx';
import { menuFor } from '../state/navigation.ts';
import { paletteHits, palettePhase, type PaletteHit } from './paletteHits.ts';
import { useAppearance } from './useAppearance.ts';
import type { en } from '../i18n/en.ts';

/** The service is asked when no key has come for this long, milliseconds. */
const DEBOUNCE_MS = 120;
/** All screens, lists and actions of a large company fit. */
const MAX_SHOWN = 60;

/** The actions of the app shell that the palette offers. */
interface ShellActions {
  showKeys: () => void;
  lock: () => void;
}

/**
 * Ctrl K: goes to a screen, runs an action, or finds entries of the company. It is open and focused before the next key
 * arrives, so that the first letters are typed into it and not into the screen behind it.
 */
export default function CommandPalette(shell: ShellActions) {
  const { t } = useWords();
  const [query, setQuery] = useState('');
  const from = useRef<EventTarget | null>(null);
  const { groups, note } = useGroups(query, shell);
  return (
    <Spotlight
      shortcut="mod + K"
      attributes={{ content: { 'aria-label': t('keys.palette') } }}
      query={query}
      onQueryChange={setQuery}
      actions={groups}
      nothingFound={note ?? t('palette.nothing')}
      filter={found}
      scrollable
      maxHeight="min(60vh, 520px)"
      limit={MAX_SHOWN}
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
        rightSection: <Selected />,
        placeholder: t('palette.placeholder'),
        'aria-label': t('palette.placeholder'),
      }}
    />
  );
}

/** Reads the entry that Enter would run. The library marks it in the list alone, while the field keeps the focus. */
function Selected() {
  const status = useRef<HTMLSpanElement>(null);
  const [entry, setEntry] = useState('');
  useEffect(() => {
    const dialog = status.current?.closest('[role=dialog]');
    if (dialog == null) return;
    const read = () => setEntry(dialog.querySelector<HTMLElement>('[data-selected]')?.innerText ?? '');
    const observer = new MutationObserver(read);
    observer.observe(dialog, { subtree: true, childList: true, attributeFilter: ['data-selected'] });
    return () => observer.disconnect();
  }, []);
  return (
    <span ref={status} className="sr-only" role="status">
      {entry}
    </span>
  );
}

type Entry = SpotlightActionData & { label: string };

interface Group {
  group: string;
  actions: Entry[];
}

function useGroups(
  query: string,
  shell: ShellActions,
): { groups: SpotlightActionGroupData[]; note: string | null } {
  const { t } = useWords();
  const navigate = useNavigate();
  const session = useSession();
  const appearance = useAppearance();
  const { data } = useQuery({
    ...blacklistsQuery,
    enabled: session.company.features.blacklists && session.permissions.includes('blacklists:read'),
    staleTime: 30_000,
  });
  const hits = useHits(query);
  const go = (path: string) => () => void navigate(path);
  const menu = menuFor(session);
  const screens = menu.flatMap(({ word: entry, Icon, inSettings, screens: tabs }) =>
    tabs.map(({ path, word }) => ({
      id: path,
      label: t(`nav.${word}`),
      leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
      // Where the menu has it.
      rightSection: (
        <span className="palette-about">
          {inSettings === true ? t('nav.settings') : entry === word ? null : t(`nav.${entry}`)}
        </span>
      ),
      onClick: go(path),
    })),
  );
  const lists = (data?.items ?? []).map(({ id, name }) => ({
    id: `blacklist-${id}`,
    label: name,
    leftSection: <IconUserOff size={18} stroke={1.6} aria-hidden />,
    onClick: go(`/company/internal-biometrics/${id}`),
  }));
  const actions = actionsFor(session, appearance, shell).map(({ word, Icon, begin, lang }) => ({
    id: `action-${word}`,
    label: lang === undefined ? t(`actions.${word}`) : LANGUAGES[lang],
    leftSection: <Icon size={18} stroke={1.6} aria-hidden />,
    onClick: typeof begin === 'string' ? go(begin) : begin,
  }));
  // Hits of the service come last: rows that are already there must not move when Enter is about to be pressed.
  const groups = [
    { group: t('palette.go'), actions: screens },
    { group: t('nav.blacklists'), actions: lists },
    { group: t('palette.actions'), actions },
    ...hits.groups,
  ];
  return {
    groups: groups.flatMap(({ group, actions: all }) =>
      all.length > 0 ? [{ group, actions: all.map(marked) }] : [],
    ),
    note: hits.note,
  };

  /** The label as it is, with what the query matched. */
  function marked(action: Entry): SpotlightActionData {
    return {
      ...action,
      children: (
        <>
          {action.leftSection}
          <span className="palette-label">
            <Matched text={action.label} query={query} />
          </span>
          {action.rightSection}
        </>
      ),
    };
  }
}

/** The entries that the query leaves: labels that have its words, and hits of the service. */
const found: SpotlightFilterFunction = (query, groups) => {
  if (query.trim() === '') return groups;
  return groups.flatMap((each): typeof groups => {
    if (!('actions' in each)) return [each];
    const actions = each.actions.filter(
      ({ label = '', keywords }) => keywords === query || isFound(label, query),
    );
    return actions.length > 0 ? [{ ...each, actions }] : [];
  });
};

/** The notes of a search; none while nothing was typed or every hit is there. */
const NOTES = {
  failed: 'palette.unanswered',
  searching: 'palette.looking',
  stale: 'palette.looking',
  partial: 'palette.partly',
} as const;

const GROUPS: Record<
  PaletteHit['kind'],
  'nav.validations' | 'nav.persons' | 'palette.faces' | 'nav.runs' | 'palette.comparisons'
> = {
  validation: 'nav.validations',
  person: 'nav.persons',
  face: 'palette.faces',
  upload: 'nav.runs',
  comparison: 'palette.comparisons',
};

/** Hits of the service. The filter of the palette itself knows labels alone, so hits of the present text pass it by keyword. */
function useHits(query: string): { groups: Group[]; note: string | null } {
  const { t } = useWords();
  const navigate = useNavigate();
  const row = useHitRow();
  const [sent] = useDebouncedValue(query.trim(), DEBOUNCE_MS);
  const { data, isPlaceholderData, error } = useQuery({
    ...paletteSearchQuery(sent),
    enabled: sent !== '',
    placeholderData: keepPreviousData,
  });
  const search = { query, sent, answer: data, isEarlier: isPlaceholderData, failed: error !== null };
  const phase = palettePhase(search);
  const note = phase === 'idle' || phase === 'complete' ? null : t(NOTES[phase]);
  const groups = paletteHits(search).flatMap((hits): Group[] => {
    const [first] = hits;
    if (first === undefined) return [];
    const actions = hits.map((hit) => ({
      id: hit.id,
      ...row(hit),
      ...(phase === 'stale' ? {} : { keywords: query }),
      onClick: () => void navigate(hit.path),
    }));
    return [{ group: t(GROUPS[first.kind]), actions }];
  });
  return { groups, note };
}

/** Draws a hit: its label, its picture, and the detail that distinguishes hits of the same name. */
function useHitRow(): (hit: PaletteHit) => {
  label: string;
  leftSection: ReactNode;
  rightSection: ReactNode;
} {
  const { t, count, time } = useWords();
  const drawn = (label: string, leftSection: ReactNode, about: ReactNode) => ({
    label,
    leftSection,
    rightSection: <span className="palette-about">{about}</span>,
  });
  return ({ kind, of }) => {
    switch (kind) {
      case 'validation':
        return drawn(
          of.name,
          <FaceThumbnail url={of.thumbnailUrl} name={of.name} size={24} />,
          <>
            <span>{of.id}</span>
            <StatusBadge of="validation" code={of.status} source={of.source} />
          </>,
        );
      case 'person':
        return drawn(
          of.name,
          <FaceThumbnail url={of.thumbnailUrl} name={of.name} size={24} />,
          <>
            <span>{t('palette.photos', { count: of.photos, photos: count(of.photos) })}</span>
            <span>{of.id}</span>
          </>,
        );
      case 'face':
        return drawn(
          of.name,
          <FaceThumbnail url={of.thumbnailUrl} name={of.name} size={24} />,
          <>
            <span dir="auto" className="cut">
              {of.blacklistName}
            </span>
            <SeverityBadge severity={of.severity} />
            <span>{of.id}</span>
          </>,
        );
      case 'upload': {
        const { numberOfImages } = of;
        return drawn(
          t('uploads.one', { time: time(of.createdAt) }),
          <IconUpload size={18} stroke={1.6} aria-hidden />,
          <>
            <span dir="auto" className="cut">
              {of.blacklistName}
            </span>
            <span>{t('palette.photos', { count: numberOfImages, photos: count(numberOfImages) })}</span>
          </>,
        );
      }
      case 'comparison':
        return drawn(
          `${of.templateId} · ${of.verificationId}`,
          <IconSignature size={18} stroke={1.6} aria-hidden />,
          time(of.comparedAt),
        );
    }
  };
}

/** The actions that can be started from every screen. */
interface Action {
  word: keyof (typeof en)['actions'];
  Icon: Icon;
  /** The address where the action begins, or the function that runs it. */
  begin: string | (() => void);
  /** Of that language, where the action is to change it. */
  lang?: Language;
}

const PLACES: readonly (Action & {
  begin: string;
  needs: Permission;
  feature?: keyof Session['company']['features'];
})[] = [
  { word: 'enrolFolder', Icon: IconFolderPlus, begin: '/enrol', needs: 'uploads:create' },
  {
    word: 'newBlacklist',
    Icon: IconShieldPlus,
    begin: '/company/internal-biometrics/new',
    needs: 'blacklists:write',
    feature: 'blacklists',
  },
  {
    word: 'needReview',
    Icon: IconAlertTriangle,
    begin: '/validations?status=2',
    needs: 'validations:read',
  },
  {
    word: 'failedUploads',
    Icon: IconAlertTriangle,
    begin: '/enrol/failures?state=open',
    needs: 'uploads:read',
  },
  { word: 'findDuplicates', Icon: IconCopy, begin: '/duplicates/find', needs: 'duplicates:run' },
  { word: 'compareKnown', Icon: IconSignature, begin: '/signatures/known', needs: 'signatures:compare' },
  { word: 'signatureHistory', Icon: IconHistory, begin: '/signatures/history', needs: 'signatures:read' },
  { word: 'newFlow', Icon: IconRoute, begin: '/trust-flows/new', needs: 'flows:write' },
  { word: 'newCredential', Icon: IconKey, begin: '/settings/api-access/new', needs: 'tokens:write' },
  { word: 'newOperator', Icon: IconUserPlus, begin: '/settings/operators/new', needs: 'operators:write' },
  { word: 'firstSteps', Icon: IconListCheck, begin: '/?steps', needs: 'uploads:create' },
  { word: 'roles', Icon: IconUserPlus, begin: '/settings/operators/roles', needs: 'operators:read' },
];

/** The actions of the company, of the operator's role and of the app shell. */
function actionsFor(
  { company, permissions }: Session,
  { appearance, choose }: Pick<ReturnType<typeof useAppearance>, 'appearance' | 'choose'>,
  shell: { showKeys: () => void; lock: () => void },
): Action[] {
  const other = (Object.keys(LANGUAGES) as Language[]).find((each) => each !== appearance.language);
  const dark = appearance.scheme === 'dark';
  return [
    ...PLACES.filter(
      ({ needs, feature }) =>
        permissions.includes(needs) && (feature === undefined || company.features[feature]),
    ),
    {
      word: dark ? 'light' : 'dark',
      Icon: dark ? IconSun : IconMoon,
      begin: () => choose({ scheme: dark ? 'light' : 'dark' }),
    },
    {
      word: 'highContrast',
      Icon: IconContrast2,
      begin: () => choose({ highContrast: !appearance.highContrast }),
    },
    ...(other === undefined
      ? []
      : [
          {
            word: 'otherLanguage' as const,
            Icon: IconLanguage,
            lang: other,
            begin: () => choose({ language: other }),
          },
        ]),
    { word: 'keys', Icon: IconKeyboard, begin: shell.showKeys },
    { word: 'lock', Icon: IconLock, begin: shell.lock },
  ];
}
