/** `npm start`: the window where Electron's binary is there, else the service with the address to open. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { buildPages } from './buildPages.ts';
import { buildShell } from './buildShell.ts';
import { electronBinary } from './electronBinary.ts';

await buildPages();
const electron = electronBinary();
if (electron !== undefined) await buildShell();
if (electron === undefined)
  console.log(
    "Electron's binary is not installed here: starting the service alone. Open the address in a browser.",
  );
const [program, args] =
  electron === undefined
    ? [process.execPath, [join(import.meta.dirname, '..', 'bin', 'vouch.mjs'), 'serve']]
    : [electron, [join(import.meta.dirname, '..')]];
const child = spawn(program, args, { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
