/** All pairs of near faces in a gallery: time on one core against peers, memory, and whether every pair is found. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { publish } from '../report.ts';

const sizes = process.argv[2] ?? '100000,1000000';
const program = [process.execPath, '--expose-gc', join(import.meta.dirname, 'pairs.ts'), sizes];
const pinned = process.platform === 'linux';
const [command, ...args] = pinned ? ['taskset', '-c', String(cpus().length - 1), ...program] : program;
const { stdout, status } = spawnSync(command!, args, { stdio: ['ignore', 'pipe', 'inherit'] });
if (status !== 0) throw new Error(`The measurement ended with ${String(status)}.`);

publish({
  name: 'duplicates',
  title: 'Duplicates: all pairs of near faces',
  body: stdout.toString(),
  peers: ['usearch', 'onnxruntime-node'],
  args: process.argv.slice(2),
});
