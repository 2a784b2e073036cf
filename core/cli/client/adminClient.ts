import { isErrorCode, CodedError } from '../../contracts/errors/problem.ts';
import { problemShape } from '../../contracts/errors/problemShape.ts';
import type { IncomingMessage } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';
import { z } from 'zod';
import {
  ADMIN_COMMANDS,
  CONTENT_KEY_HEADER,
  type AdminCommand,
  type AdminInput,
  type AdminOutput,
  type RunAdminCommand,
} from '../../contracts/admin/commands.ts';
import { receivedPackage, type ReceivedPackage } from '../../contracts/blacklistTransfer.ts';
import type { BlacklistTransferCommands } from '../../admin/blacklistTransfer.ts';
import { NoBackupKey, type BackupStream } from '../../domain/ports/backup.ts';
import { isHome, socketOf } from '../../platform/homePaths.ts';
import { HomeLocked } from '../../storage/engine/refusals.ts';
import type { OpenHome } from '../../service/offline.ts';
import { listensOn, postAdminCommand, postToAdminSocket } from './adminSocket.ts';
import { foreignOwnerOf, withHomeOpenedByOwner } from '../terminal/homeOwner.ts';
import { CliError, EXIT } from '../terminal/output.ts';

/** The body of a rejected command. */
const rejected = z.object({
  message: z.string(),
  code: z.string().optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number(), problemShape])).optional(),
});

/** A service that holds the data directory and does not answer within this time is not merely starting. */
const START_TIMEOUT_MS = 30_000;
const RETRY_INTERVAL_MS = 200;

/**
 * Runs `work` with the administrator's commands: through the socket of the service that runs on this home, or, where none
 * runs, on the home itself under the same lock.
 * @throws {CliError} the folder holds no installation
 */
export async function withAdminSocketOrHome<T>(
  homeFolder: string,
  work: (runAdminCommand: RunAdminCommand) => Promise<T>,
): Promise<T> {
  mustBeHome(homeFolder);
  return withAnyAdminSocket(homeFolder, work);
}

/**
 * Runs one administrator's command on a home.
 * @throws {CliError} the folder holds no installation, or the command was rejected
 */
export async function sendAdminCommand<C extends AdminCommand>(
  homeFolder: string,
  command: C,
  input: AdminInput<C>,
): Promise<AdminOutput<C>> {
  return withAdminSocketOrHome(homeFolder, (runAdminCommand) => runAdminCommand(command, input));
}

/** Only `serve`, `restore` and `company create` create a home. @throws {CliError} the folder holds no installation */
export function mustBeHome(folder: string): void {
  if (!isHome(folder))
    throw new CliError(
      `${folder} holds no installation of Vouch. Check --home and VOUCH_HOME. To create an installation there, run vouch serve, vouch restore or vouch company create.`,
    );
}

/** Like {@link withAdminSocketOrHome}; creates the home where it does not exist. */
export async function withAnyAdminSocket<T>(
  homeFolder: string,
  work: (runAdminCommand: RunAdminCommand) => Promise<T>,
): Promise<T> {
  return throughOrOn(
    homeFolder,
    (socket) => work((command, input) => throughSocket(socket, command, input)),
    ({ runAdminCommand }) => work(runAdminCommand),
  );
}

/** Runs `work` through the socket of the service that runs on this home. @returns undefined when none runs */
export async function withAdminSocket<T>(
  homeFolder: string,
  work: (runAdminCommand: RunAdminCommand) => Promise<T>,
): Promise<T | undefined> {
  const socket = socketOf(homeFolder);
  return (await listensOn(socket))
    ? work((command, input) => throughSocket(socket, command, input))
    : undefined;
}

/** Writes a backup of the home, created by the service that runs on it, or in this process where none runs. */
export async function withBackup<T>(
  homeFolder: string,
  write: (backup: BackupStream) => Promise<T>,
): Promise<T> {
  mustBeHome(homeFolder);
  return throughOrOn(
    homeFolder,
    async (socket) => write(await backupThroughSocket(socket)),
    async (service) => write(await service.backUp()),
  );
}

/** The commands that transfer blacklists to other installations and from them. */
export interface TransferPort {
  runAdminCommand: RunAdminCommand;
  export: BlacklistTransferCommands['export'];
  receive: BlacklistTransferCommands['receive'];
}

