/** Why a decision about a group, or a change of a person, was refused: the code of each refusal of the domain. */
import type { ErrorCode } from './problem.ts';

export const IDENTITY_REFUSALS = {
  notFound: 'NOT_FOUND',
  groupChanged: 'GROUP_CHANGED',
  changed: 'PERSON_CHANGED',
  contradicted: 'DECISION_CONTRADICTED',
  undone: 'DECISION_UNDONE',
  externalIdTaken: 'EXTERNAL_ID_TAKEN',
  faceTaken: 'FACE_HAS_PERSON',
  secondNeeded: 'SECOND_OPERATOR_NEEDED',
  keyReused: 'REQUEST_KEY_REUSED',
  itself: 'PERSON_MERGE_SELF',
  allFaces: 'PERSON_SPLIT_ALL',
} as const satisfies Record<string, ErrorCode>;
