import { lazy, Suspense, useEffect, useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import { createBrowserRouter, Outlet, useRouteError } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { ApiError } from './api/client.ts';
import { sessionQuery, setupQuery, SignedIn } from './api/session.ts';
import { ErrorState, LoadingRows } from './components/states.tsx';
import { AppShell } from './appShell/AppShell.tsx';
import { SignIn } from './screens/SignIn.tsx';
import { usePreferences } from './state/preferences.ts';

const SetUp = lazy(() => import('./screens/setup/SetUp.tsx'));

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
              { path: 'validations/:id?', lazy: () => import('./screens/validations/Validations.tsx') },
              { path: 'compare', lazy: () => import('./screens/compare/Compare.tsx') },
              { path: 'verify', lazy: () => import('./screens/verify/Verify.tsx') },
              { path: 'review/pairs', lazy: () => import('./screens/review/Pairs.tsx') },
              { path: 'review/:id?', lazy: () => import('./screens/review/Review.tsx') },
              { path: 'signatures', lazy: () => import('./screens/signatures/Signatures.tsx') },
              {
                path: 'signatures/history/:id?',
                lazy: () => import('./screens/signatures/ComparisonHistory.tsx'),
              },
              { path: 'trust-flows/:id?', lazy: () => import('./screens/flows/Flows.tsx') },
              { path: 'enrol/uploads/:id?', lazy: () => import('./screens/uploads/Uploads.tsx') },
              {
                path: 'enrol/failures/:id?',
                lazy: () => import('./screens/failedPhotos/FailedPhotos.tsx'),
              },
              { path: 'enrol', lazy: () => import('./screens/enrol/Enrol.tsx') },
              { path: 'duplicates/sample', lazy: () => import('./screens/duplicates/Sample.tsx') },
              { path: 'duplicates/:id?', lazy: () => import('./screens/duplicates/Duplicates.tsx') },
              { path: 'persons/:id?', lazy: () => import('./screens/persons/Persons.tsx') },
              { path: 'search', lazy: () => import('./screens/search/Search.tsx') },
              { path: 'search/history', lazy: () => import('./screens/search/History.tsx') },
              {
                path: 'company/internal-biometrics/:id?',
                lazy: () => import('./screens/blacklists/Blacklists.tsx'),
              },
              { path: 'erasures/:id?', lazy: () => import('./screens/erasure/Erasures.tsx') },
              {
                path: 'exchange/:part?/:id?',
                lazy: () => import('./screens/blacklistTransfer/BlacklistTransfer.tsx'),
              },
              { path: 'audit/:id?', lazy: () => import('./screens/audit/Audit.tsx') },
              { path: 'settings', lazy: () => import('./screens/settings/SettingsIndex.tsx') },
              { path: 'settings/company', lazy: () => import('./screens/settings/Company.tsx') },
              { path: 'settings/limits', lazy: () => import('./screens/settings/Limits.tsx') },
              { path: 'settings/retention', lazy: () => import('./screens/settings/Retention.tsx') },
              { path: 'settings/backup', lazy: () => import('./screens/backup/Backup.tsx') },
              { path: 'settings/network', lazy: () => import('./screens/settings/NetworkAccess.tsx') },
              { path: 'settings/pipelines', lazy: () => import('./screens/pipelines/Pipelines.tsx') },
              { path: 'settings/calibration', lazy: () => import('./screens/calibration/Calibration.tsx') },
              { path: 'settings/api-access/:id?', lazy: () => import('./screens/apiAccess/ApiAccess.tsx') },
              { path: 'settings/operators/:id?', lazy: () => import('./screens/operators/Operators.tsx') },
              { path: 'system', lazy: () => import('./screens/system/System.tsx') },
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
  return (
    <ErrorState
      error={error instanceof Error ? error : new Error(String(error))}
      retry={() => window.location.reload()}
    />
  );
}

function NotFound() {
  return <ErrorState error={new ApiError(404, '')} />;
}
