/**
 * All pairs of near faces in a gallery: time on one core against peers, memory, whether every pair is found, and how many
 * people are proposed by chance.
 */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { publish } from '../report.ts';

const sizes = process.argv[2] ?? '100000,1000000';

/** Runs a program on one core and returns its output. */
function measured(file: string, ...rest: string[]): string {
  const program = [process.execPath, '--expose-gc', file, ...rest];
  const pinned = process.platform === 'linux';
  const [command, ...args] = pinned ? ['taskset', '-c', String(cpus().length - 1), ...program] : program;
  const { stdout, status } = spawnSync(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`The measurement ${file} ended with ${String(status)}.`);
  return stdout.toString();
}

const near = measured(join(import.meta.dirname, 'pairs.ts'), sizes);
const chance = measured(join(import.meta.dirname, 'chance.ts'));
const small = measured(join(import.meta.dirname, 'small.ts'));

publish({
  name: 'duplicates',
  title: 'Duplicates: all pairs of near faces',
  body: `${near.trim()}\n\n${chance.trim()}\n\n${small.trim()}\n`,
  peers: ['usearch', 'onnxruntime-node'],
  args: process.argv.slice(2),
});
