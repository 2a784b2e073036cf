import './noEval.ts';
import '@mantine/core/styles.css';
import '@mantine/spotlight/styles.css';
import './theme/tokens.css';
import './components/page.css';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Unreachable } from './api/client.ts';
import { App } from './App.tsx';
import { startTexts } from './i18n/i18n.ts';
import { usePreferences } from './state/preferences.ts';
import { theme } from './theme/theme.ts';

const client = new QueryClient({
  defaultOptions: {
    // The core is on this machine: whether the browser believes to be online says nothing about it.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      refetchOnWindowFocus: false,
      // A core that is starting gets a second chance at once; the banner goes on asking after that.
      retry: (failures, error) => error instanceof Unreachable && failures < 1,
      retryDelay: 600,
    },
  },
});

const root = document.getElementById('root');
if (root === null) throw new Error('The page has no root.');
await startTexts(usePreferences.getState().language);
createRoot(root).render(
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
          <App />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
