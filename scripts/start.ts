/** `npm start`: the window where Electron's binary is there, else the service with the address to open. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { buildPages } from './buildPages.ts';
import { buildShell } from './buildShell.ts';

await buildPages();
const electron = electronBinary();
if (electron !== undefined) await buildShell();
const core = join(import.meta.dirname, '..', 'core', 'cli.ts');
if (electron === undefined)
  console.log(
    "Electron's binary is not installed here: starting the service alone. Open the address in a browser.",
  );
const [program, args] =
  electron === undefined
    ? [process.execPath, [core, 'serve']]
    : [electron, [join(import.meta.dirname, '..')]];
const child = spawn(program, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

/** The package fetches its binary on first use; without a network there is none, and nothing is fetched here. */
function electronBinary(): string | undefined {
  const folder = dirname(createRequire(import.meta.url).resolve('electron/package.json'));
  const pathFile = join(folder, 'path.txt');
  if (!existsSync(pathFile)) return undefined;
  const binary = join(folder, 'dist', readFileSync(pathFile, 'utf8').trim());
  return existsSync(binary) ? binary : undefined;
}
