import { request } from 'node:http';
import { z } from 'zod';
import {
  ADMIN_COMMANDS,
  type AdminCommand,
  type AdminInput,
  type AdminOutput,
  type Administrate,
} from '../contracts/administration.ts';
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
  if (status !== 200)
    throw new CliError(refusal.parse(body).message, status === 422 ? EXIT.usage : EXIT.failed);
  return ADMIN_COMMANDS[command].output.parse(body) as AdminOutput<C>;
}

async function post(
  socket: string,
  command: string,
  body: string,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const call = request(
      {
        socketPath: socket,
        path: `/${command}`,
        method: 'POST',
        headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          resolve({
            status: response.statusCode ?? 0,
            body: JSON.parse(Buffer.concat(chunks).toString('utf8')),
          });
        });
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}
