/**
 * `npm run test:unit`: all test files, several in one process. A process loads the program before its first test, which takes
 * longer than most files; each file of a process is a suite with its own hooks, and the suites run one after the other.
 */
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROJECT = join(import.meta.dirname, '..');

/** The dearest first, so that the cheap ones fill the processors at the end. */
const FOLDERS = ['test/browser', 'test/api', 'test', 'core', 'electron', 'bench', 'models', 'renderer'];
/** Files of a process: few enough that the last process does not work alone for long. */
const FILES = 6;
/** Four times what the longest file took on two processors that other programs used too; milliseconds. */
const TIMEOUT = 2_400_000;
/** More processes would need more memory than a small machine has. Half of a test is waiting, hence two more than processors. */
const CONCURRENCY = Math.min(availableParallelism() + 2, 8);

/** Writes a module for each process. @returns the paths */
function writeBatches(): string[] {
  const folder = join(PROJECT, 'dist', 'unit');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const all = globSync(`{${FOLDERS.join(',')}}/**/*.test.ts`, { cwd: PROJECT }).toSorted();
  const grouped = Map.groupBy(all, (file) => FOLDERS.find((tested) => file.startsWith(`${tested}/`)));
  return FOLDERS.flatMap((tested) => {
    const files = grouped.get(tested) ?? [];
    const count = Math.ceil(files.length / FILES);
    return Array.from({ length: count }, (_, batch) => {
      const suites = files
        .filter((_, i) => i % count === batch)
        .map((file) => [file, pathToFileURL(join(PROJECT, file)).href]);
      const path = join(folder, `${tested.replace('/', '-')}-${batch + 1}.test.mjs`);
      writeFileSync(
        path,
        `import { suite } from 'node:test';
for (const [file, url] of ${JSON.stringify(suites)})
  suite(file, { timeout: ${TIMEOUT} }, () => import(url));
`,
      );
      return path;
    });
  });
}

const options = [
  '--test',
  `--test-concurrency=${CONCURRENCY}`,
  `--test-timeout=${FILES * TIMEOUT}`,
  ...process.argv.slice(2),
];
const runner = spawn(process.execPath, [...options, ...writeBatches()], {
  stdio: 'inherit',
  env: { NODE_COMPILE_CACHE: join(PROJECT, 'node_modules', '.cache', 'node-compile'), ...process.env },
});
runner.once('close', (code) => {
  process.exitCode = code ?? 1;
});
