#!/usr/bin/env node
// Starts the command line on the Node that ships with the product, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, statSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
// The same list as in core/platform/environment.ts, which this Node might not be able to load.
const { names, prefixes, options, allocator } = JSON.parse(
  readFileSync(at('../core/platform/environment.json'), 'utf8'),
);
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => {
    const upper = name.toUpperCase();
    return names.includes(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
  }),
);
const env = { ...inherited, ...allocator, ...compileCache() };
const args = [...options, at('../core/cli.ts'), ...process.argv.slice(2)];
// A service that holds this channel ends when this process does, even by SIGKILL.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
const program = spawn(at('../node_modules/node/bin/node'), args, { stdio, env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
program.on('exit', (code) => {
  process.exitCode = code ?? 1;
});

/**
 * Node keeps the code that it made of the sources beside the packages, which spares later starts the stripping of types. Another
 * account must not write there, or this one would run its code. Where that is not sure, nothing is kept.
 */
function compileCache() {
  const folder = at('../node_modules/.cache/vouch');
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o022) !== 0)) return {};
    return { NODE_COMPILE_CACHE: folder };
  } catch {
    return {};
  }
}
