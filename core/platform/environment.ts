import allowed from './environment.json' with { type: 'json' };

/**
 * Options of Node for every process of the product. Without `--disable-sigusr1`, a SIGUSR1 from any program of the same
 * account opens a debugger on a TCP port, which every account of the machine can use without a credential. New objects get
 * three times 8 MiB instead of Node's 16 MiB: 30 MiB less, at the same processor time (bench/README.md).
 */
export const NODE_OPTIONS: readonly string[] = allowed.options;

/**
 * Settings of glibc's allocator for the service's process, fixed before it starts; other systems ignore them. Threads
 * share two arenas, and blocks of 16 KiB or more, such as the pieces of an upload, go back to the system once freed.
 * Without these settings, free memory stayed with the process after a burst of uploads.
 */
export const ALLOCATOR: Readonly<Record<string, string>> = allowed.allocator;

/**
 * The part of an environment that a process of the product may inherit, by the list in `environment.json`. Variables that
 * load code into a process (`NODE_OPTIONS`, `LD_PRELOAD`, `DYLD_INSERT_LIBRARIES`, …) are not on the list.
 * @param environment names are compared without regard to case, as Windows does
 */
export function inheritedEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(environment).filter(([name]) => {
      const upper = name.toUpperCase();
      return allowed.names.includes(upper) || allowed.prefixes.some((prefix) => upper.startsWith(prefix));
    }),
  );
}
