/** Bundles the shell for Electron's own runtime: `npm run build:shell`. The service is not part of it. */
import { join } from 'node:path';
import { build, type BuildOptions } from 'esbuild';

const PROJECT = join(import.meta.dirname, '..');

/** Writes dist/electron/main.js (ES module) and the preloads (sandboxed, so they must be CommonJS). */
export async function buildShell(): Promise<void> {
  const common = {
    bundle: true,
    platform: 'node' as const,
    target: 'node24',
    external: ['electron'],
    logLevel: 'warning' as const,
    sourcemap: true,
  } satisfies BuildOptions;
  const source = (name: string) => join(PROJECT, 'electron', name);
  const output = (name: string) => join(PROJECT, 'dist', 'electron', name);
  await build({
    ...common,
    format: 'esm',
    entryPoints: [source('main.ts')],
    outfile: output('main.js'),
    // Packages in the bundle that are CommonJS call require().
    banner: {
      js: "import { createRequire as vouchRequire } from 'node:module'; const require = vouchRequire(import.meta.url);",
    },
  });
  for (const preload of ['preload', 'passphrasePreload'])
    await build({
      ...common,
      format: 'cjs',
      entryPoints: [source(`${preload}.ts`)],
      outfile: output(`${preload}.cjs`),
    });
}

if (import.meta.main) await buildShell();
