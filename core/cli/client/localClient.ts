import {
  addressOf,
  type AnyOperation,
  type Asked,
  type Operation,
  type Optional,
} from '../../contracts/dashboard/operation.ts';
import { setTimeout as sleep } from 'node:timers/promises';
import { text } from 'node:stream/consumers';
import { z } from 'zod';
import { CodedError, isErrorCode, type ErrorCode, type Problem } from '../../contracts/errors/problem.ts';
import { problemShape } from '../../contracts/errors/problemShape.ts';
import {
  COMPANY_HEADER,
  localRefusal,
  type LocalRequest,
  type LocalResponse,
  type SendLocally,
} from '../../contracts/local.ts';
import { isHome, socketOf } from '../../platform/homePaths.ts';
import { HomeLocked } from '../../storage/engine/refusals.ts';
import { foreignOwnerOf, withHomeOpenedByOwner } from '../terminal/homeOwner.ts';
import { CliError, EXIT } from '../terminal/output.ts';
import { listensOn, sendThroughSocket } from './localSocket.ts';

/** A service that holds the data directory and does not answer within this time is not merely starting, not even on a busy machine. */
const START_TIMEOUT_MS = 120_000;
/** From here on the user is told what the command waits for. */
const NOTICE_MS = 3_000;
const RETRY_INTERVAL_MS = 200;

/** Method and path of an operation, e.g. `GET /operators`. */
export type Route = `${string} /${string}`;

/** The values of a request to any operation. */
export interface Sent {
  /** Name of the company; absent: the only one of the installation. */
  company?: string | undefined;
  params?: Readonly<Record<string, unknown>> | undefined;
  query?: Readonly<Record<string, unknown>> | undefined;
  /** An object is sent as JSON, bytes as an image, a stream as a file. */
  body?: object | undefined;
}
export type Asking<P, Q, B> = Optional<Asked<P, Q, B> & Pick<Sent, 'company'>>;

/** The operations of the dashboard as the local administrator. @throws {CliError} the request was refused */
export class LocalApi {
  readonly #send: SendLocally;

  constructor(send: SendLocally) {
    this.#send = send;
  }

  ask<P, Q, B, A extends z.ZodType>(
    operation: Operation<P, Q, B, A>,
    ...asked: Asking<P, Q, B>
  ): Promise<z.output<A>>;
  async ask({ method, path, answer }: AnyOperation, asked: Sent = {}): Promise<unknown> {
    const { body } = await this.open(`${method} ${path}`, asked);
    return answer?.parse(JSON.parse(await text(body)));
  }

  /** @returns the response with a body that has not been read yet */
  async open(route: Route, asked: Sent = {}): Promise<LocalResponse> {
    const response = await this.#send(requestOf(route, asked));
    if (response.status < 300) return response;
    throw refusal(response.status, await text(response.body));
  }
}

/** Another problem in the place of a code that a route answers with; to be given to `catch`. */
export function insteadOf(code: ErrorCode, reason: Problem | string): (error: unknown) => never {
  return (error) => {
    throw error instanceof CliError && error.problem.code === code ? new CliError(reason) : error;
  };
}

function requestOf(route: string, { company, params, query, body }: Sent): LocalRequest {
  const [method = '', path = ''] = route.split(' ', 2);
  const named = company === undefined ? {} : { [COMPANY_HEADER]: encodeURIComponent(company) };
  const { type, content } = bodyOf(body);
  return {
    method,
    path: addressOf({ path }, { params, query }),
    headers: { ...named, ...type },
    body: content,
  };
}

function bodyOf(body: Sent['body']): { type: Record<string, string>; content?: LocalRequest['body'] } {
  if (body === undefined) return { type: {} };
  if (body instanceof Uint8Array) {
    const png = body[0] === 0x89;
    const length = { 'content-length': String(body.length) };
    return { type: { 'content-type': png ? 'image/png' : 'image/jpeg', ...length }, content: body };
  }
  if (Symbol.asyncIterator in body)
    return {
      type: { 'content-type': 'application/octet-stream', 'transfer-encoding': 'chunked' },
      content: body as AsyncIterable<Uint8Array>,
    };
  const content = JSON.stringify(body);
  const length = { 'content-length': String(Buffer.byteLength(content)) };
  return { type: { 'content-type': 'application/json', ...length }, content };
}

