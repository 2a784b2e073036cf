import { localApi, type SendLocally } from '../../contracts/local.ts';
import { systemApi } from '../../contracts/dashboard/system.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NodeRole } from '../../contracts/nodes.ts';
import type { Logger } from '../../domain/ports/machine.ts';
import type { Ready } from '../../contracts/serving.ts';
import { HomeLocked } from '../../storage/engine/refusals.ts';
import { LocalApi } from '../client/localClient.ts';
import { HOME_IN_USE } from '../terminal/homeOwner.ts';
import { missingWarnings, CliError, EXIT } from '../terminal/output.ts';
import { noticeOf } from './network.ts';
import { TRIAL_ENV } from '../update/tryVersion.ts';
import { errorOf, messageOf } from '../../contracts/errors/problem.ts';

export interface ServeOptions {
  home: string;
  port: number;
  workers?: number;
  signatureWorkers: number;
  logLevel: string;
  /** Its work among the services of a PostgreSQL database. */
  role: NodeRole;
  /** Seconds between the notice that it stops and the stop. */
  drain: number;
  /** Address of the PostgreSQL database of a new installation. */
  database?: string;
  /** The folder or the S3 address of the images. */
  images?: string;
  /** Answers the local administrator on the home's socket only: no port, no processing of photos. */
  commandsOnly: boolean;
  /** Prints the address as one line of JSON. */
  json: boolean;
}

/**
 * Runs the service until SIGINT or SIGTERM, then shuts down; a second signal ends it at once. A parent process with an IPC
 * channel also shuts it down by closing the channel, or by ending.
 */
export async function serve(options: ServeOptions): Promise<void> {
  const isTrial = process.env[TRIAL_ENV] !== undefined;
  if (!isTrial)
    await (await import('../update/finishInterruptedUpdate.ts')).finishInterruptedUpdate(options.home);
  const service = await open(options);
  // A version whose workers cannot start must not pass its trial.
  if (isTrial)
    await service.ready?.catch(async (error: unknown) => {
      await service.close();
      throw error;
    });
  const api = new LocalApi(service.send);
  const missing = missingWarnings(await api.ask(localApi.status));
  const notice = noticeOf(await api.ask(systemApi.network));
  const { promise: stopped, resolve: stop } = Promise.withResolvers<undefined>();
  // Before the address is printed: who reads it may end the service at once.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => {
      stop(undefined);
    });
  if (options.json) {
    const ready: Ready = { address: service.address, home: options.home, notice: notice ?? null };
    console.log(JSON.stringify(ready));
  } else {
    console.log(
      service.address === null
        ? `Vouch works without a port (data directory ${options.home}). Ctrl C stops it.`
        : `Vouch listens on ${service.address} (data directory ${options.home}). Ctrl C stops it.`,
    );
    if (notice !== undefined) console.log(notice);
  }
  if (!options.commandsOnly) for (const warning of missing) console.error(warning);
  if (isTrial)
    process.stdin.resume().once('close', () => {
      stop(undefined);
    });
  const onDisconnect = () => {
    stop(undefined);
  };
  process.once('disconnect', onDisconnect);
  // Node prints it and ends this process; who reads the log later must find it too.
  process.once('uncaughtExceptionMonitor', (error, origin) => {
    service.log?.error({ err: error, origin }, 'the service ends: nothing handles this error');
  });
  let failure: Error | undefined;
  // Without workers, or over a database that went back, the service is of no use: it ends, so that its supervisor reads why.
  for (const end of [service.ready, service.failure])
    end?.catch((error: unknown) => {
      failure ??= errorOf(error);
      stop(undefined);
    });
  await stopped;
  // A listener on the channel would keep this process alive.
  process.off('disconnect', onDisconnect);
  try {
    if (failure === undefined && service.drain !== undefined) {
      await service.drain();
      if (options.drain > 0) await sleep(options.drain * 1000);
    }
    if (!options.json) console.log('Finishing the images in progress …');
    await service.close();
  } catch (cause) {
    failure ??= new CliError(
      `The service ended without its last entries on the disk: ${messageOf(cause)}. Nothing that was acknowledged is lost. Find the cause: vouch doctor`,
      EXIT.failed,
    );
  }
  // The process that tries a version holds the other end. An open standard input would keep this process alive.
  if (isTrial) process.stdin.destroy();
  if (failure !== undefined) throw failure;
}

/** A program that runs until it is stopped. */
interface Running {
  /** Absent: it answers commands only. */
  log?: Logger;
  /** null: it answers commands only. */
  address: string | null;
  /** Absent: it has no workers to wait for. */
  ready?: Promise<void>;
  /** Rejects when it must not go on. Absent: it never does. */
  failure?: Promise<never>;
  send: SendLocally;
  /** Absent: no other program waits for it. */
  drain?: () => Promise<void>;
  close(): Promise<void>;
}

async function open(options: ServeOptions): Promise<Running> {
  const keyed = { ...options, storeKey: givenKey() };
  try {
    if (options.commandsOnly) {
      const { openForCommands } = await import('../../service/offline.ts');
      return { address: null, ...(await openForCommands({ ...keyed, answers: true })) };
    }
    const { role, ...rest } = keyed;
    if (role === 'vision') return await (await import('../../service/visionNode.ts')).openVisionNode(rest);
    return await (await import('../../service/index.ts')).openService({ ...rest, role });
  } catch (error) {
    if (options.commandsOnly && error instanceof HomeLocked) throw new CliError(error.message, HOME_IN_USE);
    throw whyNotListening(error, options.port);
  }
}

/** The name under which systemd hands the store key to the service (`LoadCredentialEncrypted=` of its unit). */
const KEY_CREDENTIAL = 'vouch.store.key';

/** @returns the error in words where the port is the reason */
function whyNotListening(error: unknown, port: number): unknown {
  if (!(error instanceof Error && 'syscall' in error && error.syscall === 'listen' && 'code' in error))
    return error;
  if (error.code === 'EADDRINUSE')
    return new CliError(
      `Port ${port} of this machine is taken by another program. Choose another port with --port, or end that program.`,
      EXIT.failed,
    );
  if (error.code === 'EACCES')
    return new CliError(
      `This account cannot listen on port ${port}. Choose a port from 1024 with --port.`,
      EXIT.failed,
    );
  return error;
}

/**
 * The store key, where it is kept outside the home: read from the file descriptor that VOUCH_STORE_KEY_FD names, or from the
 * credential that systemd decrypted for this service alone. Not from an argument or the environment itself, which other
 * programs of the account can read.
 * @returns 32 bytes; undefined where the home has a key file
 */
function givenKey(): Uint8Array | undefined {
  const { VOUCH_STORE_KEY_FD: descriptor, CREDENTIALS_DIRECTORY: credentials } = process.env;
  const file = credentials === undefined ? undefined : join(credentials, KEY_CREDENTIAL);
  delete process.env.VOUCH_STORE_KEY_FD;
  if (descriptor !== undefined)
    return keyFrom(readFileSync(Number(descriptor), 'utf8'), 'VOUCH_STORE_KEY_FD');
  if (file !== undefined && existsSync(file))
    return keyFrom(readFileSync(file, 'utf8'), `The credential ${KEY_CREDENTIAL}`);
  return undefined;
}

function keyFrom(text: string, source: string): Uint8Array {
  const key = Buffer.from(text.trim(), 'hex');
  if (key.length !== 32) throw new CliError(`${source} must give 64 hexadecimal digits.`);
  return key;
}
