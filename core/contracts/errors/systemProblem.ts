import { CodedError, problem, type PlainCode, type Problem } from './problem.ts';
import { systemCodeOf } from './systemCode.ts';

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
