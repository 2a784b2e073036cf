import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { failureIn, readyIn } from '../../contracts/serving.ts';
import { inheritedEnvironment } from '../../platform/environment.ts';

/** Set where a version is tried: the process that tries it decides what becomes of it, and holds its standard input. */
export const TRIAL_ENV = 'VOUCH_TRIAL';
/** A start that takes longer is no healthy one: migrations of a large installation included. */
const TRIAL_TIMEOUT_MS = 15 * 60_000;

/**
 * Starts a version, lets it say that it listens, asks it how it is, and stops it. When this process is killed the version
 * ends as well: it notices that the other end of its standard input is closed.
 * @returns why it is not healthy; undefined when it is
 */
export async function tryVersion(folder: string, home: string): Promise<string | undefined> {
  const vouch = join(folder, 'bin', 'vouch');
  const core = spawn(vouch, ['--home', home, '--json', 'serve', '--port', '0'], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...inheritedEnvironment(), [TRIAL_ENV]: '1' },
  });
  let said = '';
  core.stderr.on('data', (chunk: Buffer) => (said = (said + chunk.toString()).slice(-4000)));
  core.on('error', (error) => (said += error.message));
  const gone = once(core, 'close');
  const timer = setTimeout(() => core.kill('SIGKILL'), TRIAL_TIMEOUT_MS);
  try {
    for await (const line of createInterface({ input: core.stdout }))
      if (readyIn(line) !== undefined) return await probeStatus(vouch, home);
    // The last message may arrive after the end of the output.
    await gone.catch(() => undefined);
    const failure = failureIn(said);
    return failure === '' ? 'It ended without a message.' : failure;
  } finally {
    core.kill('SIGTERM');
    await gone.catch(() => undefined);
    clearTimeout(timer);
  }
}

async function probeStatus(vouch: string, home: string): Promise<string | undefined> {
  const status = spawn(vouch, ['--home', home, '--json', 'status'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  status.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await once(status, 'close');
  return status.exitCode === 0 ? undefined : failureIn(said);
}
