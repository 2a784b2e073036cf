import { lazy, Suspense, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createBrowserRouter, Navigate, Outlet, useRouteError } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { errorOf } from '../core/contracts/errors/problem.ts';
import { ApiError } from './api/client.ts';
import { sessionQuery, setupQuery, SignedIn, useSession } from './api/session.ts';
import { ErrorState, LoadingRows } from './components/Page.tsx';
import { loadScreenTexts } from './i18n/i18n.ts';
import { navigationFor } from './appShell/navigation.ts';
import { AppShell } from './appShell/AppShell.tsx';
import { SignIn } from './screens/SignIn.tsx';
import { usePreferences } from './state/preferences.ts';

const SetUp = lazy(() => import('./screens/setup/SetUp.tsx'));

/** A screen is opened once its texts are loaded, too. */
const screen =
  <T,>(load: () => Promise<T>) =>
  async (): Promise<T> => {
    const [module] = await Promise.all([load(), loadScreenTexts()]);
    return module;
  };

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
              {
                path: 'validations/:id?',
                lazy: screen(() => import('./screens/validations/Validations.tsx')),
              },
              { path: 'compare', lazy: screen(() => import('./screens/compare/Compare.tsx')) },
              {
                path: 'compare/history/:id?',
                lazy: screen(() => import('./screens/compare/FaceComparisonHistory.tsx')),
              },
              { path: 'verify', lazy: screen(() => import('./screens/verify/Verify.tsx')) },
              { path: 'review/pairs', lazy: screen(() => import('./screens/review/Pairs.tsx')) },
              { path: 'review/:id?', lazy: screen(() => import('./screens/review/Review.tsx')) },
              { path: 'signatures', lazy: screen(() => import('./screens/signatures/Signatures.tsx')) },
              {
                path: 'signatures/known',
                lazy: screen(() => import('./screens/signatures/KnownSignatures.tsx')),
              },
              {
                path: 'signatures/history/:id?',
                lazy: screen(() => import('./screens/signatures/ComparisonHistory.tsx')),
              },
              {
                path: 'signatures/calibration',
                lazy: screen(() => import('./screens/signatureCalibration/SignatureCalibration.tsx')),
              },
              { path: 'trust-flows/:id?', lazy: screen(() => import('./screens/flows/Flows.tsx')) },
              { path: 'enrol/uploads/:id?', lazy: screen(() => import('./screens/uploads/Uploads.tsx')) },
              {
                path: 'enrol/failures/:id?',
                lazy: screen(() => import('./screens/failedPhotos/FailedPhotos.tsx')),
              },
              { path: 'enrol', lazy: screen(() => import('./screens/enrol/Enrol.tsx')) },
              { path: 'duplicates/sample', lazy: screen(() => import('./screens/duplicates/Sample.tsx')) },
              { path: 'duplicates/:id?', lazy: screen(() => import('./screens/duplicates/Duplicates.tsx')) },
              { path: 'persons/:id?', lazy: screen(() => import('./screens/persons/Persons.tsx')) },
              { path: 'search', lazy: screen(() => import('./screens/search/Search.tsx')) },
              { path: 'search/history', lazy: screen(() => import('./screens/search/History.tsx')) },
              {
                path: 'company/internal-biometrics/:id?',
                lazy: screen(() => import('./screens/blacklists/Blacklists.tsx')),
              },
              { path: 'erasures/:id?', lazy: screen(() => import('./screens/erasure/Erasures.tsx')) },
              {
                path: 'exchange/:part?/:id?',
                lazy: screen(() => import('./screens/blacklistTransfer/BlacklistTransfer.tsx')),
              },
              { path: 'audit/:id?', lazy: screen(() => import('./screens/audit/Audit.tsx')) },
              { path: 'settings', element: <FirstSettings /> },
              { path: 'settings/company', lazy: screen(() => import('./screens/settings/Company.tsx')) },
              { path: 'settings/limits', lazy: screen(() => import('./screens/settings/Limits.tsx')) },
              { path: 'settings/retention', lazy: screen(() => import('./screens/settings/Retention.tsx')) },
              { path: 'settings/backup', lazy: screen(() => import('./screens/backup/Backup.tsx')) },
              {
                path: 'settings/network',
                lazy: screen(() => import('./screens/settings/NetworkAccess.tsx')),
              },
              { path: 'settings/pipelines', lazy: screen(() => import('./screens/pipelines/Pipelines.tsx')) },
              {
                path: 'settings/calibration',
                lazy: screen(() => import('./screens/calibration/Calibration.tsx')),
              },
              {
                path: 'settings/api-access/:id?',
                lazy: screen(() => import('./screens/apiAccess/ApiAccess.tsx')),
              },
              {
                path: 'settings/operators/:id?',
                lazy: screen(() => import('./screens/operators/Operators.tsx')),
              },
              { path: 'system', lazy: screen(() => import('./screens/system/System.tsx')) },
              { path: '*', element: <NotFound /> },
            ],
          },
        ],
      },
    ],
  },
]);

export function App() {
  const highContrast = usePreferences((state) => state.highContrast);
  useEffect(() => {
    if (highContrast) document.documentElement.dataset.contrast = 'high';
    else delete document.documentElement.dataset.contrast;
  }, [highContrast]);
  return <RouterProvider router={router} />;
}

/** Settings has no screen of its own: it opens the first one that the role has. */
function FirstSettings() {
  const first = navigationFor(useSession()).find(({ within }) => within === 'settings');
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
        <Outlet />
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
  return <ErrorState error={new ApiError(404, '')} />;
}
