#!/usr/bin/env node
// Starts the terminal's program on the Node that ships with the product, whatever Node runs this line.
import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const node = fileURLToPath(new URL('../node_modules/node/bin/node', import.meta.url));
const cli = fileURLToPath(new URL('../core/cli.ts', import.meta.url));
const program = spawn(node, [cli, ...process.argv.slice(2)], { stdio: 'inherit' });
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => program.kill(signal));
program.on('exit', (code) => {
  process.exitCode = code ?? 1;
});
