import { Activity, lazy, Suspense, useCallback, useState } from 'react';
import { useMediaQuery } from '@mantine/hooks';
import { Outlet, useLocation } from 'react-router';
import { useTranslation } from 'react-i18next';
import { ApiError } from '../api/client.ts';
import { useLiveUpdates } from '../api/events.ts';
import { useSession } from '../api/session.ts';
import { Page } from '../components/Page.tsx';
import { ErrorState } from '../components/states.tsx';
import { UndoBar } from '../components/UndoBar.tsx';
import { erasing } from '../state/erasing.ts';
import { lockStore, useIdleLock } from '../state/lock.ts';
import { usePreferences } from '../state/preferences.ts';
import { CommandPalette } from './CommandPalette.tsx';
import { ConnectionBanner } from './ConnectionBanner.tsx';
import { KeyHelp } from './KeyHelp.tsx';
import { Manual } from './Manual.tsx';
import { refusedScreen } from './navigation.ts';
import { IdleLock } from './IdleLock.tsx';
import { HitBanner } from './HitBanner.tsx';
import { useHitAlerts } from './useHitAlerts.ts';
import { HoverPreview } from './HoverPreview.tsx';
import { Sidebar } from './Sidebar.tsx';
import { TopBar } from './TopBar.tsx';
import { useOwnAppearance } from './useAppearance.ts';
import { useShellKeys } from './useShellKeys.ts';
import './appShell.css';

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

function Workspace({ lock }: { lock: () => void }) {
  const { t } = useTranslation();
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
      <CommandPalette showKeys={showHelp} lock={lock} />
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
  const { t } = useTranslation();
  const { permissions } = useSession();
  const { pathname } = useLocation();
  const refused = refusedScreen(pathname, permissions);
  if (refused === undefined) return <Outlet />;
  return (
    <Page title={t(`nav.${refused.word}`)}>
      <ErrorState error={new ApiError(403, '')} />
    </Page>
  );
}
