import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import './noEval.ts';
import { theme } from './theme/mantine.ts';
import { ApiError, NetworkError } from './api/client.ts';
import { sessionQuery } from './api/session.ts';
import { App } from './App.tsx';
import { startTexts } from './i18n/i18n.ts';
import { Texts } from './i18n/words.tsx';
import { usePreferences } from './state/preferences.ts';
import './theme/tokens.css';
import './components/page.css';

/** The next request finds that a session has ended. The sign-in is shown then, not an error. */
const onError = (error: Error) => {
  if (error instanceof ApiError && error.status === 401)
    void client.invalidateQueries({ queryKey: sessionQuery.queryKey, exact: true });
};
const client = new QueryClient({
  queryCache: new QueryCache({ onError }),
  mutationCache: new MutationCache({ onError }),
  defaultOptions: {
    // The service is on this machine or this network: the browser's online state does not apply to it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // One quick retry for a service that is starting; after that the banner retries.
      retry: (failures, error) => error instanceof NetworkError && failures < 1,
      retryDelay: 600,
    },
  },
});

// The browser would open a photo that is dropped outside a drop area, and leave this page with a running enrolment.
for (const type of ['dragover', 'drop'] as const)
  window.addEventListener(type, (event) => {
    if (event.defaultPrevented || event.dataTransfer?.types.includes('Files') !== true) return;
    event.preventDefault();
    event.dataTransfer.dropEffect = 'none';
  });

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');

/** Shows the dashboard once its language is loaded. */
async function start(element: HTMLElement): Promise<void> {
  await startTexts(usePreferences.getState().language);
  createRoot(element).render(
    <StrictMode>
      <DirectionProvider>
        {/* No style elements at run time: the variables are in tokens.css, as the page's policy wants it. */}
        <MantineProvider
          theme={theme}
          defaultColorScheme="auto"
          withCssVariables={false}
          withGlobalClasses={false}
        >
          <QueryClientProvider client={client}>
            <Texts>
              <App />
            </Texts>
          </QueryClientProvider>
        </MantineProvider>
      </DirectionProvider>
    </StrictMode>,
  );
}

// Not awaited here: the texts of a language import from the script that this file is in, and would wait for its end.
void start(root);
