/**
 * Tests in fewer processes than files. A process loads the program before its first test, which takes longer than most files;
 * each file of a process is a suite with its own hooks, and the suites run one after the other.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const PROJECT = join(import.meta.dirname, '..');

/** More processes would need more memory than a small machine has. Half of a test is waiting, hence two more than processors. */
export const CONCURRENCY = Math.min(availableParallelism() + 2, 8);

/** Files of a process: few enough that the last process does not work alone for long. */
const FILES = 24;
/** Four times what the longest file took on two processors that other programs used too; milliseconds. */
const TIMEOUT = 2_400_000;

/** @returns the files as many lists, each of the files of one process: neighbours, which are alike, are in different lists */
function batchesOf(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / FILES);
  return Array.from({ length: count }, (_, batch) => files.filter((_, i) => i % count === batch));
}

/**
 * Writes a module for each process, and names the modules so that Node's test runner, which sorts them, starts with those of
 * the first group.
 * @param name of the folder under `dist`
 * @param groups the paths of the test files, relative to the project; a group with the longest tests first
 * @returns the arguments of Node that run them
 */
export function writeBatches(name: string, groups: readonly (readonly string[])[]): string[] {
  const folder = join(PROJECT, 'dist', name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const paths = groups.flatMap(batchesOf).map((files, batch) => {
    const path = join(folder, `${String(batch + 1).padStart(3, '0')}.test.mjs`);
    const suites = files.map((file) => [file, pathToFileURL(join(PROJECT, file)).href]);
    writeFileSync(
      path,
      `import { suite } from 'node:test';
for (const [file, url] of ${JSON.stringify(suites)})
  suite(file, { timeout: ${TIMEOUT} }, () => import(url));
`,
    );
    return path;
  });
  return [`--test-timeout=${FILES * TIMEOUT}`, ...paths];
}
