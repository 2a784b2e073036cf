/** 1:N search: time against peers and the memory's own speed, growth, threads, memory and start. */
import { spawnSync } from 'node:child_process';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { publish } from '../report.ts';

/** Each part is a process of its own, so that none leaves memory or compiled code to the next. */
const PARTS = ['search', 'memory', 'threads', 'start', 'turns'] as const;

/** The largest takes 10 GiB and most of the time; without it 4 GiB are enough. */
const sizes = process.argv[2] ?? '1000,10000,100000,1000000,4000000';

/** Runs a part on one core (where the system can pin) and returns the Markdown that it prints. */
function run(part: (typeof PARTS)[number]): string {
  const program = [process.execPath, '--expose-gc', join(import.meta.dirname, `${part}.ts`), sizes];
  const pinned = part !== 'threads' && process.platform === 'linux';
  const [command, ...args] = pinned ? ['taskset', '-c', String(cpus().length - 1), ...program] : program;
  const { stdout, status } = spawnSync(command!, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 2 ** 24,
  });
  if (status !== 0) throw new Error(`${part} ended with ${String(status)}.`);
  const text = stdout.toString();
  console.log(text);
  return text;
}

publish({
  name: 'gallery',
  title: 'Gallery: exact 1:N search',
  body: PARTS.map(run).join('\n'),
  peers: ['usearch', 'sqlite-vec', 'onnxruntime-node'],
  args: process.argv.slice(2),
});
