/** Refusals of duplicate searches, of decisions about groups, and of changes of persons. */
import type { ErrorEntry } from './api.ts';
export const DUPLICATE_ERRORS = {
  DUPLICATE_SEARCH_UNFINISHED: {
    status: 409,
    text: 'A duplicate search has not ended yet. Wait until it has finished, or cancel it.',
  },
  DUPLICATE_SEARCH_STATE: {
    status: 409,
    text: 'The state of this duplicate search has changed in the meantime. Check its current state, then try again.',
    remedy: 'Request the duplicate search again.',
  },
  DUPLICATE_SEARCH_NONE: { text: 'No duplicate search is in progress in this company.', status: 409 },
  TOO_FEW_FACES: {
    status: 409,
    text: 'Fewer than two faces can be compared. Enrol photos first.',
  },
  GROUP_CHANGED: {
    status: 409,
    text: 'The group has changed in the meantime. Check the current faces, then decide.',
    remedy: 'Request the group again.',
  },
  DECISION_CONTRADICTED: {
    status: 409,
    text: 'An earlier decision contradicts this one. Undo the earlier decision first.',
  },
  DECISION_UNDONE: { status: 409, text: 'This decision has already been undone.' },
  SECOND_OPERATOR_NEEDED: {
    status: 409,
    text: 'A different operator must confirm this decision. A program cannot confirm it, nor can an operator who created the token or signing key that was used to decide.',
  },
  PERSON_CHANGED: {
    status: 409,
    text: 'The person has changed in the meantime. Check the current data, then try again.',
    remedy: 'Request the person again.',
  },
  PERSON_MERGE_SELF: { text: 'A person cannot be merged with itself. Choose another person.' },
  PERSON_SPLIT_ALL: {
    text: 'A split must leave at least one photo with the person. Choose fewer photos.',
  },
  EXTERNAL_ID_TAKEN: {
    text: 'Another person of this company has this external ID. Use a different external ID, or merge the two.',
  },
  FACE_HAS_PERSON: {
    status: 409,
    text: 'A photo belongs to another person already. Move the photo from that person, or merge the two persons.',
  },
  SPECIMENS_OFF: {
    text: 'This company does not store signature specimens. An administrator can turn this on under Settings, Company.',
  },
  SPECIMENS_FULL: {
    text: 'The person has {{most}} signature specimens, which is the limit. Erase one to add another.',
  },
  SPECIMEN_PRESENT: { status: 409, text: 'The person already has this file as a signature specimen.' },
  SPECIMEN_UNUSABLE: {
    text: 'The image shows no signature that can be compared. Send one whole signature on a plain background.',
  },
  SPECIMENS_ERASURE_UNCONFIRMED: {
    status: 409,
    text: 'This erases the stored signature specimens of the company: {{specimens}}. Confirm this number.',
  },
  REQUEST_KEY_REUSED: {
    text: 'Idempotency-Key was already used for a different request.',
    remedy: 'Use another key for another request.',
  },
  SAMPLE_ACCEPTED: {
    status: 409,
    text: 'The groups of this sample are accepted already. Undo the acceptance, or start a new sample.',
  },
  SAMPLE_NOT_ACCEPTED: {
    status: 409,
    text: 'The groups of this sample are not accepted, so there is nothing to undo.',
  },
  SAMPLE_EXPIRED: { status: 410, text: 'This sample has expired. Start a new sample.' },
  SAMPLE_NOT_CLEAN: {
    status: 409,
    text: 'The sample is not complete, or it contains an error. Groups are accepted in bulk only after a complete sample without an error.',
  },
} as const satisfies Record<string, ErrorEntry>;
