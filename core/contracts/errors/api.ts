import { FAILURES, FAILURE_CODES, type FailureCode } from './failures.ts';

const RETRY = 'Try again after the seconds that Retry-After names.';

/** A photo that cannot be used is refused with the code of its reason. */
const IMAGE_ERRORS = Object.fromEntries(
  FAILURE_CODES.map((code) => {
    const { sentence: text, remedy } = FAILURES[code];
    return [code, { text, remedy, status: 422, frozen: true }];
  }),
) as Record<FailureCode, ErrorEntry>;

/** Refusals of whole requests. */
export const API_ERRORS = {
  ...IMAGE_ERRORS,
  MALFORMED_REQUEST: { status: 400, text: 'The request could not be understood.', frozen: true },
  BODY_NOT_JSON: {
    status: 400,
    text: 'The request could not be understood. The body must be a JSON object in UTF-8.',
    frozen: true,
  },
  BODY_NOT_A_FORM: {
    status: 400,
    text: 'The request could not be understood. The body must be a whole multipart form, with the boundary that Content-Type names.',
    frozen: true,
  },
  UNAUTHENTICATED: {
    status: 401,
    text: 'Unauthenticated.',
    remedy: 'Send a valid token or signature, or sign in again.',
    frozen: true,
  },
  UNAUTHORIZED: {
    status: 403,
    text: 'This action is unauthorized.',
    remedy: 'Use a credential with the scope, or an operator with the role, that the action needs.',
    frozen: true,
  },
  PERSONS_NOT_ALLOWED: {
    status: 403,
    text: 'This account may enrol photos but not name the persons whom they show. Send the photos without persons, or use an account that may edit persons.',
    frozen: true,
  },
  OSIA_DISABLED: {
    status: 403,
    text: 'The OSIA interface is off for this company. The administrator of the machine can turn it on: vouch company update NAME --osia',
  },
  ENCOUNTER_FIXED: {
    status: 403,
    text: 'The person has no encounter of this id that a program may change. An operator can change one that came another way, in the dashboard.',
  },
  PASSPHRASE_WRONG: {
    status: 403,
    text: 'The passphrase is incorrect. Nothing was changed. Enter it again.',
  },
  REAUTHENTICATE: { status: 403, text: 'Enter your passphrase again.' },
  NOT_FOUND: {
    status: 404,
    text: 'Not found.',
    remedy: 'Check the id. An id of another company answers the same.',
    frozen: true,
  },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed.', frozen: true },
  REQUEST_TIMEOUT: { status: 408, text: 'The request took too long to arrive.', frozen: true },
  ENCOUNTER_EXISTS: {
    status: 409,
    text: 'The person already has an encounter of this id. Nothing was changed. Choose another id, or delete that encounter first.',
  },
  DECIDED_MEANWHILE: {
    status: 409,
    text: 'Another reviewer has already decided this validation. Check that decision.',
  },
  FLOW_CHANGED: {
    status: 409,
    text: 'Another operator has changed this Trust Flow in the meantime. Check its settings, then try again.',
  },
  PLAN_CHANGED: {
    status: 409,
    text: 'The erasure plan has changed since you reviewed it. Review it again.',
  },
  IDEMPOTENCY_KEY_RUNNING: {
    status: 409,
    text: 'An upload with this Idempotency-Key is still being received.',
    remedy: 'Wait for the answer to the first request, or repeat this one later.',
    frozen: true,
  },
  SECOND_OPERATOR_FIXED: {
    status: 409,
    text: 'Operators cannot switch off the confirmation by a second operator. The administrator of the machine can: vouch company update NAME --no-second-operator',
  },
  AUDIT_CONTRADICTED: {
    status: 409,
    text: 'The audit log contradicts an earlier anchor, so no anchor was created. Verify the log to see which entry differs.',
  },
  SEARCH_EXPIRED: {
    status: 410,
    text: 'The result of this search is no longer available. Search again with the same photo.',
  },
  IMAGE_DAMAGED: {
    status: 410,
    text: 'The stored image is damaged or was changed, so it is not shown. An administrator can restore it from a backup.',
    frozen: true,
  },
  PAYLOAD_TOO_LARGE: { status: 413, text: 'Request body is too large.', frozen: true },
  BODY_TOO_LARGE: {
    status: 413,
    text: 'Request body is too large. It must not be greater than {{kilobytes}} kilobytes.',
    frozen: true,
  },
  FORM_TOO_MANY_FIELDS: {
    status: 413,
    text: 'Request body is too large. A form must not have more than {{most}} fields.',
    frozen: true,
  },
  JSON_TOO_MANY_VALUES: {
    status: 413,
    text: 'Request body is too large. Its JSON must not have more than {{most}} lists, objects, texts and commas.',
    frozen: true,
  },
  AUDIT_TOO_MANY_OBJECTS: {
    status: 422,
    text: 'The text means more than {{most}} records, so the log would be incomplete. Enter more of the name, or a reference.',
  },
  UNSUPPORTED_MEDIA_TYPE: { status: 415, text: 'Unsupported media type.', frozen: true },
  UNSUPPORTED_ENCODING: {
    status: 415,
    text: 'Unsupported media type. Send the body without a Content-Encoding.',
    frozen: true,
  },
  MISDIRECTED: {
    status: 421,
    text: 'Misdirected request.',
    remedy: 'Use an address that the service listens on as the host of the request.',
    frozen: true,
  },
  HEADERS_TOO_LARGE: {
    status: 431,
    text: 'Request headers are too large. They must not be greater than 16 kilobytes.',
    frozen: true,
  },
  VALIDATION: {
    status: 422,
    text: 'Validation error',
    remedy: 'Correct the fields that `errors` names.',
    frozen: true,
  },
  STORAGE_NOT_CONFIGURED: {
    text: 'Company storage is not configured',
    remedy: 'Set the storage folder of the company.',
    frozen: true,
  },
  REGISTRATION_DISABLED: {
    text: 'Biometrics Registration is not enabled for this company',
    remedy: 'Enable it in the settings of the company.',
    frozen: true,
  },
  BLACKLISTS_DISABLED: {
    text: 'Blacklists are not enabled for this company',
    remedy: 'Enable them in the settings of the company.',
    frozen: true,
  },
  BLACKLIST_INACTIVE: {
    text: 'Blacklist is inactive and accepts no new faces',
    remedy: 'Activate the blacklist.',
    frozen: true,
  },
  IDEMPOTENCY_KEY_INVALID: {
    text: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    frozen: true,
  },
  IDEMPOTENCY_KEY_REUSED: {
    text: 'Idempotency-Key was already used for a different upload.',
    remedy: 'Use another key for another upload.',
    frozen: true,
  },
  VERIFICATION_CLOSED: {
    text: 'Verification has been finalized and takes no more images',
    remedy: 'Create another verification.',
    frozen: true,
  },
  ALREADY_FIXED: {
    text: 'A corrected version of this photo is enrolled already, or is being processed.',
    remedy: 'Request the failed photos again.',
  },
  STILL_WAITING: { text: 'This photo is still being processed. You can undo once it is enrolled.' },
  NO_PIPELINE_CHANGE: {
    text: 'No pipeline switch is in progress. It has finished, or it was cancelled.',
  },
  TOO_MANY_ATTEMPTS: { status: 429, text: 'Too Many Attempts.', remedy: RETRY, frozen: true },
  QUEUE_PAUSED: {
    status: 503,
    text: 'Enrollment queue is unavailable. Please retry shortly.',
    remedy: 'An operator paused the queue. Resume it, or try again later.',
    frozen: true,
  },
  QUEUE_FULL: {
    status: 503,
    text: 'Enrollment queue is unavailable. Please retry shortly.',
    remedy: RETRY,
    frozen: true,
  },
  DISK_FULL: {
    status: 503,
    text: 'Enrollment queue is unavailable. Please retry shortly.',
    remedy: 'Free room on the disk of the storage folder.',
    frozen: true,
  },
  STORAGE_UNAVAILABLE: {
    status: 503,
    text: 'Enrollment queue is unavailable. Please retry shortly.',
    remedy: 'Check the storage folder and the database with: vouch doctor',
    frozen: true,
  },
  OUTCOME_UNKNOWN: {
    status: 503,
    text: 'The service could not finish the request in time, so it is unknown whether a change was made. Check that before you repeat the request.',
    remedy:
      'An upload can be repeated with its Idempotency-Key, and a request that only reads at any time. If this happens again: vouch doctor',
    frozen: true,
  },
  UNEXPECTED: {
    status: 500,
    text: 'An unexpected error occurred. Give the administrator the X-Request-Id of this answer: the log has the details.',
    frozen: true,
  },
} as const satisfies Record<string, ErrorEntry>;