const parameters = z.record(z.string(), z.union([z.string(), z.number(), problemShape]));

function refusal(status: number, body: string): CliError {
  const { message, code = '', parameters: given } = localRefusal.parse(JSON.parse(body));
  return new CliError(
    isErrorCode(code) ? { code, parameters: parameters.parse(given) } : message,
    status < 500 ? EXIT.usage : EXIT.failed,
  );
}

/**
 * Runs `work` with the routes of a home: through the socket of the service that runs on it, or, where none runs, in this
 * process under the same lock.
 * @throws {CliError} the folder holds no installation
 */
export async function withLocalApi<T>(homeFolder: string, work: (api: LocalApi) => Promise<T>): Promise<T> {
  mustBeHome(homeFolder);
  return withAnyLocalApi(homeFolder, work);
}

/**
 * Sends one request to a home.
 * @throws {CliError} the folder holds no installation, or the request was refused
 */
export function ask<P, Q, B, A extends z.ZodType>(
  homeFolder: string,
  operation: Operation<P, Q, B, A>,
  ...asked: Asking<P, Q, B>
): Promise<z.output<A>> {
  return withLocalApi(homeFolder, (api) => api.ask(operation, ...asked));
}

/** Only `serve`, `restore` and `company create` create a home. @throws {CliError} the folder holds no installation */
export function mustBeHome(folder: string): void {
  if (!isHome(folder))
    throw new CliError(
      `${folder} holds no installation of Vouch. Check --home and VOUCH_HOME. To create an installation there, run vouch serve, vouch restore or vouch company create.`,
    );
}

/** Runs `work` through the socket of the service that runs on this home. @returns undefined when none runs */
export async function withRunningService<T>(
  homeFolder: string,
  work: (api: LocalApi) => Promise<T>,
): Promise<T | undefined> {
  const socket = socketOf(homeFolder);
  return (await listensOn(socket)) ? work(throughSocket(socket)) : undefined;
}

/**
 * Like {@link withLocalApi}; creates the home where it does not exist. Another process that holds the home without answering
 * is a service that starts or another command, so this function waits for it.
 * @throws {HomeLocked} the other process still holds the home after that time
 */
export async function withAnyLocalApi<T>(
  homeFolder: string,
  work: (api: LocalApi) => Promise<T>,
): Promise<T> {
  const socket = socketOf(homeFolder);
  const owner = foreignOwnerOf(homeFolder);
  const start = Date.now();
  for (let noticed = false; ;) {
    if (await listensOn(socket)) return work(throughSocket(socket));
    try {
      if (owner !== undefined)
        return await withHomeOpenedByOwner(homeFolder, owner, async () => work(throughSocket(socket)));
      return await withOpenedHome(homeFolder, work);
    } catch (error) {
      const waited = Date.now() - start;
      if (!(error instanceof HomeLocked) || waited > START_TIMEOUT_MS) throw error;
      if (!noticed && waited > NOTICE_MS) {
        noticed = true;
        console.error('Another process uses the data directory. Waiting until it answers or ends …');
      }
      await sleep(RETRY_INTERVAL_MS);
    }
  }
}

function throughSocket(socket: string): LocalApi {
  return new LocalApi((request) => sendThroughSocket(socket, request));
}

/** Runs `work` on a home on which no service runs, under its lock. */
async function withOpenedHome<T>(homeFolder: string, work: (api: LocalApi) => Promise<T>): Promise<T> {
  // Loaded only where no service runs.
  const [{ finishInterruptedUpdate }, { openForCommands }] = await Promise.all([
    import('../update/finishInterruptedUpdate.ts'),
    import('../../service/offline.ts'),
  ]);
  await finishInterruptedUpdate(homeFolder);
  const home = await openForCommands({ home: homeFolder, workers: 1 });
  try {
    return await work(new LocalApi(home.send));
  } catch (error) {
    if (error instanceof CodedError && !(error instanceof CliError)) throw new CliError(error.problem);
    throw error;
  } finally {
    await home.close();
  }
}
