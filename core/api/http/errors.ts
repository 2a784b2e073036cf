import { z } from 'zod';
import {
  CodedError,
  InvalidInput,
  SHOWN_ERRORS,
  problem,
  problemOfIssue,
  sentenceOf,
  statusOf,
  type ErrorCode,
  type FieldProblems,
  type PlainCode,
  type Problem,
} from '../../contracts/errors/problem.ts';
import { OSIA } from '../../contracts/osia.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { isLogContradiction } from '../../domain/audit/anchor.ts';
import { DiskFull, OutcomeUnknown, UnavailableError } from '../../domain/ports/machine.ts';
import { ImageDamaged } from '../../domain/ports/images.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The code that the request was refused with, for the log. */
    errorCode?: ErrorCode;
  }
}

/** Seconds after which a caller that got a 503 may try again. */
const RETRY_AFTER = 15;
/** The same for a 429 whose end is not known: other callers take the place at the moment. */
const CROWDED = 5;

/** The faults per key, in the form of a 422. */
export type FieldErrors = ReadonlyMap<string, readonly Problem[]>;

/** Refuses a request with an error of the catalogue. Its sentence and parameters are all that leaves the process. */
export class ApiError extends CodedError {
  override name = 'ApiError';
  readonly errors: FieldErrors | undefined;

  /** @param reason a code without parameters, or a problem. @param errors what is wrong per key */
  constructor(reason: PlainCode | Problem, errors?: FieldErrors) {
    super(reason);
    this.errors = errors;
  }

  get status(): number {
    return statusOf(this.problem.code);
  }
}

/** @throws {ApiError} 404: there is no such record */
export function existing<T>(record: T | undefined): T {
  if (record === undefined) throw new ApiError('NOT_FOUND');
  return record;
}

/** A 422 that names the fields at fault. */
export function invalidFields(errors: FieldProblems | FieldErrors): ApiError {
  return new ApiError('VALIDATION', errors instanceof Map ? errors : new Map(Object.entries(errors)));
}

/** The framework's own refusals in the table's words; its other 4xx are requests that it could not make sense of. */
const FRAMEWORK: Record<number, PlainCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Maps a thrown value to an entry of the table. @returns undefined: an unexpected error */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof InvalidInput) return invalidFields(error.fields);
  if (isLogContradiction(error)) return new ApiError('AUDIT_CONTRADICTED');
  if (error instanceof CodedError && error.problem.code in SHOWN_ERRORS) return new ApiError(error.problem);
  if (error instanceof OutcomeUnknown) return new ApiError('OUTCOME_UNKNOWN');
  if (error instanceof DiskFull) return new ApiError('DISK_FULL');
  if (error instanceof ImageDamaged) return new ApiError('IMAGE_DAMAGED');
  if (error instanceof UnavailableError) return new ApiError('STORAGE_UNAVAILABLE');
  if (!isRefusal(error)) return undefined;
  if (error.validation !== undefined) return invalidInput(error);
  return new ApiError(FRAMEWORK[error.statusCode] ?? 'MALFORMED_REQUEST');
}

/** Sends an entry in the envelope of the route's interface version. */
export function sendApiError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  request.errorCode = error.problem.code;
  if (error.status === 503) void reply.header('retry-after', RETRY_AFTER);
  if (error.status === 429 && !reply.hasHeader('retry-after')) void reply.header('retry-after', CROWDED);
  if (error.status === 401) {
    void reply.header('www-authenticate', 'Bearer');
    // A credential that is rejected while its body arrives was counted: the same headers for every cause.
    void reply.removeHeader('x-ratelimit-limit').removeHeader('x-ratelimit-remaining');
  }
  // A base address that ends in a slash gives paths that begin with two.
  const url = request.url.replace(/^\/+/, '/');
  return reply
    .code(url.startsWith(`${OSIA}/`) ? osiaStatus(error) : error.status)
    .type('application/json; charset=utf-8')
    .send(problemBody(url, error));
}

/** Routes whose callers read a failed step from `result`. */
const V1_BIOMETRICS = '/api/v1/verification/biometrics';

/** OSIA knows no 422. */
function osiaStatus({ status }: ApiError): number {
  return status === 422 ? 400 : status;
}

/** The error of OSIA: the status, and the sentences with the fields that they are about. */
function osiaBody(error: ApiError): string {
  const sentences = [...(error.errors ?? [])].flatMap(([key, found]) =>
    found.map((each) => `${key}: ${sentenceOf(each)}`),
  );
  return JSON.stringify({ code: osiaStatus(error), message: [error.message, ...sentences].join(' ') });
}

/** `{success: false, …}`, `{status: false, …}` under /api/v1, and `{code, message}` under {@link OSIA}. Serialised here: no schema applies. */
export function problemBody(url: string, error: ApiError): string {
  if (url.startsWith(`${OSIA}/`)) return osiaBody(error);
  const verdict = url.startsWith('/api/v1/') ? { status: false } : { success: false };
  const { code, parameters } = error.problem;
  const fields = error.errors && [...error.errors];
  return JSON.stringify({
    ...verdict,
    message: error.message,
    errors: fields && Object.fromEntries(fields.map(([key, found]) => [key, found.map(sentenceOf)])),
    code,
    ...(Object.keys(parameters).length > 0 && { parameters }),
    problems: fields && Object.fromEntries(fields),
    ...(error.status === 422 &&
      url.startsWith(V1_BIOMETRICS) && { result: { status: 'failed', message: error.message } }),
  });
}

function isRefusal(error: unknown): error is FastifyError & { statusCode: number } {
  if (!(error instanceof Error && 'statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/** An invalid path is answered as not found; other invalid input gets an error for each key or unknown parameter. */
function invalidInput(error: FastifyError): ApiError {
  if (error.validationContext === 'params') return new ApiError('NOT_FOUND');
  const errors = new Map<string, Problem[]>();
  for (const { instancePath, keyword, params, message = 'invalid' } of error.validation ?? []) {
    if (keyword === 'unrecognized_keys') {
      for (const parameter of z.array(z.string()).parse(params.keys))
        errors.set(parameter, [problem('PARAMETER_UNKNOWN', { parameter })]);
      continue;
    }
    const key = instancePath.split('/').filter(Boolean).join('.') || 'request';
    errors.set(key, [...(errors.get(key) ?? []), problemOfIssue({ ...params, code: keyword, message })]);
  }
  return new ApiError('VALIDATION', errors);
}

// All failing keys of a body at once: the fields that break a rule, and the images whose content does.

/** A body that no schema has accepted. */
export type UncheckedBody = Readonly<Record<string, unknown>>;

/**
 * Refuses a body that breaks a rule of its schema. The first statement of a route with `attachValidation`.
 * @param problemsOf the images of the body at fault
 * @throws {ApiError} 422 on every field and image at fault
 */
export function refuseInvalidBody(
  request: FastifyRequest,
  problemsOf: (sent: UncheckedBody) => FieldErrors,
): void {
  if (request.validationError === undefined) return;
  const refusal = toApiError(request.validationError);
  const { body } = request as { body: unknown };
  if (refusal?.errors === undefined || typeof body !== 'object' || body === null)
    throw refusal ?? request.validationError;
  throw invalidFields(new Map([...problemsOf(body as UncheckedBody), ...refusal.errors]));
}
