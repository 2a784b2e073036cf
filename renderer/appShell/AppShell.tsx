import { overviewApi } from '../../core/contracts/dashboard/overview.ts';
import { Activity, lazy, Suspense, useCallback, useState, useEffect, useLayoutEffect, useRef } from 'react';
import { useHotkeys, useMediaQuery } from '@mantine/hooks';
import { spotlight } from '@mantine/spotlight';
import { Outlet, useLocation, useNavigate, Link } from 'react-router';
import {
  IconPlugConnectedX,
  IconLock,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
} from '@tabler/icons-react';
import { useQueryClient, useMutation, queryOptions, useQuery, useInfiniteQuery } from '@tanstack/react-query';
import { CloseButton, Tooltip } from '@mantine/core';
import { bySeverity } from '../../core/contracts/faceListing.ts';
import { dashboardEvent } from '../../core/contracts/dashboard/work.ts';
import type { AlertChoice, NewHit } from '../../core/contracts/dashboard/validations.ts';
import { Action, Page, ErrorState } from '../components/Page.tsx';
import { ApiError, ask } from '../api/client.ts';
import { useSession, sessionQuery, openSession, useSignOut, useMay } from '../api/session.ts';
import { UndoBar, KeyHelp, HoverPreview } from './KeyHelp.tsx';
import { erasing, connection, undoStore, hitStore } from '../state/undo.ts';
import { focusScreen } from '../state/focus.ts';
import { lockStore, useIdleLock } from '../state/lock.ts';
import { usePreferences } from '../state/preferences.ts';
import {
  entryAt,
  refusedScreen,
  manualPageOf,
  menuFor,
  placeOf,
  screensFor,
  sidebarAt,
  type MenuEntry,
} from '../state/navigation.ts';
import { TopBar } from './TopBar.tsx';
import { useOwnAppearance, useAppearance } from './useAppearance.ts';
import { Dialog, Form, PassphraseInput, signInError, Submit } from '../components/Form.tsx';
import { useWords } from '../i18n/words.tsx';
import { keyOf, belongsToField, isCovered, runKey } from '../state/keys.ts';
import { SeverityBadge } from '../components/Severity.tsx';
import { playAlert, showNotification } from './alert.ts';
import { validationsQuery } from '../api/validations.ts';
import mark from '../mark.svg';
import './appShell.css';

/** Its search of names has tables that the first screen does not need; it is loaded right after that. */
const CommandPalette = lazy(() => import('./CommandPalette.tsx'));
const Erasure = lazy(() => import('../screens/erasure/Erasure.tsx'));

/** In a window this narrow the sidebar is icons alone: 200 % zoom on a small screen. */
const NARROW = '(max-width: 900px)';

/** Rail, top bar, and the screen that the address names. Nothing else is always on screen. */
export function AppShell() {
  const { locked, set: setLocked } = lockStore();
  useIdleLock();
  useLiveUpdates();
  useOwnAppearance();
  useHitAlerts();
  return (
    <>
      {locked ? <IdleLock /> : null}
      {/* Unsaved input is still there after the passphrase was entered. */}
      <Activity mode={locked ? 'hidden' : 'visible'}>
        <Workspace lock={() => setLocked(true)} />
      </Activity>
    </>
  );
}

/** Until the palette is loaded its key is kept: it opens when it arrives. */
function PaletteKey() {
  useHotkeys([['mod+K', spotlight.open]], []);
  return null;
}

function Workspace({ lock }: { lock: () => void }) {
  const { t } = useWords();
  const narrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const collapsed = usePreferences((state) => state.sidebarCollapsed) || narrow;
  const [help, setHelp] = useState(false);
  const showHelp = useCallback(() => setHelp(true), []);
  const [manual, setManual] = useState(false);
  const erasure = erasing(({ open }) => open);
  useShellKeys(showHelp);
  return (
    <div className={collapsed ? 'app-shell app-shell-narrow' : 'app-shell'}>
      <a className="skip" href="#work">
        {t('nav.skip')}
      </a>
      <Sidebar collapsed={collapsed} fixed={narrow} />
      <TopBar showKeys={showHelp} showManual={() => setManual(true)} lock={lock} />
      <main id="work" className="app-shell-content" tabIndex={-1}>
        <Screen />
      </main>
      <Suspense fallback={<PaletteKey />}>
        <CommandPalette showKeys={showHelp} lock={lock} />
      </Suspense>
      {manual ? <Manual close={() => setManual(false)} /> : null}
      {help ? (
        <KeyHelp
          close={() => setHelp(false)}
          showManual={() => {
            setHelp(false);
            setManual(true);
          }}
        />
      ) : null}
      {erasure === null ? null : (
        <Suspense>
          <Erasure {...erasure} />
        </Suspense>
      )}
      <HoverPreview />
      {/* Over the work, never in it: what is being read does not move when one of these comes or goes. */}
      <div className="said-below">
        <ConnectionBanner />
        <HitBanner />
        <UndoBar />
      </div>
    </div>
  );
}

