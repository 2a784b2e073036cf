/** `npm run test:unit`: all test files but those that `npm run test:states` and, of several machines, `npm run test:postgres` run. */
import { spawn } from 'node:child_process';
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { CONCURRENCY, writeBatches } from './testBatches.ts';

const PROJECT = join(import.meta.dirname, '..');

const ROOTS = ['bench', 'core', 'electron', 'models', 'renderer', 'research', 'test'];
/** The longest first, so that the short ones fill the processors at the end: pages, then networks and drawn signatures. */
const FIRST = [
  'test/browser',
  'core/vision',
  'core/signatures',
  'test/signatures',
  'bench',
  'test/api',
  'test',
];
const OTHERS = ['test/browser/states/**', 'test/cluster/**'];

const all = globSync(`{${ROOTS.join(',')}}/**/*.test.ts`, { cwd: PROJECT, exclude: OTHERS }).toSorted();
const grouped = Map.groupBy(all, (file) => FIRST.find((folder) => file.startsWith(`${folder}/`)));
const groups = [...FIRST, undefined].map((folder) => grouped.get(folder) ?? []);

const options = ['--test', `--test-concurrency=${CONCURRENCY}`, ...process.argv.slice(2)];
const runner = spawn(process.execPath, [...options, ...writeBatches('unit', groups)], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'node-compile'), ...process.env },
});
runner.once('close', (code) => {
  process.exitCode = code ?? 1;
});