/** One error of the catalogue. */
export interface ErrorEntry {
  /** The event and its remedy, in English; `{{name}}` stands for a parameter. */
  text: string;
  /** The HTTP status of an answer with this code; absent: 422 where a route answers with it. */
  status?: number;
  /** The remedy, where `text` does not state it. */
  remedy?: string;
  /** The text is part of the public interface and clients may compare it: do not reword. */
  frozen?: true;
}

/** Refusals of duplicate searches, of decisions about groups, and of changes of persons. */
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
    text: 'A different operator must confirm this decision. A program cannot confirm it, nor can an operator who created the token or signing key that was used to decide. Operators who gave each other a passphrase within 30 days count as one.',
  },
  EXAMINATION_STEP: {
    status: 409,
    text: 'This is not the next step of the examination. Another step comes first, it was saved already, or the named operator has no unfinished work that you can end.',
  },
  CASE_FOLDER_REFUSED: {
    status: 409,
    text: 'The case folder does not allow this: it is closed, the entry was removed or erased, or the examination is not done.',
  },
  CASE_FILE_TYPE: {
    text: 'The file is not a PDF, JPEG, PNG or plain text file. Convert it, then add it again.',
  },
  CASE_FILE_CHANGED: {
    status: 409,
    text: 'The stored file is not the one that was added. Its SHA-256 differs from the one in the chain of custody. Restore a backup, or remove the entry.',
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
