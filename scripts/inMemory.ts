/**
 * `node scripts/inMemory.ts FILE …` runs a program whose temporary files are in memory. The homes of tests are synchronised
 * with the disk so often that a run on a disk takes about twice the processor time and twice as long. A test that kills a
 * program still proves what it did: what a program wrote outlives it, on a disk as in memory.
 *
 * Where the program may not mount a file system, or memory is short, the files are on the disk. A set `TMPDIR` stays, too.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmdirSync } from 'node:fs';
import { availableMemory } from 'node:process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** More than all tests and their files need at once; bytes. */
const MEMORY = 6 * 2 ** 30;
/** In a mount namespace of its own: the file system ends with the program, whatever ends it. */
const IN_MEMORY = ['--mount', '--', 'sh', '-c', 'mount -t tmpfs vouch "$0" && exec "$@"'];

const command = [process.execPath, ...process.argv.slice(2)];

/** Makes the folder that the memory is mounted on. @returns undefined: the files are on the disk */
function placeInMemory(): string | undefined {
  if (process.env.TMPDIR !== undefined || availableMemory() < MEMORY) return undefined;
  const place = mkdtempSync(join(tmpdir(), 'vouch-'));
  if (spawnSync('unshare', [...IN_MEMORY, place, 'true']).status === 0) return place;
  rmdirSync(place);
  return undefined;
}

const place = placeInMemory();
const [program = '', ...rest] = place === undefined ? command : ['unshare', ...IN_MEMORY, place, ...command];
const running = spawn(program, rest, {
  stdio: 'inherit',
  env: { ...process.env, ...(place !== undefined && { TMPDIR: place }) },
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    running.kill(signal);
  });
running.once('close', (code) => {
  if (place !== undefined) rmdirSync(place);
  process.exitCode = code ?? 1;
});