/** The screen at the address. A screen that the operator's role excludes is refused before it is loaded or used. */
function Screen() {
  const { t } = useWords();
  const { permissions } = useSession();
  const { pathname } = useLocation();
  const place = placeOf(pathname)?.path;
  const before = useRef(place);
  useEffect(() => {
    if (before.current !== place) focusScreen();
    before.current = place;
  }, [place]);
  const refused = refusedScreen(pathname, permissions);
  if (refused === undefined) return <Outlet />;
  return (
    <Page title={t(`nav.${refused.word}`)}>
      <ErrorState error={new ApiError(403, '')} />
    </Page>
  );
}

/**
 * The section of the manual about the present screen, over the screen, so that a running enrolment continues. The pages
 * are static and in English; the frame runs no script. A key pressed in the frame does not reach the dialog around it,
 * so each page that the frame loads is listened to for Escape.
 */
function Manual({ close }: { close: () => void }) {
  const { t } = useWords();
  const { pathname } = useLocation();
  return (
    <Dialog title={t('top.help')} close={close} wide>
      <iframe
        className="manual"
        sandbox="allow-same-origin"
        title={t('top.help')}
        src={manualPageOf(pathname)}
        data-autofocus
        onLoad={({ currentTarget }) =>
          currentTarget.contentWindow?.addEventListener('keydown', ({ key }) => {
            if (key === 'Escape') close();
          })
        }
      />
    </Dialog>
  );
}

/** How often an unreachable core is asked again, milliseconds. */
const RETRY = 3_000;

/** Shows since when the service has not answered, and retries. The screens keep their content. */
function ConnectionBanner() {
  const { t, time } = useWords();
  const client = useQueryClient();
  const since = connection((state) => state.lostSince);
  useEffect(() => {
    if (since === null) return;
    const timer = setInterval(() => {
      client
        .query({ ...sessionQuery, staleTime: 0, retry: false })
        .then(() => client.invalidateQueries())
        .catch(() => undefined);
    }, RETRY);
    return () => clearInterval(timer);
  }, [since, client]);
  if (since === null) return null;
  return (
    <div className="banner" role="alert">
      <IconPlugConnectedX size={18} aria-hidden />
      {t('state.offline', { time: time(since.toISOString()) })}
    </div>
  );
}

/** Stands instead of everything until the operator's passphrase is given again. Shows no face. */
function IdleLock() {
  const { t } = useWords();
  const { operator } = useSession();
  const [passphrase, setPassphrase] = useState('');
  const open = useMutation({
    mutationFn: () => openSession(operator.name, passphrase),
  });
  const signOut = useMutation({ mutationFn: useSignOut() });
  return (
    <main className="center-stage">
      <Form className="card center-card column" send={() => open.mutate()}>
        <h1 className="row">
          <IconLock size={20} aria-hidden /> {t('lock.title')}
        </h1>
        <p className="soft">{t('lock.body')}</p>
        <PassphraseInput
          autoFocus
          required
          label={t('signIn.passphrase')}
          description={operator.name}
          autoComplete="current-password"
          value={passphrase}
          onChange={(event) => setPassphrase(event.currentTarget.value)}
        />
        <Submit
          work={open}
          error={signInError(open.error, t, t('lock.wrong')) ?? signOut.error}
          label={t('lock.unlock')}
        >
          <Action label={t('top.signOut')} work={signOut} />
        </Submit>
      </Form>
    </main>
  );
}

/** The letter after `g` must come within this time, milliseconds. */
const SEQUENCE_MS = 1_500;

