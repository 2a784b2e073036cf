import { lazy, Suspense, useEffect, useState, type ComponentType } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createBrowserRouter, Navigate, Outlet, useRouteError, type RouteObject } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { errorOf } from '../core/contracts/errors/problem.ts';
import { ApiError } from './api/client.ts';
import { sessionQuery, setupQuery, SignedIn, useSession } from './api/session.ts';
import { ErrorState, LoadingRows, Page } from './components/Page.tsx';
import { loadScreenTexts } from './i18n/i18n.ts';
import { useWords } from './i18n/words.tsx';
import { menuFor } from './state/navigation.ts';
import { AppShell } from './appShell/AppShell.tsx';
import { SignIn } from './screens/SignIn.tsx';
import { keepFocus } from './state/focus.ts';
import { usePreferences } from './state/preferences.ts';

const SetUp = lazy(() => import('./screens/setup/SetUp.tsx'));

/** A screen is opened once its texts are loaded, too. */
const route = (path: string, load: () => Promise<{ Component: ComponentType }>): RouteObject => ({
  path,
  lazy: async () => {
    const [module] = await Promise.all([load(), loadScreenTexts()]);
    return module;
  },
});

/** One screen, one chunk: what an operator never opens is never loaded. */
const router = createBrowserRouter([
  {
    element: <AuthGate />,
    errorElement: <ErrorScreen />,
    children: [
      {
        element: <AppShell />,
        children: [
          {
            // A screen that breaks leaves the frame standing.
            errorElement: <ErrorScreen />,
            hydrateFallbackElement: <LoadingRows />,
            children: [
              { index: true, lazy: () => import('./screens/overview/Overview.tsx') },
              route('validations/:id?', () => import('./screens/validations/Validations.tsx')),
              route('compare', () => import('./screens/compare/Compare.tsx')),
              route('compare/history/:id?', () => import('./screens/compare/FaceComparisonHistory.tsx')),
              route('examinations/practice', () => import('./screens/examinations/Practice.tsx')),
              route('examinations/:id?', () => import('./screens/examinations/Examinations.tsx')),
              route('case-folders/:id?', () => import('./screens/caseFolders/CaseFolders.tsx')),
              route('verify', () => import('./screens/verify/Verify.tsx')),
              route('review/pairs', () => import('./screens/review/Pairs.tsx')),
              route('review/:id?', () => import('./screens/review/Review.tsx')),
              route('signatures', () => import('./screens/signatures/Signatures.tsx')),
              route('signatures/known', () => import('./screens/signatures/KnownSignatures.tsx')),
              route('signatures/history/:id?', () => import('./screens/signatures/ComparisonHistory.tsx')),
              route(
                'signatures/calibration',
                () => import('./screens/signatureCalibration/SignatureCalibration.tsx'),
              ),
              route('trust-flows/:id?', () => import('./screens/flows/Flows.tsx')),
              route('enrol/uploads/:id?', () => import('./screens/uploads/Uploads.tsx')),
              route('enrol/failures/:id?', () => import('./screens/failedPhotos/FailedPhotos.tsx')),
              route('enrol', () => import('./screens/enrol/Enrol.tsx')),
              route('duplicates/sample', () => import('./screens/duplicates/Sample.tsx')),
              route('duplicates/:id?', () => import('./screens/duplicates/Duplicates.tsx')),
              route('persons/:id?', () => import('./screens/persons/Persons.tsx')),
              route('search', () => import('./screens/search/Search.tsx')),
              route('search/history', () => import('./screens/search/History.tsx')),
              route('company/internal-biometrics/:id?', () => import('./screens/blacklists/Blacklists.tsx')),
              route('erasures/:id?', () => import('./screens/erasure/Erasures.tsx')),
              route(
                'exchange/:part?/:id?',
                () => import('./screens/blacklistTransfer/BlacklistTransfer.tsx'),
              ),
              route('audit/:id?', () => import('./screens/audit/Audit.tsx')),
              { path: 'settings', element: <FirstSettings /> },
              route('settings/company', () => import('./screens/settings/Company.tsx')),
              route('settings/limits', () => import('./screens/settings/Limits.tsx')),
              route('settings/retention', () => import('./screens/settings/Retention.tsx')),
              route('settings/backup', () => import('./screens/backup/Backup.tsx')),
              route('settings/network', () => import('./screens/settings/NetworkAccess.tsx')),
              route('settings/pipelines', () => import('./screens/pipelines/Pipelines.tsx')),
              route('settings/calibration', () => import('./screens/calibration/Calibration.tsx')),
              route('settings/api-access/:id?', () => import('./screens/apiAccess/ApiAccess.tsx')),
              route('settings/operators/:id?', () => import('./screens/operators/Operators.tsx')),
              route('system', () => import('./screens/system/System.tsx')),
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
  },
]);

export function App() {
  useEffect(keepFocus, []);
  const highContrast = usePreferences((state) => state.highContrast);
  useEffect(() => {
    if (highContrast) document.documentElement.dataset.contrast = 'high';
    else delete document.documentElement.dataset.contrast;
  }, [highContrast]);
  return <RouterProvider router={router} />;
}

/** Settings has no screen of its own: it opens the first one that the role has. */
function FirstSettings() {
  const first = menuFor(useSession()).find(({ inSettings }) => inSettings)?.screens[0];
  return first === undefined ? <NotFound /> : <Navigate replace to={first.path} />;
}

/** Shows the screens to a signed-in operator, else the sign-in or the first set-up. The address is kept. */
function AuthGate() {
  const session = useQuery({
    ...sessionQuery,
    refetchInterval: ({ state }) => (state.errorUpdateCount > 0 && state.data === undefined ? 3_000 : false),
  });
  // While it is asked again a failed query is pending once more: what failed stays on screen until there is an answer.
  const [failed, setFailed] = useState<Error | null>(null);
  if (session.error !== null && session.error !== failed) setFailed(session.error);
  if (session.data === null) return <SignedOut />;
  if (session.data !== undefined)
    return (
      <SignedIn value={session.data}>
        {/* Nothing on screen outlives the role that was allowed to see it. */}
        <Outlet key={session.data.operator.role} />
      </SignedIn>
    );
  if (failed === null) return null;
  return (
    <main className="center-stage">
      <ErrorState error={failed} retry={() => void session.refetch()} />
    </main>
  );
}

function SignedOut() {
  const setup = useQuery(setupQuery);
  if (setup.isPending) return null;
  if (setup.data?.needed === true)
    return (
      <Suspense>
        <SetUp state={setup.data} />
      </Suspense>
    );
  return <SignIn />;
}

function ErrorScreen() {
  const error = useRouteError();
  return <ErrorState error={errorOf(error)} retry={() => window.location.reload()} />;
}

function NotFound() {
  const { t } = useWords();
  return (
    <Page title={t('state.missingTitle')}>
      <ErrorState error={new ApiError(404, '')} />
    </Page>
  );
}
