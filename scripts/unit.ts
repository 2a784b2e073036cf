/**
 * `npm run test:unit`: the test files, two more at a time than there are processors, since more than half of their time is
 * waiting. Every one of them, and every service that they start, is a process that loads the same modules: what Node
 * makes of these is kept, which takes a third off their start.
 */
import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';

const FILES = ['core', 'electron', 'renderer', 'models', 'test', 'bench'].map(
  (folder) => `${folder}/**/*.test.ts`,
);
/** No test is meant to take this long; milliseconds. */
const TIMEOUT = 300_000;

const cache = join(import.meta.dirname, '..', 'node_modules', '.cache', 'node-compile');
/** More than so many would crowd each other out of memory. */
const AT_ONCE = Math.min(availableParallelism() + 2, 8);
const options = [
  '--test',
  `--test-concurrency=${AT_ONCE}`,
  `--test-timeout=${TIMEOUT}`,
  ...process.argv.slice(2),
];
const runner = spawn(process.execPath, [...options, ...FILES], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: cache, ...process.env },
});
runner.once('close', (code) => {
  process.exitCode = code ?? 1;
});
