import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { MESSAGES } from '../contracts/messages.ts';
import { LogContradicted } from '../domain/audit/anchor.ts';
import { DiskFull, UnavailableError } from '../domain/ports/machine.ts';
import { ImageDamaged } from '../domain/ports/images.ts';
import type { FieldErrors } from '../domain/uploads/intakeAnswer.ts';

/** Every refusal of the interface: status, text and machine-readable code (contract §1). */
const PROBLEMS = {
  MALFORMED_REQUEST: { status: 400, message: MESSAGES.badRequest },
  UNAUTHENTICATED: { status: 401, message: MESSAGES.unauthenticated },
  UNAUTHORIZED: { status: 403, message: MESSAGES.unauthorized },
  /** The operator may do it, after giving the passphrase again. */
  REAUTHENTICATE: { status: 403, message: MESSAGES.reauthenticate },
  NOT_FOUND: { status: 404, message: MESSAGES.notFound },
  METHOD_NOT_ALLOWED: { status: 405, message: MESSAGES.methodNotAllowed },
  REQUEST_TIMEOUT: { status: 408, message: MESSAGES.requestTimeout },
  DECIDED_MEANWHILE: { status: 409, message: MESSAGES.decidedMeanwhile },
  IDEMPOTENCY_KEY_RUNNING: { status: 409, message: MESSAGES.idempotencyKeyRunning },
  AUDIT_CONTRADICTED: { status: 409, message: MESSAGES.auditContradicted },
  /** The stored file is not what was written; a retry cannot help. */
  IMAGE_DAMAGED: { status: 410, message: MESSAGES.imageDamaged },
  PAYLOAD_TOO_LARGE: { status: 413, message: MESSAGES.payloadTooLarge },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, message: MESSAGES.unsupportedMediaType },
  MISDIRECTED: { status: 421, message: MESSAGES.misdirected },
  HEADERS_TOO_LARGE: { status: 431, message: MESSAGES.headersTooLarge },
  VALIDATION: { status: 422, message: MESSAGES.validationError },
  /** The text says why the image cannot be used, the code is that reason's. */
  IMAGE_REFUSED: { status: 422, message: MESSAGES.validationError },
  /** The text is the precondition that is not met. */
  PRECONDITION: { status: 422, message: MESSAGES.validationError },
  TOO_MANY_ATTEMPTS: { status: 429, message: MESSAGES.tooManyAttempts },
  QUEUE_PAUSED: { status: 503, message: MESSAGES.queueUnavailable },
  QUEUE_FULL: { status: 503, message: MESSAGES.queueUnavailable },
  DISK_FULL: { status: 503, message: MESSAGES.queueUnavailable },
  STORAGE_UNAVAILABLE: { status: 503, message: MESSAGES.queueUnavailable },
  /** A fault of the program: a retry would meet it again. */
  UNEXPECTED: { status: 500, message: MESSAGES.unexpected },
} as const;
type ProblemCode = keyof typeof PROBLEMS;

/** Seconds after which a caller that got a 503 may try again. */
const RETRY_AFTER = 15;
/** The same for a 429 whose end is not known: other callers take the place at the moment. */
const CROWDED = 5;

/** Refuses a request with an entry of the table. What it says is all that leaves the process. */
export class ApiError extends Error {
  override name = 'ApiError';
  readonly code: ProblemCode;
  readonly errors: FieldErrors | undefined;
  /** The machine-readable code that the caller sees. */
  readonly reason: string;

  /** @param details `message` in place of the table's own; `errors` per key; `reason` in place of the entry's code */
  constructor(code: ProblemCode, details: { message?: string; errors?: FieldErrors; reason?: string } = {}) {
    super(details.message ?? PROBLEMS[code].message);
    this.code = code;
    this.errors = details.errors;
    this.reason = details.reason ?? code;
  }

  get status(): number {
    return PROBLEMS[this.code].status;
  }
}

/** The framework's own refusals in the table's words; its other 4xx are requests that it could not make sense of. */
const FRAMEWORK: Record<number, ProblemCode> = {
  404: 'NOT_FOUND',
  413: 'PAYLOAD_TOO_LARGE',
  414: 'NOT_FOUND',
  415: 'UNSUPPORTED_MEDIA_TYPE',
};

/** Turns whatever was thrown into an entry of the table; undefined: unforeseen. */
export function toApiError(error: unknown): ApiError | undefined {
  if (error instanceof ApiError) return error;
  if (error instanceof LogContradicted) return new ApiError('AUDIT_CONTRADICTED');
  if (error instanceof DiskFull) return new ApiError('DISK_FULL');
  if (error instanceof ImageDamaged) return new ApiError('IMAGE_DAMAGED');
  if (error instanceof UnavailableError) return new ApiError('STORAGE_UNAVAILABLE');
  if (!isRefusal(error)) return undefined;
  if (error.validation !== undefined) return invalidInput(error);
  return new ApiError(FRAMEWORK[error.statusCode] ?? 'MALFORMED_REQUEST');
}

/** Sends an entry in the envelope of the route's interface version. */
export function sendApiError(request: FastifyRequest, reply: FastifyReply, error: ApiError): FastifyReply {
  if (error.status === 503) void reply.header('retry-after', RETRY_AFTER);
  if (error.status === 429 && !reply.hasHeader('retry-after')) void reply.header('retry-after', CROWDED);
  if (error.status === 401) void reply.header('www-authenticate', 'Bearer');
  return (
    reply
      .code(error.status)
      .type('application/json; charset=utf-8')
      // A base address that ends in a slash gives paths that begin with two.
      .send(problemBody(request.url.replace(/^\/+/, '/'), error))
  );
}

/** Routes whose callers read a failed step from `result`. */
const V1_BIOMETRICS = '/api/v1/verification/biometrics';

/** `{success: false, …}`, and `{status: false, …}` under /api/v1 (contract §1). Serialised here: no schema applies. */
export function problemBody(url: string, error: ApiError): string {
  const verdict = url.startsWith('/api/v1/') ? { status: false } : { success: false };
  return JSON.stringify({
    ...verdict,
    message: error.message,
    ...(error.errors && { errors: Object.fromEntries(error.errors) }),
    code: error.reason,
    ...(error.status === 422 &&
      url.startsWith(V1_BIOMETRICS) && { result: { status: 'failed', message: error.message } }),
  });
}

function isRefusal(error: unknown): error is FastifyError & { statusCode: number } {
  if (!(error instanceof Error && 'statusCode' in error)) return false;
  return typeof error.statusCode === 'number' && error.statusCode >= 400 && error.statusCode < 500;
}

/** A path that cannot name anything names nothing; anything else is told per key. */
function invalidInput(error: FastifyError): ApiError {
  if (error.validationContext === 'params') return new ApiError('NOT_FOUND');
  const errors = new Map<string, string[]>();
  for (const { instancePath, message } of error.validation ?? []) {
    const key = instancePath.split('/').filter(Boolean).join('.') || 'request';
    errors.set(key, [...(errors.get(key) ?? []), message ?? 'invalid']);
  }
  return new ApiError('VALIDATION', { errors });
}
