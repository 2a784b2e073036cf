import { readFileSync } from 'node:fs';
import { noticeOf } from './lan.ts';
import { CliError } from './output.ts';
import { settled } from './update/settled.ts';
import { TRIAL_VARIABLE } from './update/tryVersion.ts';

/**
 * Runs the service until SIGINT or SIGTERM, then ends cleanly; a second signal ends at once. Started by a shell that
 * holds a channel to it, it also ends cleanly when the shell lets go of that channel, or is gone.
 */
export async function serve(options: {
  home: string;
  port: number;
  workers?: number;
  logLevel: string;
  /** Says where it listens as one line of JSON. */
  json: boolean;
}): Promise<void> {
  const isTrial = process.env[TRIAL_VARIABLE] !== undefined;
  if (!isTrial) await settled(options.home);
  const { openService } = await import('../service.ts');
  const storeKey = givenKey();
  const service = await openService({ ...options, listen: true, ...(storeKey && { storeKey }) });
  const { address } = service;
  const notice = noticeOf(await service.administrate('lan.show', {}));
  if (options.json) console.log(JSON.stringify({ address, home: options.home, notice: notice ?? null }));
  else {
    console.log(`Vouch listens on ${address ?? ''} (home ${options.home}). Ctrl C stops it.`);
    if (notice !== undefined) console.log(notice);
  }
  const { promise: told, resolve: stop } = Promise.withResolvers<undefined>();
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop(undefined);
    });
  if (isTrial)
    process.stdin.resume().once('close', () => {
      stop(undefined);
    });
  process.once('disconnect', () => {
    stop(undefined);
  });
  await told;
  if (!options.json) console.log('Finishing what is in work …');
  await service.close();
  // Whoever tries a version holds the other end until it has ended: a standard input that is listened to would keep it.
  if (isTrial) process.stdin.destroy();
}

/**
 * The store key, where whoever starts the service keeps it: read from the file descriptor that VOUCH_STORE_KEY_FD names. Not
 * from an argument or the environment itself, which other programs of the account can read.
 */
function givenKey(): Uint8Array | undefined {
  const descriptor = process.env.VOUCH_STORE_KEY_FD;
  if (descriptor === undefined) return undefined;
  delete process.env.VOUCH_STORE_KEY_FD;
  const key = Buffer.from(readFileSync(Number(descriptor), 'utf8').trim(), 'hex');
  if (key.length !== 32) throw new CliError('VOUCH_STORE_KEY_FD must give 64 hexadecimal digits.');
  return key;
}
