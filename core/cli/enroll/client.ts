import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { openAsBlob } from 'node:fs';
import { basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  enrolmentProgress,
  enrolmentReceipt,
  envelope,
  errorBody,
  type EnrolmentProgress,
} from '../../contracts/uploads.ts';
import { CliError, EXIT } from '../terminal/output.ts';

/** The request was understood and not taken; `errors` as in the v3 envelope. */
export class UploadRefused extends CodedError {
  override name = 'UploadRefused';
  readonly errors: Record<string, string[]>;

  constructor(sentence: string, errors: Record<string, string[]>) {
    super(problem('UPLOAD_REFUSED', { sentence }));
    this.errors = errors;
  }
}

const accepted = envelope(enrolmentReceipt);
const progressed = envelope(enrolmentProgress);
/** How long a service that does not answer at all is waited for before giving up, milliseconds. */
const PATIENCE = 120_000;
const UNREACHABLE_PAUSE = 1_000;
const DEFAULT_RETRY_AFTER = 5;

/** What enrolling a folder asks of the service. */
export type Enrolment = Pick<EnrolmentClient, 'send' | 'progress'>;

/** Mass enrolment through the public interface, as any program of the site would use it. */
export class EnrolmentClient {
  readonly #address: string;
  readonly #token: string;
  /** Told why nothing moves, e.g. "the queue is full, trying again in 5 s". */
  readonly #onWait: (why: string) => void;

  constructor(options: { address: string; token: string; onWait: (why: string) => void }) {
    this.#address = options.address.replace(/\/$/, '');
    this.#token = options.token;
    this.#onWait = options.onWait;
  }

  /**
   * Sends one batch; files are streamed from disk.
   * @returns the upload's id @throws {UploadRefused} when files of it are not acceptable
   */
  async send(files: readonly string[], idempotencyKey: string): Promise<string> {
    const response = await this.#patiently('/api/v3/duplicate-detection/faces', async () => {
      const form = new FormData();
      for (const file of files) form.append('images[]', await openAsBlob(file), basename(file));
      return { method: 'POST', body: form, headers: { 'idempotency-key': idempotencyKey } };
    });
    const body: unknown = await response.json();
    if (response.status === 202) return accepted.parse(body).data.uploadId;
    const { message, errors } = errorBody.parse(body);
    if (response.status === 422) throw new UploadRefused(message, errors ?? {});
    throw refusedBy(response.status, message);
  }

  async progress(uploadId: string): Promise<EnrolmentProgress> {
    const path = `/api/v3/duplicate-detection/uploads/${encodeURIComponent(uploadId)}`;
    const response = await this.#patiently(path, () => Promise.resolve({ method: 'GET' }));
    const body: unknown = await response.json();
    if (response.status === 200) return progressed.parse(body).data;
    throw refusedBy(response.status, errorBody.parse(body).message);
  }

  /** Repeats a request that the service asks to repeat (503, 429, 409), or that finds nobody listening, for a while. */
  async #patiently(path: string, request: () => Promise<RequestInit>): Promise<Response> {
    let silentSince: number | undefined;
    for (;;) {
      const init = await request();
      const headers = new Headers(init.headers);
      headers.set('authorization', `Bearer ${this.#token}`);
      try {
        const response = await fetch(this.#address + path, { ...init, headers });
        silentSince = undefined;
        if (![409, 429, 503].includes(response.status)) return response;
        await response.arrayBuffer();
        const seconds = retryAfter(response);
        this.#onWait(`${reasonToWait(response.status)}; trying again in ${seconds} s`);
        await sleep(seconds * 1000);
      } catch (error) {
        silentSince ??= Date.now();
        if (Date.now() - silentSince > PATIENCE)
          throw new CliError(`${this.#address} does not answer: ${causeOf(error)}`, EXIT.unreachable);
        this.#onWait('the service does not answer; trying again');
        await sleep(UNREACHABLE_PAUSE);
      }
    }
  }
}

function retryAfter(response: Response): number {
  const seconds = z.coerce.number().int().min(1).max(3600).safeParse(response.headers.get('retry-after'));
  return seconds.success ? seconds.data : DEFAULT_RETRY_AFTER;
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

function refusedBy(status: number, message: string): CliError {
  const hint = status === 401 ? ' Check the token: it may be wrong, expired or revoked.' : '';
  return new CliError(
    `The service answered ${status}: ${message}${hint}`,
    status < 500 ? EXIT.usage : EXIT.failed,
  );
}

export function causeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause instanceof Error ? error.cause.message : error.message;
}
