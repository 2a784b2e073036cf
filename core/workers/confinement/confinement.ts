/**
 * How a worker process is started so that it holds nothing worth taking over: it decodes files from outside, and a fault
 * in a decoder must not lead to the home, the key, the network or another process (ADR 0011).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import type { Confinement } from '../../domain/ports/diagnostics.ts';
import { systemCallFilter, type FilteredArchitecture } from './systemCalls.ts';

const PROJECT = join(import.meta.dirname, '..', '..', '..');
const STARTER = join(import.meta.dirname, 'confine.pl');
const PERL = '/usr/bin/perl';

/** The files of the product that a worker reads: its own program, libraries and settings; never the whole folder. */
const PROGRAM = ['core', 'node_modules', 'package.json'].map((name) => join(PROJECT, name));

/**
 * The files of Linux that Node and the libraries read: shared libraries, the cache of their places, time zones, the TLS settings
 * that Node looks for at every start, and the facts about processor and memory.
 */
const SYSTEM = [
  '/lib',
  '/lib64',
  '/usr/lib',
  '/usr/lib64',
  '/usr/local/lib',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/usr/share/zoneinfo',
  '/etc/ssl/openssl.cnf',
  '/proc/self',
  '/proc/cpuinfo',
  '/proc/meminfo',
  '/proc/sys/vm/overcommit_memory',
  '/sys/devices/system/cpu',
  '/dev/urandom',
  '/dev/null',
];

/** The dynamic loader, which the kernel runs before Node: the only other program that a worker may execute. */
const LOADERS: Record<FilteredArchitecture, string> = {
  x64: '/lib64/ld-linux-x86-64.so.2',
  arm64: '/lib/ld-linux-aarch64.so.1',
};

/**
 * Private memory that a worker addresses and hardly touches: the stacks of Node's threads, and heaps that grow. 0.55 GiB
 * on two cores. The system refuses more than this and the worker's memory together.
 */
const RESERVED = 1.5 * 2 ** 30;

let found: Confinement | undefined;

/** The strongest confinement that this machine has for worker processes; asked of the system once per process. */
export function confinementHere(): Confinement {
  found ??= probe();
  return found;
}

function probe(): Confinement {
  const architecture = filteredArchitecture();
  if (architecture === undefined) return 'runtime';
  const { status, stdout } = spawnSync(PERL, [STARTER, '', '0', '--'], { encoding: 'utf8', env: {} });
  if (status !== 0) return 'runtime';
  return Number(stdout) > 0 ? 'kernel' : 'calls';
}

function filteredArchitecture(): FilteredArchitecture | undefined {
  const { platform, arch } = process;
  return platform === 'linux' && (arch === 'x64' || arch === 'arm64') ? arch : undefined;
}

/** The program that starts a worker, and its arguments before the worker's path; for `fork`. */
export interface Start {
  execPath: string;
  execArgv: string[];
}

export interface ConfinedProgram {
  /** Program of the worker, an absolute path. */
  workerPath: string;
  /** Flags of Node that the worker needs besides. */
  flags: readonly string[];
  /** Absolute files and folders that the worker reads besides the product's program; those that do not exist are left out. */
  reads: readonly string[];
  /** Memory that the worker may occupy, bytes. */
  memory: number;
}

/** How `fork` starts a worker under `confinement`. */
export function confinedStart(
  { workerPath, flags, reads, memory }: ConfinedProgram,
  confinement: Confinement,
): Start {
  // Node compares resolved paths: a linked folder is named by both of its names.
  const named = [...PROGRAM, workerPath, ...reads];
  const readable = [...new Set([...named, ...named.filter(existsSync).map((path) => realpathSync(path))])];
  const ofNode = [
    '--permission',
    // The decoder and the runtime of the nets are addons; what they may do besides is for the kernel to bound.
    '--allow-addons',
    '--disable-warning=SecurityWarning',
    // A signal must not open a debugger.
    '--disable-sigusr1',
    ...readable.map((path) => `--allow-fs-read=${path}`),
    ...flags,
  ];
  const architecture = filteredArchitecture();
  if (confinement === 'runtime' || architecture === undefined)
    return { execPath: process.execPath, execArgv: ofNode };
  return {
    execPath: PERL,
    execArgv: [
      STARTER,
      systemCallFilter(architecture).toString('hex'),
      String(memory + RESERVED),
      ...[...SYSTEM, ...readable].flatMap((path) => ['--read', path]),
      ...[process.execPath, LOADERS[architecture]].flatMap((path) => ['--run', path]),
      '--',
      process.execPath,
      ...ofNode,
    ],
  };
}
