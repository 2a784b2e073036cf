/** CPU time and memory of a process and its children, from Linux's /proc. */
import { readdirSync, readFileSync } from 'node:fs';

/** Kernel clock ticks per second as /proc reports them; 100 on every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

interface Stat {
  pid: number;
  parent: number;
  cpuMs: number;
}

/** Milliseconds of CPU that the process and its living children have used. */
export function cpuOf(pid: number): number {
  return family(pid).reduce((total, one) => total + one.cpuMs, 0);
}

/** Resident bytes: of the process itself, and of it with its children. */
export function memoryOf(pid: number): { own: number; all: number } {
  const sizes = family(pid).map((one) => ({ pid: one.pid, bytes: residentBytes(one.pid) }));
  return {
    own: sizes.find((one) => one.pid === pid)?.bytes ?? 0,
    all: sizes.reduce((total, one) => total + one.bytes, 0),
  };
}

function family(pid: number): Stat[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readStat(Number(name)));
  return all.filter((one) => one.pid === pid || one.parent === pid);
}

/** Fields of proc(5): the command may hold blanks and brackets, so what counts comes after its last bracket. */
function readStat(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const cpuTicks = Number(fields[11]) + Number(fields[12]);
    return [{ pid, parent: Number(fields[1]), cpuMs: (cpuTicks * 1000) / TICKS_PER_SECOND }];
  } catch {
    // The process ended between the listing and the reading.
    return [];
  }
}

function residentBytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'latin1');
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}
