import { readFileSync } from 'node:fs';

/** Of the counters in /proc, on every architecture that Node runs on; milliseconds. */
const TICK = 10;

/**
 * How long a process has worked, all its threads together and not counting what it waited for the processor.
 * Source: proc(5), `stat`, fields 14 and 15.
 * @returns milliseconds; undefined where the system does not report it, and for a process that is gone
 */
export function processorTime(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name, in brackets, may hold anything.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return (Number(fields[11]) + Number(fields[12])) * TICK;
  } catch {
    return undefined;
  }
}

/**
 * Memory that a process occupies. Source: proc(5), `status`, VmRSS.
 * @returns bytes; undefined where the system does not report it, and for a process that is gone
 */
export function residentMemory(pid: number): number | undefined {
  try {
    const kibibytes = /^VmRSS:\s*(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1];
    return kibibytes === undefined ? undefined : Number(kibibytes) * 1024;
  } catch {
    return undefined;
  }
}
