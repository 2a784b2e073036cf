/** `npm start`: the window where Electron's binary is there, else the service with the address to open. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ALLOCATOR, NODE_OPTIONS } from '../core/runtime/environment.ts';
import { buildPages } from './buildPages.ts';
import { buildShell } from './buildShell.ts';
import { electronBinary } from './electronBinary.ts';

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
    ? [process.execPath, [...NODE_OPTIONS, core, 'serve']]
    : [electron, [join(import.meta.dirname, '..')]];
const child = spawn(program, args, { stdio: 'inherit', env: { ...process.env, ...ALLOCATOR } });
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
child.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