/** The one listener for keys: Ctrl Z, `?`, `g` and a letter, then the screen's own. */
function useShellKeys(showHelp: () => void): void {
  const navigate = useNavigate();
  const session = useSession();
  // When `g` was pressed. The clock of the page begins at 0, so 0 would mean "just now".
  const armed = useRef(Number.NEGATIVE_INFINITY);
  useLayoutEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.defaultPrevented || isCovered() || belongsToField(event)) return;
      if ((event.ctrlKey || event.metaKey) && keyOf(event).toLowerCase() === 'z') {
        event.preventDefault();
        void undoStore.getState().undoLast();
        return;
      }
      if (event.altKey) return;
      if (event.ctrlKey || event.metaKey) {
        runKey(event);
        return;
      }
      if (event.key === '?') {
        event.preventDefault();
        showHelp();
        return;
      }
      if (performance.now() - armed.current < SEQUENCE_MS) {
        armed.current = Number.NEGATIVE_INFINITY;
        const place = screensFor(session).find(({ key }) => key === keyOf(event));
        if (place !== undefined) {
          event.preventDefault();
          void navigate(place.path);
          return;
        }
      }
      if (keyOf(event) === 'g') armed.current = performance.now();
      else runKey(event);
    };
    window.addEventListener('keydown', listen);
    return () => window.removeEventListener('keydown', listen);
  }, [navigate, session, showHelp]);
}

/** Hits on blacklists that arrived while the operator works elsewhere, with a link to the case. */
function HitBanner() {
  const { t, count } = useWords();
  const { pending, opened, dismiss } = hitStore();
  const { pathname } = useLocation();
  const at = Number(/^\/(?:validations|review)\/(\d+)$/.exec(pathname)?.[1] ?? 0);
  useEffect(() => opened(at), [at, opened, pending]);
  const [worst] = pending.toSorted((a, b) => bySeverity(a.severity, b.severity));
  return (
    <div role="status" aria-live="polite">
      {worst === undefined ? null : (
        <div className="undo">
          <SeverityBadge severity={worst.severity} />
          <span>
            {pending.length === 1
              ? t('common.blacklistMatch')
              : t('alerts.hits', { count: pending.length, hits: count(pending.length) })}{' '}
            · <bdi>{worst.blacklistName}</bdi>
          </span>
          <Action
            primary
            size="compact-sm"
            label={t('alerts.show', { id: worst.validation })}
            to={`/validations/${worst.validation}?tab=matches`}
            onClick={() => opened(worst.validation)}
          />
          {pending.length === 1 ? null : (
            <Action
              size="compact-sm"
              label={t('alerts.showAll')}
              to="/validations?hit=blacklist"
              onClick={dismiss}
            />
          )}
          <CloseButton size="sm" aria-label={t('common.dismiss')} onClick={dismiss} />
        </div>
      )}
    </div>
  );
}

/** Follows the hits on blacklists and alerts the operator as they chose. Several hits at once are one alert. */
function useHitAlerts(): void {
  const may = useMay();
  const alert = useAlert();
  const { alerts } = useAppearance().appearance;
  const last = useRef<number>(undefined);
  // Named as a part of the validations: the event of a new validation reloads it.
  const { data } = useQuery({
    ...queryOptions({
      queryKey: ['validations', 'hits'],
      queryFn: ({ signal }) => ask(overviewApi.newHits, { query: { after: last.current }, signal }),
    }),
    enabled: may('validations:read'),
    structuralSharing: false,
  });
  const followed = useRef<unknown>(undefined);
  useEffect(() => {
    if (data === undefined || data === followed.current) return;
    followed.current = data;
    last.current = Math.max(data.last, last.current ?? 0);
    const hits = data.hits.filter(({ severity }) => bySeverity(severity, alerts.from) <= 0);
    if (hits.length === 0) return;
    hitStore.getState().add(hits);
    alert(hits, alerts);
  }, [data, alerts, alert]);
}

/** @returns sounds and notifies, unless the operator works in this window and wants no alert then */
function useAlert(): (hits: readonly NewHit[], choice: AlertChoice) => void {
  const { t, count, list } = useWords();
  const navigate = useNavigate();
  return (hits, { way, whileFocused, listName }) => {
    const [worst] = hits.toSorted((a, b) => bySeverity(a.severity, b.severity));
    if (worst === undefined || way === 'off') return;
    if (document.hasFocus() && !whileFocused) return;
    if (way !== 'notification')
      playAlert(worst.severity).catch((error: unknown) => {
        console.warn('The alert sound could not be played.', error);
      });
    if (way === 'sound') return;
    const title =
      hits.length === 1
        ? t('common.blacklistMatch')
        : t('alerts.hits', { count: hits.length, hits: count(hits.length) });
    const names = [...new Set(hits.map(({ blacklistName }) => blacklistName))];
    showNotification(title, listName ? t('alerts.onList', { list: list(names) }) : '', () => {
      void navigate(
        hits.length === 1 ? `/validations/${worst.validation}?tab=matches` : '/validations?hit=blacklist',
      );
    });
  };
}

