/** Refused decisions about groups and persons as answers. */
import { IDENTITY_REFUSALS } from '../../contracts/errors/identityRefusals.ts';
import { ApiError } from './errors.ts';

/** A refusal of the domain; of a stale version with the id and the present version of what has changed. */
interface Refusal {
  kind: keyof typeof IDENTITY_REFUSALS;
  id?: number;
  version?: number;
}

/** @throws {ApiError} nothing was decided; its parameters have the present version of what has changed */
export function requireDecided<T extends { kind: 'done' } | Refusal>(
  decided: T,
): Extract<T, { kind: 'done' }> {
  if (isDone(decided)) return decided;
  const { kind, id, version } = decided as Refusal;
  const parameters = id === undefined || version === undefined ? {} : { id, version };
  throw new ApiError({ code: IDENTITY_REFUSALS[kind], parameters });
}

function isDone<T extends { kind: string }>(decided: T): decided is Extract<T, { kind: 'done' }> {
  return decided.kind === 'done';
}
