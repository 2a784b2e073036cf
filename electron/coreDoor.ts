import { z } from 'zod';
import { isErrorCode, problem, type Problem } from '../core/contracts/errors/problem.ts';
import { request } from 'node:http';
import { json } from 'node:stream/consumers';
import { ADMIN_COMMANDS } from '../core/contracts/admin/commands.ts';
import type { FolderOffer } from '../core/contracts/shell.ts';
import type { QueueState } from './queueWatch.ts';

/** How long a question about the queue may take, milliseconds. */
const PATIENCE = 3_000;
/** How long the service may look through a folder, milliseconds. */
const FOLDER_PATIENCE = 10 * 60_000;

/** Asks the service through the owner's door how its queue is. @returns undefined when it does not answer */
export async function readQueue(socket: string): Promise<QueueState | undefined> {
  const answer = await askDoor(socket, 'status', {}, PATIENCE);
  return ADMIN_COMMANDS.status.output.safeParse(answer?.body).data;
}

/** Hands a folder to the service, for the operator whose session it is. */
export async function offerFolder(
  socket: string,
  folder: { session: string; path: string },
): Promise<FolderOffer> {
  const answer = await askDoor(socket, 'folder.grant', folder, FOLDER_PATIENCE);
  if (answer === undefined) return { refused: problem('FOLDER_SERVICE_SILENT') };
  const taken = ADMIN_COMMANDS['folder.grant'].output.safeParse(answer.body).data;
  return taken ?? { refused: problemOf(answer.body) };
}

const refusal = z.object({
  code: z.string().refine(isErrorCode),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])),
});

function problemOf(body: unknown): Problem {
  return refusal.safeParse(body).data ?? problem('UNEXPECTED');
}

/** @returns undefined when nobody answers, or nothing that is JSON */
function askDoor(
  socket: string,
  command: keyof typeof ADMIN_COMMANDS,
  input: object,
  timeout: number,
): Promise<{ body: unknown } | undefined> {
  const { promise, resolve } = Promise.withResolvers<{ body: unknown } | undefined>();
  const body = JSON.stringify(input);
  const asked = request(
    {
      socketPath: socket,
      path: `/${command}`,
      method: 'POST',
      timeout,
      headers: { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) },
    },
    (response) => {
      json(response).then(
        (answer) => {
          resolve({ body: answer });
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
  asked.end(body);
  return promise;
}
