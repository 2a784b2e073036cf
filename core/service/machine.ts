/** Facts of the machine for the self-diagnosis: its processor, and the program that listens on a port. */
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { availableParallelism, cpus, uptime } from 'node:os';
import { problem } from '../contracts/errors/problem.ts';
import { hasSystemCode, systemProblem } from '../contracts/errors/systemProblem.ts';
import type { PortInspection, ProcessorFacts } from '../domain/ports/diagnostics.ts';
import type { BootClock } from '../domain/ports/machine.ts';

/** The service answers its own machine at once, or it does not answer; milliseconds. */
const ANSWER_TIME = 5_000;
/** A module whose one function fills a 128-bit vector and drops it (WebAssembly 2.0). */
const SIMD_MODULE = Uint8Array.from(
  Buffer.from('0061736d01000000010401600000030201000a090107004100fd0f1a0b', 'hex'),
);

export async function readProcessor(): Promise<ProcessorFacts> {
  return {
    model: cpus()[0]?.model.trim() ?? process.arch,
    cores: availableParallelism(),
    architecture: process.arch,
    features: process.platform === 'linux' ? featuresIn(await readFile('/proc/cpuinfo', 'utf8')) : null,
    wasmSimd: WebAssembly.validate(SIMD_MODULE),
  };
}

/** Null where the system has no such line (ARM lists other names under another one). */
function featuresIn(cpuinfo: string): ReadonlySet<string> | null {
  const line = /^flags\s*:\s*(.+)$/m.exec(cpuinfo)?.[1];
  return line === undefined ? null : new Set(line.split(/\s+/));
}

export const BOOT_CLOCK: BootClock = {
  read: () => ({
    // Other systems have no such identity that can be read without starting a program.
    boot: process.platform === 'linux' ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim() : '',
    uptime: Math.round(uptime() * 1000),
  }),
};

export const PORTS: PortInspection = {
  async problemAt(address) {
    try {
      const answer = await fetch(`${address}/health/live`, { signal: AbortSignal.timeout(ANSWER_TIME) });
      return answer.ok ? undefined : problem('ANSWER_UNEXPECTED', { status: answer.status });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      return error.name === 'TimeoutError'
        ? problem('SYSTEM_NO_ANSWER')
        : systemProblem(error.cause ?? error);
    }
  },
  async isFree(port) {
    const probe = createServer();
    try {
      await new Promise<AddressInfo | string | null>((resolve, reject) => {
        probe.once('error', reject);
        probe.listen(port, '127.0.0.1', () => resolve(probe.address()));
      });
      return true;
    } catch (error) {
      if (hasSystemCode(error, 'EADDRINUSE')) return false;
      throw error;
    } finally {
      probe.close();
    }
  },
};