/** @param props.fixed the window leaves it no choice */
function Sidebar({ collapsed, fixed }: { collapsed: boolean; fixed: boolean }) {
  const { t } = useWords();
  const session = useSession();
  const { pathname } = useLocation();
  const toggleSidebar = usePreferences((state) => state.toggleSidebar);
  const Toggle = collapsed ? IconLayoutSidebarLeftExpand : IconLayoutSidebarLeftCollapse;
  const toggle = t(collapsed ? 'nav.expand' : 'nav.collapse');
  const menu = menuFor(session);
  const open = entryAt(menu, pathname);
  return (
    <nav className="sidebar" aria-label={t('nav.label')}>
      <div className="sidebar-mark">
        <img src={mark} alt="" />
        <span className="sidebar-word">Vouch</span>
      </div>
      <div className="sidebar-places">
        {sidebarAt(menu, pathname).map((entry) => (
          <SidebarLink key={entry.word} entry={entry} open={entry === open} narrow={collapsed} />
        ))}
      </div>
      {fixed ? null : (
        <Tooltip label={toggle} position="right" disabled={!collapsed}>
          <button type="button" className="sidebar-item" onClick={toggleSidebar}>
            <Toggle size={18} stroke={1.6} className="mirrored" aria-hidden />
            <span className="sidebar-word">{toggle}</span>
          </button>
        </Tooltip>
      )}
    </nav>
  );
}

function SidebarLink({ entry, open, narrow }: { entry: MenuEntry; open: boolean; narrow: boolean }) {
  const { t } = useWords();
  const { Icon, word, inSettings = false, screens } = entry;
  return (
    <div className="sidebar-entry">
      <Tooltip label={t(`nav.${word}`)} position="right" disabled={!narrow}>
        <Link
          to={screens[0]?.path ?? '/'}
          aria-current={open ? 'page' : undefined}
          className={inSettings ? 'sidebar-item sidebar-within' : 'sidebar-item'}
        >
          <Icon size={inSettings ? 16 : 18} stroke={1.6} aria-hidden />
          <span className="sidebar-word">{t(`nav.${word}`)}</span>
        </Link>
      </Tooltip>
      {screens.some(({ path }) => path === '/review') ? <ReviewCount /> : null}
    </div>
  );
}

/** The validations that wait for a decision: a link of its own, so that review is one click away from every screen. */
function ReviewCount() {
  const { t, count } = useWords();
  const { data } = useInfiniteQuery(validationsQuery({ status: 2, order: 'asc' }));
  const waiting = data?.pages[0]?.total ?? 0;
  return waiting === 0 ? null : (
    <Link
      to="/review"
      className="sidebar-count"
      aria-label={t('overview.toReview', { waiting: count(waiting) })}
    >
      {count(waiting)}
    </Link>
  );
}

/** After a refusal the browser does not connect again by itself; milliseconds. */
const RECONNECT_MS = 5_000;

/**
 * Follows the changes that the service reports, and reloads the data on screen that they concern. When the stream opens, all
 * data on screen is reloaded once: it may have changed between its loading and the opening, or while the connection was lost.
 * The service ends the stream with the session, and when the role changes: a page that is only read must follow, too.
 */
function useLiveUpdates(): void {
  const client = useQueryClient();
  const [attempt, setAttempt] = useState(0);
  useEffect(() => {
    const source = new EventSource('/api/dashboard/events');
    let next: ReturnType<typeof setTimeout> | undefined;
    source.onopen = () => {
      void client.invalidateQueries();
    };
    source.onerror = () => {
      if (source.readyState !== EventSource.CLOSED) return;
      void client.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true });
      next = setTimeout(() => setAttempt(attempt + 1), RECONNECT_MS);
    };
    source.onmessage = ({ data }) => {
      const event = dashboardEvent.safeParse(JSON.parse(String(data)));
      if (!event.success) return;
      // The overview counts all of it but pipelines.
      if (event.data.topics.some((topic) => topic !== 'pipelines'))
        void client.invalidateQueries({ queryKey: ['overview'] });
      for (const topic of event.data.topics) void client.invalidateQueries({ queryKey: [topic] });
    };
    return () => {
      clearTimeout(next);
      source.close();
    };
  }, [client, attempt]);
}
