import { isErrorCode, CodedError } from '../../contracts/errors/problem.ts';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { json } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import {
  ADMIN_COMMANDS,
  CONTENT_KEY_HEADER,
  type AdminCommand,
  type AdminInput,
  type AdminOutput,
  type Administrate,
} from '../../contracts/admin/commands.ts';
import { receivedBundle, type ReceivedBundle } from '../../contracts/blacklistTransfer.ts';
import type { BlacklistTransferCommands } from '../../admin/blacklistTransfer.ts';
import { NoBackupKey, type BackupStream } from '../../domain/ports/backup.ts';
import { isHome, socketOf } from '../../runtime/homePaths.ts';
import { HomeLocked } from '../../storage/engine/refusals.ts';
import type { OpenHome } from '../../service/offline.ts';
import { foreignOwnerOf, withHomeOpenedByOwner } from '../terminal/homeOwner.ts';
import { CliError, EXIT } from '../terminal/output.ts';

const refusal = z.object({
  message: z.string(),
  code: z.string().optional(),
  parameters: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
});

/** How long a service that has the home and does not answer yet is waited for: it is starting. Milliseconds. */
const STARTS_WITHIN = 30_000;

/**
 * Runs `work` with the owner's commands: through the socket of the service that runs on this home, or, when none
 * runs, on the home itself under the same lock.
 * @throws {CliError} the folder is no home
 */
export async function withAdminSocketOrHome<T>(
  homeFolder: string,
  work: (administrate: Administrate) => Promise<T>,
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
  return withAdminSocketOrHome(homeFolder, (administrate) => administrate(command, input));
}

/** Only `serve`, `restore` and `company create` create a home. @throws {CliError} the folder holds no installation */
export function mustBeHome(folder: string): void {
  if (!isHome(folder))
    throw new CliError(
      `${folder} holds no installation of Vouch. Check --home and VOUCH_HOME. To create an installation there, run vouch serve, vouch restore or vouch company create.`,
    );
}

/** Like {@link withAdminSocketOrHome}, and makes a home where there is none. */
export async function withAnyAdminSocket<T>(
  homeFolder: string,
  work: (administrate: Administrate) => Promise<T>,
): Promise<T> {
  return throughOrOn(
    homeFolder,
    (socket) => work((command, input) => throughDoor(socket, command, input)),
    ({ runAdminCommand }) => work(runAdminCommand),
  );
}

/** Runs `work` through the socket of the service that runs on this home. @returns undefined when none runs */
export async function withAdminSocket<T>(
  homeFolder: string,
  work: (administrate: Administrate) => Promise<T>,
): Promise<T | undefined> {
  const socket = socketOf(homeFolder);
  return (await answers(socket)) ? work((command, input) => throughDoor(socket, command, input)) : undefined;
}

/** A backup of the home, made by the service that runs on it, or in this process where none runs. */
export async function withBackup<T>(
  homeFolder: string,
  write: (backup: BackupStream) => Promise<T>,
): Promise<T> {
  mustBeHome(homeFolder);
  return throughOrOn(
    homeFolder,
    async (socket) => write(await backupThroughDoor(socket)),
    async (service) => write(await service.backUp()),
  );
}

/** What the terminal does with blacklists for other sites, and from them. */
export interface TransferPort {
  administrate: Administrate;
  export: BlacklistTransferCommands['export'];
  receive: BlacklistTransferCommands['receive'];
}

/** Runs `work` on the service of the home, or, when none runs, on the home itself. */
export async function withTransferPort<T>(
  homeFolder: string,
  work: (transfer: TransferPort) => Promise<T>,
): Promise<T> {
  mustBeHome(homeFolder);
  return throughOrOn(
    homeFolder,
    (socket) =>
      work({
        administrate: (command, input) => throughDoor(socket, command, input),
        export: (wanted) => exportThroughDoor(socket, wanted),
        receive: (wanted, content) => handIn(socket, wanted, content),
      }),
    ({ runAdminCommand, exchange }) =>
      work({
        administrate: runAdminCommand,
        export: (wanted) => exchange.export(wanted),
        receive: (wanted, content) => exchange.receive(wanted, content),
      }),
  );
}

/**
 * Through the socket of the service that runs on a home, or on the home itself. One that has the home and does not answer is
 * starting, or another command is at work: it is waited for.
 * @throws {HomeLocked} after that
 */
async function throughOrOn<T>(
  homeFolder: string,
  through: (socket: string) => Promise<T>,
  on: (home: OpenHome) => Promise<T>,
): Promise<T> {
  const socket = socketOf(homeFolder);
  const owner = foreignOwnerOf(homeFolder);
  const until = Date.now() + STARTS_WITHIN;
  for (;;) {
    if (await answers(socket)) return through(socket);
    try {
      if (owner !== undefined)
        return await withHomeOpenedByOwner(homeFolder, owner, async () => through(socket));
      return await withOpenedHome(homeFolder, on);
    } catch (error) {
      if (!(error instanceof HomeLocked) || Date.now() > until) throw error;
      await sleep(200);
    }
  }
}

/** Runs `work` on a home on which no service runs, under its lock. */
async function withOpenedHome<T>(homeFolder: string, work: (home: OpenHome) => Promise<T>): Promise<T> {
  // Loaded only where no service runs.
  const [{ finishInterruptedUpdate }, { openForCommands }] = await Promise.all([
    import('../update/settled.ts'),
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

async function exportThroughDoor(
  socket: string,
  wanted: Parameters<BlacklistTransferCommands['export']>[0],
): Promise<AsyncIterable<Uint8Array>> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const path = `/blacklist-export?${queryOf(wanted)}`;
  request({ socketPath: socket, path, method: 'POST' }, resolve).on('error', reject).end();
  const response = await promise;
  if (response.statusCode !== 200) throw refused(response.statusCode, await json(response));
  return response as AsyncIterable<Buffer>;
}

async function handIn(
  socket: string,
  wanted: Parameters<BlacklistTransferCommands['receive']>[0],
  content: AsyncIterable<Uint8Array>,
): Promise<ReceivedBundle> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const path = `/blacklist-bundle?${queryOf(wanted)}`;
  const headers = { 'content-type': 'application/octet-stream' };
  const sent = request({ socketPath: socket, path, method: 'POST', headers }, resolve).on('error', reject);
  // A door that refuses half-way closes the connection: what it says is what counts, and not that the rest was not sent.
  const sending = pipeline(content, sent).then(
    () => undefined,
    (error: unknown) => error,
  );
  const response = await promise.catch(async (error: unknown) => {
    throw (await sending) ?? error;
  });
  const body = await json(response);
  if (response.statusCode !== 200) throw refused(response.statusCode, body);
  return receivedBundle.parse(body);
}

function queryOf(wanted: Readonly<Record<string, string | number | boolean | undefined>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(wanted)) if (value !== undefined) query.set(name, String(value));
  return query.toString();
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
  const { message, code = '', parameters = {} } = refusal.parse(body);
  return new CliError(
    isErrorCode(code) ? { code, parameters } : message,
    status === 422 ? EXIT.usage : EXIT.failed,
  );
}

/** Whether a process listens on the socket of the home. */
async function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket, () => {
      probe.destroy();
      resolve(true);
    });
    probe.on('error', () => {
      resolve(false);
    });
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
