/** How long commands and the service take to start, in a checkout and as a package ships them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { NODE_OPTIONS } from '../core/platform/environment.ts';
import { emitCore } from '../scripts/package/emit.ts';
import { addressIn, startService } from '../test/support/serviceProcess.ts';
import { publish, table } from './report.ts';
import { median } from './statistics.ts';

const PROJECT = join(import.meta.dirname, '..');
const ROUNDS = 10;
/** Between two readings of a process's memory, milliseconds. */
const PERIOD = 2;

/** A way to start the terminal's program. */
interface Program {
  name: string;
  file: string;
  args: readonly string[];
}

interface Subject {
  name: string;
  start: () => ChildProcess;
  /** Resolves when the measured time is over; default: the end of the process. */
  until?: (child: ChildProcess) => Promise<unknown>;
}

const work = mkdtempSync(join(tmpdir(), 'vouch-start-'));
/** A home on which the service runs. */
const served = join(work, 'served');
/** A home on which none does. */
const stopped = join(work, 'stopped');

function run({ file, args }: Program, ...line: string[]): ChildProcess {
  return spawn(file, [...args, ...line], { stdio: ['ignore', 'pipe', 'inherit'], cwd: work });
}

let homes = 0;
function subjectsOf(program: Program): Subject[] {
  const { name } = program;
  return [
    { name: `${name}: \`vouch --version\``, start: () => run(program, '--version') },
    {
      name: `${name}: \`vouch company list\`, service running`,
      start: () => run(program, '--home', served, 'company', 'list'),
    },
    {
      name: `${name}: \`vouch company list\`, no service`,
      start: () => run(program, '--home', stopped, 'company', 'list'),
    },
    {
      name: `${name}: \`vouch serve\` until it listens, empty home`,
      start: () =>
        run(program, '--home', join(work, `empty-${(homes += 1)}`), '--json', 'serve', '--port', '0'),
      until: ({ stdout }) => addressIn(stdout!),
    },
  ];
}

/** As `npm run package:service` lays it out, without the copies of packages and networks. */
async function stagedProgram(): Promise<Program> {
  const app = join(work, 'app');
  mkdirSync(app);
  await emitCore(join(app, 'core'));
  for (const name of ['node_modules', 'models', 'dist', 'resources'])
    symlinkSync(join(PROJECT, name), join(app, name));
  const { version } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8')) as { version: string };
  writeFileSync(join(app, 'package.json'), JSON.stringify({ name: 'vouch', version, type: 'module' }));
  const args = [...NODE_OPTIONS, join(app, 'core', 'cli.js')];
  return { name: 'package', file: process.execPath, args };
}

/** @returns milliseconds */
async function timeOf({ start, until }: Subject): Promise<number> {
  const from = performance.now();
  const child = start();
  const ended = once(child, 'exit');
  child.stdout?.resume();
  await (until?.(child) ?? ended);
  const took = performance.now() - from;
  child.kill('SIGTERM');
  await ended;
  return took;
}

/** @returns the most memory that the process and those under it had until the measured time was over, MiB */
async function memoryOf({ start, until }: Subject): Promise<number> {
  const child = start();
  const ended = once(child, 'exit');
  child.stdout?.resume();
  let most = 0;
  const over = (until?.(child) ?? ended).then(() => true);
  while (!(await Promise.race([over, sleep(PERIOD, false)]))) most = Math.max(most, peakOf(child.pid!));
  child.kill('SIGTERM');
  await ended;
  return most;
}

/** The peaks of a process and of its children together, MiB; only Linux reports them. */
function peakOf(pid: number): number {
  try {
    const own = Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ');
    return own + children.filter((each) => each !== '').reduce((sum, each) => sum + peakOf(Number(each)), 0);
  } catch {
    // It has ended.
    return 0;
  }
}

try {
  const checkout = { name: 'checkout', file: process.execPath, args: [join(PROJECT, 'bin', 'vouch.mjs')] };
  const service = await startService(served);
  const subjects: Subject[] = [
    { name: 'Node alone: `node -e 0`', start: () => spawn(process.execPath, ['-e', '0']) },
    ...[checkout, await stagedProgram()].flatMap(subjectsOf),
  ];
  await once(run(checkout, '--home', stopped, 'company', 'create', 'Acme'), 'exit');
  // The first run of each fills caches of the system and of Node.
  for (const subject of subjects) await timeOf(subject);
  const times = subjects.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1)
    for (const [index, subject] of subjects.entries()) times[index]!.push(await timeOf(subject));
  const bare = median(times[0]!);
  const rows = [];
  for (const [index, subject] of subjects.entries()) {
    const own = times[index]!;
    rows.push([
      subject.name,
      median(own).toFixed(0),
      `${Math.min(...own).toFixed(0)}–${Math.max(...own).toFixed(0)}`,
      (median(own) / bare).toFixed(1),
      (await memoryOf(subject)).toFixed(0),
    ]);
  }
  await service.stop();
  publish({
    name: 'start',
    title: 'Start of commands and of the service',
    body: `${ROUNDS} rounds of all subjects in turn, after one that is not counted. A checkout runs the sources, and its Node starts a second one (\`npx vouch\`); a package runs JavaScript on the Node that it ships. The memory is the peak of the process and of its children, such as workers that had begun to start, from a run of its own.

${table(['started', 'median, ms', 'least–most', 'times Node alone', 'memory, MiB'], rows)}`,
  });
} finally {
  rmSync(work, { recursive: true, force: true });
}
