/** Refused decisions about groups and persons as answers. */
import type { ErrorCode } from '../../contracts/errors/problem.ts';
import { ApiError } from '../http/errors.ts';

const CODES = {
  notFound: 'NOT_FOUND',
  groupChanged: 'GROUP_CHANGED',
  changed: 'PERSON_CHANGED',
  contradicted: 'DECISION_CONTRADICTED',
  undone: 'DECISION_UNDONE',
  externalIdTaken: 'EXTERNAL_ID_TAKEN',
  itself: 'PERSON_MERGE_SELF',
  allFaces: 'PERSON_SPLIT_ALL',
} as const satisfies Record<string, ErrorCode>;

/** @throws {ApiError} nothing was decided */
export function requireDecided<T extends { kind: keyof typeof CODES | 'done' }>(
  decided: T,
): T & { kind: 'done' } {
  if (isDone(decided)) return decided;
  throw new ApiError(CODES[decided.kind as keyof typeof CODES]);
}

function isDone<T extends { kind: string }>(decided: T): decided is T & { kind: 'done' } {
  return decided.kind === 'done';
}