/** Runs `work` on the service of the home, or, where none runs, on the home itself. */
export async function withTransferPort<T>(
  homeFolder: string,
  work: (transfer: TransferPort) => Promise<T>,
): Promise<T> {
  mustBeHome(homeFolder);
  return throughOrOn(
    homeFolder,
    (socket) =>
      work({
        runAdminCommand: (command, input) => throughSocket(socket, command, input),
        export: (wanted) => exportThroughSocket(socket, wanted),
        receive: (wanted, content) => receiveThroughSocket(socket, wanted, content),
      }),
    ({ runAdminCommand, exchange }) =>
      work({
        runAdminCommand,
        export: (wanted) => exchange.export(wanted),
        receive: (wanted, content) => exchange.receive(wanted, content),
      }),
  );
}

/**
 * Works through the socket of the service that runs on a home, or on the home itself. Another process that holds the home
 * without answering is a service that starts or another command, so this function waits for it.
 * @throws {HomeLocked} the other process still holds the home after that time
 */
async function throughOrOn<T>(
  homeFolder: string,
  through: (socket: string) => Promise<T>,
  on: (home: OpenHome) => Promise<T>,
): Promise<T> {
  const socket = socketOf(homeFolder);
  const owner = foreignOwnerOf(homeFolder);
  const until = Date.now() + START_TIMEOUT_MS;
  for (;;) {
    if (await listensOn(socket)) return through(socket);
    try {
      if (owner !== undefined)
        return await withHomeOpenedByOwner(homeFolder, owner, async () => through(socket));
      return await withOpenedHome(homeFolder, on);
    } catch (error) {
      if (!(error instanceof HomeLocked) || Date.now() > until) throw error;
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

/** Runs `work` on a home on which no service runs, under its lock. */
async function withOpenedHome<T>(homeFolder: string, work: (home: OpenHome) => Promise<T>): Promise<T> {
  // Loaded only where no service runs.
  const [{ finishInterruptedUpdate }, { openForCommands }] = await Promise.all([
    import('../update/finishInterruptedUpdate.ts'),
    import('../../service/offline.ts'),
  ]);
  await finishInterruptedUpdate(homeFolder);
  const home = await openForCommands({ home: homeFolder, workers: 1 });
  try {
    return await work(home);
  } catch (error) {
    if (error instanceof CodedError && !(error instanceof CliError)) throw new CliError(error.problem);
    if (error instanceof NoBackupKey) throw new CliError(error.message);
    throw error;
  } finally {
    await home.close();
  }
}

async function exportThroughSocket(
  socket: string,
  wanted: Parameters<BlacklistTransferCommands['export']>[0],
): Promise<AsyncIterable<Uint8Array>> {
  return accepted(await postToAdminSocket(socket, `blacklist-export?${queryOf(wanted)}`));
}

async function receiveThroughSocket(
  socket: string,
  wanted: Parameters<BlacklistTransferCommands['receive']>[0],
  content: AsyncIterable<Uint8Array>,
): Promise<ReceivedPackage> {
  const headers = { 'content-type': 'application/octet-stream' };
  const path = `blacklist-package?${queryOf(wanted)}`;
  return receivedPackage.parse(
    await json(await accepted(await postToAdminSocket(socket, path, { headers, body: content }))),
  );
}

function queryOf(wanted: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
}

async function backupThroughSocket(socket: string): Promise<BackupStream> {
  const response = await accepted(await postToAdminSocket(socket, 'backup'));
  const contentKey = Buffer.from(String(response.headers[CONTENT_KEY_HEADER]), 'hex');
  return { contentKey, content: response as AsyncIterable<Buffer> };
}

/** @returns the response of a command that succeeded. @throws {CliError} the service rejected the command */
async function accepted(response: IncomingMessage): Promise<IncomingMessage> {
  if (response.statusCode !== 200) throw rejection(response.statusCode, await json(response));
  return response;
}

function rejection(status: number | undefined, body: unknown): CliError {
  const { message, code = '', parameters = {} } = rejected.parse(body);
  return new CliError(
    isErrorCode(code) ? { code, parameters } : message,
    status === 422 ? EXIT.usage : EXIT.failed,
  );
}

async function throughSocket<C extends AdminCommand>(
  socket: string,
  command: C,
  input: AdminInput<C>,
): Promise<AdminOutput<C>> {
  const { status, body } = await postAdminCommand(socket, command, input);
  if (status !== 200) throw rejection(status, body);
  return ADMIN_COMMANDS[command].output.parse(body) as AdminOutput<C>;
}
