/** Reads the arguments and environment of a running program as other programs of its account can. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export interface Shown {
  pid: number;
  commandLine: string;
  environment: string;
}

/** A process and all below it, parents first. */
export function processesFrom(root: number): Shown[] {
  const parents = new Map<number, number>();
  for (const name of readdirSync('/proc'))
    if (/^\d+$/.test(name)) {
      const stat = tryRead(name, 'stat');
      if (stat !== undefined)
        parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]));
    }
  const found = [root];
  for (const parent of found)
    for (const [pid, above] of parents) if (above === parent && !found.includes(pid)) found.push(pid);
  return found.map((pid) => ({
    pid,
    commandLine: tryRead(String(pid), 'cmdline') ?? '',
    environment: tryRead(String(pid), 'environ') ?? '',
  }));
}

/** undefined: the process ended meanwhile. */
function tryRead(pid: string, file: string): string | undefined {
  try {
    return readFileSync(join('/proc', pid, file), 'latin1');
  } catch {
    return undefined;
  }
}
