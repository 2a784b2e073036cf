import { defineConfig } from 'vite';
import react from '@vitejs/plugin-react';
import { manual } from '../scripts/manual.ts';

/**
 * Builds the dashboard into dist/renderer. The service serves it under a content security policy that allows neither
 * inline scripts nor inline styles nor data: scripts, so nothing may be inlined into the page.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), manual()],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 900,
    rolldownOptions: {
      output: {
        // zod and its configuration in one chunk, so that it is configured before the first schema (see noEval.ts).
        codeSplitting: { groups: [{ name: 'zod', test: /node_modules[\\/]zod[\\/]|noEval\.ts$/ }] },
      },
    },
  },
  // For work on the screens: `vite dev` beside a running core.
  server: { proxy: { '/api': 'http://127.0.0.1:4610' } },
});
