#!/usr/bin/env node
// Starts the command line on the Node that ships with the product, whatever Node runs this file.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path) => fileURLToPath(new URL(path, import.meta.url));
// The same list as in core/runtime/environment.ts, which this Node might not be able to load.
const { names, prefixes, allocator } = JSON.parse(
  readFileSync(at('../core/runtime/environment.json'), 'utf8'),
);
const inherited = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => {
    const upper = name.toUpperCase();
    return names.includes(upper) || prefixes.some((prefix) => upper.startsWith(prefix));
  }),
);
const env = { ...inherited, ...allocator };
const args = ['--disable-sigusr1', at('../core/cli.ts'), ...process.argv.slice(2)];
// A service that holds this channel ends when this process does, even by SIGKILL.
const stdio = ['inherit', 'inherit', 'inherit', 'ipc'];
const program = spawn(at('../node_modules/node/bin/node'), args, { stdio, env });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
program.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
