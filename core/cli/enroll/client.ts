import { openAsBlob } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LONGEST_RUN_NAME, type SeveralFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import {
  type PhotoPerson,
  enrolmentProgress,
  enrolmentReceipt,
  envelope,
  errorBody,
  type EnrolmentProgress,
} from '../../contracts/uploads.ts';
import { UPLOAD_STATUS } from '../../contracts/codes.ts';
import {
  errorAnswer,
  findErrorAnswer,
  pollErrorAnswer,
  type ErrorAnswer,
  type FindAnswer,
  type ProgressAnswer,
  type SendAnswer,
} from '../../uploader/answers.ts';
import type { Clock, UploadObserver, Wait } from '../../uploader/ports.ts';
import { ServiceSilent } from '../../uploader/uploader.ts';
import { CliError, EXIT } from '../terminal/output.ts';

const accepted = envelope(enrolmentReceipt);
const progressed = envelope(enrolmentProgress);

/** How long a service that does not answer is waited for, milliseconds. */
export const SILENCE_TIMEOUT_MS = 120_000;

/** The requests by which files are enrolled. */
export interface Enrolment {
  /**
   * Sends files as one upload.
   * @param files absolute paths
   * @param persons whom they show, in their order; absent: the sender names none
   */
  send(
    files: readonly string[],
    idempotencyKey: string,
    persons?: readonly (PhotoPerson | null)[],
  ): Promise<SendAnswer>;
  /** The upload that was accepted under a key. */
  find(idempotencyKey: string): Promise<FindAnswer>;
  progress(uploadId: string): Promise<ProgressAnswer<EnrolmentProgress>>;
}

/** Enrolment through the public interface, as any program would use it. */
export class EnrolmentClient implements Enrolment {
  readonly #address: string;
  readonly #token: string;
  /** Makes all uploads one run. */
  readonly #run: string;

  /** @param folder whose photos are sent; `photos` absent: their number is not known */
  constructor(
    options: { address: string; token: string },
    folder: { path: string; photos?: number; severalFaces?: SeveralFaces | undefined },
  ) {
    this.#address = options.address.replace(/\/$/, '');
    this.#token = options.token;
    const { path, photos, severalFaces } = folder;
    const query = new URLSearchParams({ run: randomUUID() });
    const name = basename(resolve(path)).slice(0, LONGEST_RUN_NAME).trim();
    if (name !== '') query.set('runName', name);
    if (photos !== undefined && photos > 0) query.set('runPhotos', String(photos));
    if (severalFaces !== undefined) query.set('severalFaces', severalFaces);
    this.#run = query.toString();
  }

  /** Files are streamed from disk. */
  async send(
    files: readonly string[],
    idempotencyKey: string,
    persons: readonly (PhotoPerson | null)[] = [],
  ): Promise<SendAnswer> {
    const form = new FormData();
    try {
      for (const file of files) form.append('images[]', await openAsBlob(file), basename(file));
    } catch {
      return { kind: 'unreadable' };
    }
    if (persons.some((person) => person !== null)) form.append('persons', JSON.stringify(persons));
    const headers = { 'idempotency-key': idempotencyKey };
    const response = await this.#fetch(`/duplicate-detection/faces?${this.#run}`, {
      method: 'POST',
      body: form,
      headers,
    });
    if (!(response instanceof Response)) return response;
    if (response.status !== 202) return errorAnswer(await errorOf(response));
    return { kind: 'accepted', uploadId: accepted.parse(await response.json()).data.uploadId };
  }

  async find(idempotencyKey: string): Promise<FindAnswer> {
    const query = new URLSearchParams({ idempotencyKey }).toString();
    const response = await this.#fetch(`/duplicate-detection/uploads?${query}`, {});
    if (!(response instanceof Response)) return response;
    if (response.status !== 200) return findErrorAnswer(await errorOf(response));
    return { kind: 'accepted', uploadId: progressed.parse(await response.json()).data.uploadId };
  }

  async progress(uploadId: string): Promise<ProgressAnswer<EnrolmentProgress>> {
    const response = await this.#fetch(`/duplicate-detection/uploads/${encodeURIComponent(uploadId)}`, {});
    if (!(response instanceof Response)) return response;
    if (response.status !== 200) return pollErrorAnswer(await errorOf(response));
    const outcome = progressed.parse(await response.json()).data;
    return { kind: 'progress', finished: outcome.status !== UPLOAD_STATUS.Processing, outcome };
  }

  async #fetch(path: string, init: RequestInit): Promise<Response | { kind: 'unreachable'; cause: string }> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.#token}`);
    try {
      return await fetch(`${this.#address}/api/v3${path}`, { ...init, headers });
    } catch (error) {
      return { kind: 'unreachable', cause: `${this.#address} does not answer: ${causeOf(error)}` };
    }
  }
}

/** A proxy before the service answers in another form: then the status alone counts. */
async function errorOf(response: Response): Promise<ErrorAnswer> {
  const body = errorBody.safeParse(await response.json().catch(() => undefined));
  const { message, errors = {} } = body.data ?? { message: response.statusText };
  const retryAfter = response.headers.get('retry-after');
  return { status: response.status, message, fields: errors, retryAfter };
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: async (milliseconds) => {
    await sleep(milliseconds);
  },
};

/** Tells the terminal why photos wait. A service that refuses every upload ends the command. */
export function terminalObserver(note: (why: string, wait: Wait) => void): UploadObserver {
  return {
    waiting: (wait) => {
      if (wait !== null) note(waitText(wait), wait);
    },
    blocked: ({ status, message }) => {
      const hint = status === 401 ? ' Check the token: it may be wrong, expired or revoked.' : '';
      throw new CliError(
        `The service answered ${status}: ${message}${hint}`,
        status < 500 ? EXIT.usage : EXIT.failed,
      );
    },
  };
}

function waitText(wait: Wait): string {
  if (wait.kind === 'silent') return 'the service does not answer; trying again';
  return `${reasonToWait(wait.status)}; trying again in ${wait.seconds} s`;
}

function reasonToWait(status: number): string {
  switch (status) {
    case 409:
      return 'the same batch is still being received';
    case 429:
      return 'too many requests';
    default:
      return 'the enrolment queue is full or paused';
  }
}

/** A service that stayed silent ends the command with an exit code of its own. */
export function exitOfSilence(error: unknown): never {
  if (error instanceof ServiceSilent) throw new CliError(error.message, EXIT.unreachable);
  throw error;
}

/** Codes of Node for a failed connection, in words for an operator. */
const CONNECTION_CAUSES: Record<string, string> = {
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was closed',
  ENOTFOUND: 'the host name is unknown',
  ETIMEDOUT: 'the connection timed out',
};

/** The cause of a failed request, in words where Node gives a code. */
export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? error.cause : error;
  const code = 'code' in cause ? String(cause.code) : '';
  return CONNECTION_CAUSES[code] ?? cause.message;
}
