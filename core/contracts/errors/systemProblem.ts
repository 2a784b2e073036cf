import { CodedError, problem, type PlainCode, type Problem } from './problem.ts';

const CODES: Readonly<Record<string, PlainCode>> = {
  ENOENT: 'SYSTEM_NOT_FOUND',
  ENOTDIR: 'SYSTEM_NOT_FOLDER',
  EEXIST: 'SYSTEM_EXISTS',
  EISDIR: 'SYSTEM_IS_FOLDER',
  EACCES: 'SYSTEM_FORBIDDEN',
  EPERM: 'SYSTEM_FORBIDDEN',
  EROFS: 'SYSTEM_READ_ONLY',
  ENOSPC: 'SYSTEM_DISK_FULL',
  EDQUOT: 'SYSTEM_QUOTA_USED',
  EIO: 'SYSTEM_DEVICE_FAILED',
  ESTALE: 'SYSTEM_DEVICE_FAILED',
  ENODEV: 'SYSTEM_DEVICE_GONE',
  ENXIO: 'SYSTEM_DEVICE_GONE',
  EMFILE: 'SYSTEM_FILES_EXHAUSTED',
  ENFILE: 'SYSTEM_FILES_EXHAUSTED',
  ECONNREFUSED: 'SYSTEM_CONNECTION_REFUSED',
  ECONNRESET: 'SYSTEM_CONNECTION_LOST',
  EPIPE: 'SYSTEM_CONNECTION_LOST',
  ETIMEDOUT: 'SYSTEM_NO_ANSWER',
  EHOSTUNREACH: 'SYSTEM_UNREACHABLE',
  ENETUNREACH: 'SYSTEM_UNREACHABLE',
};

/**
 * The cause of a failure as a problem, for a sentence in any language. The text of the operating system is English, so it
 * belongs in the log.
 */
export function systemProblem(cause: unknown): Problem {
  if (cause instanceof CodedError) return cause.problem;
  const system = systemCodeOf(cause);
  if (system === undefined) return problem('CAUSE_IN_LOG');
  const known = CODES[system];
  return known === undefined ? problem('SYSTEM_OTHER', { code: system }) : { code: known, parameters: {} };
}

/** @param cause of a `catch`, or of a rejected promise @returns its code, such as `ENOENT`; undefined: it is no error with a code */
export function systemCodeOf(cause: unknown): string | undefined {
  return cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? cause.code : undefined;
}

/** Whether the operating system reported one of these codes. */
export function hasSystemCode(cause: unknown, ...codes: readonly string[]): boolean {
  return codes.includes(systemCodeOf(cause) ?? '');
}
