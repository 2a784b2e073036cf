/**
 * The administrator's commands: the table of their handlers, and the local socket that answers them. Only the account of
 * the service can open the socket, so its callers need no other credential.
 */
import { chmod, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { CodedError, InvalidInput } from '../contracts/errors/problem.ts';
import { fieldErrors } from '../contracts/errors/fieldErrors.ts';
import {
  ADMIN_COMMANDS,
  adminTransferExport,
  adminTransferPackage,
  CONTENT_KEY_HEADER,
  type AdminCommand,
  type AdminCommandHandlers,
  type AdminOutput,
  type AdminRequest,
} from '../contracts/admin/commands.ts';
import { installZodMessages } from '../contracts/zodMessages.ts';
import type { AnchorPorts } from '../domain/audit/anchor.ts';
import type { NamingPorts } from '../domain/audit/entryNames.ts';
import type { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';
import { NoBackupKey, type BackupStream } from '../domain/ports/backup.ts';
import type { CryptoPort } from '../domain/ports/crypto.ts';
import type { GalleryPort } from '../domain/ports/gallery.ts';
import { UnavailableError, type Logger } from '../domain/ports/machine.ts';
import type { RecognitionPort } from '../domain/ports/recognition.ts';
import type { AccessServices, CompanyServices } from '../domain/services.ts';
import { auditCommands } from './audit.ts';
import { backupKeyCommands, type BackupKeyPorts } from './backupKey.ts';
import {
  blacklistTransferCommands,
  type BlacklistTransferCommandPorts,
  type BlacklistTransferCommands,
} from './blacklistTransfer.ts';
import {
  signatureCalibrationCommands,
  type SignatureCalibrationCommandPorts,
} from './signatureCalibration.ts';
import { calibrationCommands, type CalibrationCommandPorts } from './calibration.ts';
import { companyCommands, type CompanyCommandPorts } from './companies.ts';
import { credentialCommands } from './credentials.ts';
import { duplicateCommands, type DuplicateCommandPorts } from './duplicates.ts';
import { erasureCommands } from './erasure.ts';
import { identityCommands, type IdentityCommandPorts } from './identity.ts';
import { installationCommands, type InstallationCommandPorts } from './installation.ts';
import { metricsCommands } from './metrics.ts';
import { networkCommands } from './network.ts';
import { operatorCommands, type OperatorPorts } from './operators.ts';
import { pipelineCommands, type PipelineCommandPorts } from './pipelines.ts';
import { screeningCommands, type ScreeningCommandPorts } from './screening.ts';
import { searchCommands } from './search.ts';
import { watchCommands } from './watch.ts';
import type { Erasures } from '../storage/erasure/erasures.ts';
import type { Faces } from '../storage/faces/faces.ts';
import type { ApiTokens } from '../storage/credentials/apiTokens.ts';
import type { HmacKeys } from '../storage/credentials/hmacKeys.ts';
import type { Operators } from '../storage/identity/operators.ts';

interface AdminCommandPorts
  extends
    InstallationCommandPorts,
    CompanyCommandPorts,
    OperatorPorts,
    AnchorPorts,
    BackupKeyPorts,
    BlacklistTransferCommandPorts,
    ScreeningCommandPorts,
    AccessServices,
    CompanyServices,
    PipelineCommandPorts,
    CalibrationCommandPorts,
    DuplicateCommandPorts,
    IdentityCommandPorts,
    SignatureCalibrationCommandPorts {
  erasures: Erasures;
  operators: Operators;
  folderGrants: FolderGrants;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  faces: Faces;
  gallery: GalleryPort;
  network: NetworkAccessService;
  crypto: CryptoPort;
  vision: RecognitionPort;
  views: NamingPorts['views'];
}

/** Runs a command after it has checked the input, which can be any value, against the schema of the command. */
export type DispatchAdminCommand = <C extends AdminCommand>(
  command: C,
  input: unknown,
) => Promise<AdminOutput<C>>;

/** Binds the administrator's commands to the application services. */
export function createAdminCommands(ports: AdminCommandPorts): DispatchAdminCommand {
  installZodMessages();
  const handlers: AdminCommandHandlers = {
    ...installationCommands(ports),
    ...watchCommands(ports),
    ...companyCommands(ports),
    ...searchCommands(ports),
    ...duplicateCommands(ports),
    ...identityCommands(ports),
    ...credentialCommands(ports),
    ...operatorCommands(ports),
    ...auditCommands(ports),
    ...backupKeyCommands(ports),
    ...blacklistTransferCommands(ports),
    ...screeningCommands(ports),
    ...erasureCommands(ports),
    ...pipelineCommands(ports),
    ...calibrationCommands(ports),
    ...signatureCalibrationCommands(ports),
    ...metricsCommands(ports),
    ...networkCommands(ports),
    /** Of the desktop window: a folder for the operator whose session it is. */
    'folder.grant': async ({ session, path }) => ({
      grantId: await ports.folderGrants.offer(session, path),
    }),
  };
  return async (command, input) => {
    const parsed = ADMIN_COMMANDS[command].input.safeParse(input);
    if (!parsed.success) throw new InvalidInput(fieldErrors(parsed.error));
    // The schema of this command accepted the input; the types of TypeScript do not relate the two look-ups.
    return handlers[command](parsed.data as AdminRequest<typeof command>);
  };
}

/** Bytes of a request: room for the largest image of a search, as base64. */
const BODY_LIMIT = 64 * 1024 * 1024;

const params = z.object({
  command: z.custom<AdminCommand>((name) => typeof name === 'string' && Object.hasOwn(ADMIN_COMMANDS, name)),
});

/** The answers of the socket. */
interface AdminServices {
  runAdminCommand: DispatchAdminCommand;
  backUp(): Promise<BackupStream>;
  exchange: BlacklistTransferCommands;
}

/**
 * Starts the admin socket: `POST /<command>` with a JSON body. `POST /backup` answers the backup as a stream, with the
 * content key of that backup in a header, so that the terminal can verify what it wrote. Blacklist packages are streams
 * in both directions.
 * @param path of the Unix socket, or name of the pipe on Windows
 */
export async function startAdminSocket(
  services: AdminServices,
  path: string,
  log: Logger,
): Promise<FastifyInstance> {
  // Loaded here, because commands that open the data directory themselves need no server.
  const { default: Fastify } = await import('fastify');
  const server = Fastify({ bodyLimit: BODY_LIMIT });
  server.post('/backup', async (_request, reply) => {
    try {
      const { contentKey, content } = await services.backUp();
      void reply.header(CONTENT_KEY_HEADER, Buffer.from(contentKey).toString('hex'));
      return await sendStream(reply, content);
    } catch (error) {
      return sendProblem(reply, error, 'backup', log);
    }
  });
  addTransferRoutes(server, services.exchange, log);
  server.post('/:command', async (request, reply) => {
    const named = params.safeParse(request.params);
    if (!named.success) return reply.code(404).send({ message: 'Unknown command.' });
    try {
      return await services.runAdminCommand(named.data.command, request.body);
    } catch (error) {
      return sendProblem(reply, error, named.data.command, log);
    }
  });
  if (process.platform !== 'win32') await rm(path, { force: true });
  await server.listen({ path });
  if (process.platform !== 'win32') await chmod(path, 0o600);
  return server;
}

function addTransferRoutes(server: FastifyInstance, exchange: BlacklistTransferCommands, log: Logger): void {
  server.post('/blacklist-export', async (request, reply) => {
    try {
      return await sendStream(reply, await exchange.export(adminTransferExport.parse(request.query)));
    } catch (error) {
      return sendProblem(reply, error, 'blacklist-export', log);
    }
  });
  server.addContentTypeParser('application/octet-stream', (_request, body, parsed) => {
    parsed(null, body);
  });
  server.post('/blacklist-package', { bodyLimit: Number.MAX_SAFE_INTEGER }, async (request, reply) => {
    try {
      const content = request.body as AsyncIterable<Uint8Array>;
      return await exchange.receive(adminTransferPackage.parse(request.query), content);
    } catch (error) {
      return sendProblem(reply, error, 'blacklist-package', log);
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
      'The command failed unexpectedly. The log of the service has the details. Check the present state before you repeat the command, because the change might have been stored before the failure.',
  });
}
