import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { ADMIN_COMMANDS } from '../core/contracts/administration.ts';
import type { QueueState } from './queueWatch.ts';

const PATIENCE = 3_000;

/** Asks the service through the owner's door how its queue is. @returns undefined when it does not answer */
export async function readQueue(socket: string): Promise<QueueState | undefined> {
  const { promise, resolve } = Promise.withResolvers<QueueState | undefined>();
  const asked = request(
    {
      socketPath: socket,
      path: '/status',
      method: 'POST',
      timeout: PATIENCE,
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    },
    (response) => {
      json(response).then(
        (body) => {
          resolve(ADMIN_COMMANDS.status.output.safeParse(body).data);
        },
        () => {
          resolve(undefined);
        },
      );
    },
  );
  asked.on('timeout', () => asked.destroy());
  asked.on('error', () => {
    resolve(undefined);
  });
  asked.end('{}');
  return promise;
}
