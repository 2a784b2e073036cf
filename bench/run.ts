/**
 * Runs one measurement, or lists them: `npm run bench -- [name] [arguments of the measurement]`. `npm run research` does so
 * for the fits, which write constants of the product.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const [kind = 'bench', name, ...rest] = process.argv.slice(2);
const FOLDER = join(import.meta.dirname, '..', kind);
/** Not measurements themselves. */
const MACHINERY = new Set(['run.ts', 'report.ts', 'data.ts', 'chart.ts', 'statistics.ts']);

/** Every entry file by its name: `bench/NAME.ts`, or `bench/NAME/index.ts`. */
function measurements(): Map<string, string> {
  const found = new Map<string, string>();
  for (const entry of readdirSync(FOLDER, { withFileTypes: true })) {
    const path = join(FOLDER, entry.name);
    if (entry.isDirectory() && existsSync(join(path, 'index.ts')))
      found.set(entry.name, join(path, 'index.ts'));
    else if (entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts') && !MACHINERY.has(entry.name))
      found.set(entry.name.slice(0, -'.ts'.length), path);
  }
  return found;
}

/** The first line of the file's opening comment says what it measures. */
function purpose(file: string): string {
  return /^\/\*\*\s*(?:\n \* )?(.+?)\s*(?:\*\/)?$/m.exec(readFileSync(file, 'utf8'))?.[1] ?? '';
}

const known = measurements();
const file = name === undefined ? undefined : known.get(name);
if (file !== undefined) {
  const { status } = spawnSync(process.execPath, [file, ...rest], { stdio: 'inherit' });
  process.exitCode = status ?? 1;
} else {
  if (name !== undefined) console.error(`There is no measurement "${name}".`);
  console.log(`npm run ${kind} -- NAME, with NAME one of:`);
  for (const [each, path] of known) console.log(`  ${each.padEnd(14)} ${purpose(path)}`);
  process.exitCode = name === undefined ? 0 : 1;
}
