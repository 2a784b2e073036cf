import { CodedError } from '../contracts/errors/problem.ts';
import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  ADMIN_COMMANDS,
  CONTENT_KEY_HEADER,
  adminTransferPackage,
  adminTransferExport,
  type AdminCommand,
} from '../contracts/admin/commands.ts';
import type { RunAdminCommand } from './commands.ts';
import { NoBackupKey, type BackupStream } from '../domain/ports/backup.ts';
import type { BlacklistTransferCommands } from './blacklistTransfer.ts';
import { UnavailableError, type Logger } from '../domain/ports/machine.ts';

/** Room for the largest image of a search, as base64. */
const BODY_LIMIT = 64 * 1024 * 1024;

const params = z.object({
  command: z.custom<AdminCommand>((name) => typeof name === 'string' && name in ADMIN_COMMANDS),
});

/** What the owner may ask of the service. */
interface OwnersService {
  administrate: RunAdminCommand;
  backUp(): Promise<BackupStream>;
  exchange: BlacklistTransferCommands;
}

/**
 * The owner's door: `POST /<command>` with a JSON body, on a local socket instead of a port. Who can open the socket
 * is the owner; there is no other credential. `POST /backup` answers the bundle itself, and in a header the key of this
 * bundle alone, with which the terminal reads back what it wrote. Blacklists for other sites, and from them, are streams
 * too.
 * @param socket path of the Unix socket, or name of the pipe on Windows
 */
export async function startAdminSocket(
  service: OwnersService,
  socket: string,
  log: Logger,
): Promise<FastifyInstance> {
  const door = Fastify({ bodyLimit: BODY_LIMIT });
  door.post('/backup', async (_request, reply) => {
    try {
      const { contentKey, content } = await service.backUp();
      void reply.header(CONTENT_KEY_HEADER, Buffer.from(contentKey).toString('hex'));
      return await sendStream(reply, content);
    } catch (error) {
      return sendProblem(reply, error, 'backup', log);
    }
  });
  exchangeDoor(door, service.exchange, log);
  door.post('/:command', async (request, reply) => {
    const named = params.safeParse(request.params);
    if (!named.success) return reply.code(404).send({ message: 'There is no such command.' });
    try {
      return await service.administrate(named.data.command, request.body);
    } catch (error) {
      return sendProblem(reply, error, named.data.command, log);
    }
  });
  if (process.platform !== 'win32') await rm(socket, { force: true });
  await door.listen({ path: socket });
  if (process.platform !== 'win32') await chmod(socket, 0o600);
  return door;
}

function exchangeDoor(door: FastifyInstance, exchange: BlacklistTransferCommands, log: Logger): void {
  door.post('/blacklist-export', async (request, reply) => {
    try {
      return await sendStream(reply, await exchange.export(adminTransferExport.parse(request.query)));
    } catch (error) {
      return sendProblem(reply, error, 'blacklist-export', log);
    }
  });
  door.addContentTypeParser('application/octet-stream', (_request, body, parsed) => {
    parsed(null, body);
  });
  door.post('/blacklist-bundle', { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
    try {
      const content = request.body as AsyncIterable<Uint8Array>;
      return await exchange.receive(adminTransferPackage.parse(request.query), content);
    } catch (error) {
      return sendProblem(reply, error, 'blacklist-bundle', log);
    }
  });
}

function sendStream(reply: FastifyReply, content: AsyncIterable<Uint8Array>): FastifyReply {
  return reply
    .header('content-type', 'application/octet-stream')
    .send(Readable.from(content, { objectMode: false }));
}

function sendProblem(reply: FastifyReply, error: unknown, command: string, log: Logger): FastifyReply {
  if (error instanceof CodedError) return reply.code(422).send({ message: error.message, ...error.problem });
  if (error instanceof NoBackupKey || error instanceof z.ZodError)
    return reply.code(422).send({ message: error.message });
  log.error({ err: error, command }, 'a command failed');
  if (error instanceof UnavailableError) return reply.code(503).send({ message: error.message });
  return reply.code(500).send({
    message:
      'The command failed unexpectedly. The log of the service has the details. Check what is stored before you repeat the command: the failure may have come after the change.',
  });
}
