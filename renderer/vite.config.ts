import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import { defineConfig, type Plugin } from 'vite';
import react from '@vitejs/plugin-react';
import { manual } from '../scripts/manual.ts';

/** Of 11: the last step takes twice the time of a build's compression for one byte in sixty. */
const QUALITY = 10;

/** Writes scripts and styles compressed as well, so that the service sends a quarter of the bytes and compresses nothing. */
const compressed: Plugin = {
  name: 'compressed',
  apply: 'build',
  async writeBundle({ dir = '' }, bundle) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY };
    const names = Object.keys(bundle).filter((name) => /\.(js|css)$/.test(name));
    for (const path of names.map((name) => join(dir, name)))
      await writeFile(`${path}.br`, await promisify(brotliCompress)(await readFile(path), { params }));
  },
};

/**
 * Builds the dashboard into dist/renderer. The service serves it under a content security policy that allows neither
 * inline scripts nor inline styles nor data: scripts, so nothing may be inlined into the page.
 */
export default defineConfig({
  root: import.meta.dirname,
  base: '/',
  plugins: [react(), manual(), compressed],
  build: {
    outDir: '../dist/renderer',
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    chunkSizeWarningLimit: 1000,
    rolldownOptions: {
      output: {
        // One file for all that every page needs: nearly sixty took longer to ask for, and were a tenth larger together.
        codeSplitting: { groups: [{ name: 'first', test: /renderer[\\/](main\.tsx|noEval\.ts)$/ }] },
      },
    },
  },
  // For work on the screens: `vite dev` beside a running core.
  server: { proxy: { '/api': 'http://127.0.0.1:4610' } },
});
