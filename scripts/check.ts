/** `npm run check`: every `check:*` of package.json, as many at a time as there are processors, each one's words in one piece. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';

const { scripts } = z
  .object({ scripts: z.record(z.string(), z.string()) })
  .parse(JSON.parse(readFileSync(join(import.meta.dirname, '..', 'package.json'), 'utf8')));
// The longest first: those after it fill the other processor.
const checks = ['check:lint', ...Object.keys(scripts).filter((name) => name.startsWith('check:'))];
const waiting = [...new Set(checks)];

/**
 * Types and lint take nearly all of the time. Each thread of TypeScript's checker works out types that another has worked out,
 * too, so two threads are more work than one. No check lives so long that it must collect its memory often.
 */
const env = {
  GOMAXPROCS: String(Math.ceil(availableParallelism() / 2)),
  GOGC: '400',
  ...process.env,
};

/** @returns whether it passed */
async function run(name: string): Promise<boolean> {
  const started = Date.now();
  const program = spawn(`npm run --silent ${name}`, { stdio: ['ignore', 'pipe', 'pipe'], shell: true, env });
  let words = '';
  program.stdout.on('data', (chunk: Buffer) => (words += chunk.toString()));
  program.stderr.on('data', (chunk: Buffer) => (words += chunk.toString()));
  const code = await new Promise((resolve, reject) => program.once('close', resolve).once('error', reject));
  const seconds = ((Date.now() - started) / 1000).toFixed(0);
  console.log(`${code === 0 ? '✔' : '✖'} ${name} (${seconds} s)`);
  if (words.trim() !== '') console.log(words.trimEnd());
  return code === 0;
}

async function runAll(): Promise<boolean> {
  let passed = true;
  for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
    passed = (await run(name)) && passed;
  return passed;
}

const passed = await Promise.all(Array.from({ length: availableParallelism() }, runAll));
process.exitCode = passed.every(Boolean) ? 0 : 1;
