import { request, type IncomingMessage } from 'node:http';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import {
  ADMIN_COMMANDS,
  CONTENT_KEY_HEADER,
  type AdminCommand,
  type AdminInput,
  type AdminOutput,
  type Administrate,
} from '../contracts/administration.ts';
import { NoRecoveryKey, type BackupStream } from '../domain/backup/ports.ts';
import { openHome } from '../storage/index.ts';
import { CommandRefused } from '../domain/commands.ts';
import { CliError, EXIT } from './output.ts';

const refusal = z.object({ message: z.string() });

/**
 * Runs `work` with the owner's commands: through the socket of the service that runs on this home, or, when none
 * runs, on the home itself under the same lock.
 */
export async function asOwner<T>(
  homeFolder: string,
  work: (administrate: Administrate) => Promise<T>,
): Promise<T> {
  const socket = openHome(homeFolder).socket;
  if (await answers(socket)) return work((command, input) => throughDoor(socket, command, input));
  // The whole product is loaded only by who must run it.
  const { openService } = await import('../service.ts');
  const service = await openService({ home: homeFolder, listen: false, workers: 1, logLevel: 'warn' });
  try {
    return await work(service.administrate);
  } catch (error) {
    throw error instanceof CommandRefused ? new CliError(error.message) : error;
  } finally {
    await service.close();
  }
}

/** Runs `work` through the socket of the service that runs on this home. @returns undefined when none runs */
export async function asOwnerOfRunning<T>(
  homeFolder: string,
  work: (administrate: Administrate) => Promise<T>,
): Promise<T | undefined> {
  const { socket } = openHome(homeFolder);
  return (await answers(socket)) ? work((command, input) => throughDoor(socket, command, input)) : undefined;
}

/** A backup of the home, made by the service that runs on it, or in this process where none runs. */
export async function asOwnerBackUp<T>(
  homeFolder: string,
  write: (backup: BackupStream) => Promise<T>,
): Promise<T> {
  const socket = openHome(homeFolder).socket;
  if (await answers(socket)) return write(await backupThroughDoor(socket));
  const { openService } = await import('../service.ts');
  const service = await openService({ home: homeFolder, listen: false, workers: 1, logLevel: 'warn' });
  try {
    return await write(await service.backUp());
  } catch (error) {
    throw error instanceof NoRecoveryKey ? new CliError(error.message) : error;
  } finally {
    await service.close();
  }
}

async function backupThroughDoor(socket: string): Promise<BackupStream> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({ socketPath: socket, path: '/backup', method: 'POST' }, resolve).on('error', reject).end();
  const response = await promise;
  if (response.statusCode !== 200) throw refused(response.statusCode, await json(response));
  const contentKey = Buffer.from(String(response.headers[CONTENT_KEY_HEADER]), 'hex');
  return { contentKey, content: response as AsyncIterable<Buffer> };
}

function refused(status: number | undefined, body: unknown): CliError {
  return new CliError(refusal.parse(body).message, status === 422 ? EXIT.usage : EXIT.failed);
}

async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = request({ socketPath: socket, path: '/status', method: 'POST' }, (response) => {
      response.resume();
      resolve(true);
    });
    probe.on('error', () => {
      resolve(false);
    });
    probe.end();
  });
}

async function throughDoor<C extends AdminCommand>(
  socket: string,
  command: C,
  input: AdminInput<C>,
): Promise<AdminOutput<C>> {
  const { status, body } = await post(socket, command, JSON.stringify(input));
  if (status !== 200) throw refused(status, body);
  return ADMIN_COMMANDS[command].output.parse(body) as AdminOutput<C>;
}

async function post(
  socket: string,
  command: string,
  body: string,
): Promise<{ status: number | undefined; body: unknown }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
  request({ socketPath: socket, path: `/${command}`, method: 'POST', headers }, resolve)
    .on('error', reject)
    .end(body);
  const response = await promise;
  return { status: response.statusCode, body: await json(response) };
}
