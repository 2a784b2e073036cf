import { errors, errorsWith, type ErrorEntry } from './entries.ts';
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
  ...errorsWith({ status: 400, frozen: true })({
    MALFORMED_REQUEST: 'The request could not be understood.',
    BODY_NOT_JSON: 'The request could not be understood. The body must be a JSON object in UTF-8.',
    BODY_NOT_A_FORM:
      'The request could not be understood. The body must be a whole multipart form, with the boundary that Content-Type names.',
  }),
  UNAUTHENTICATED: {
    status: 401,
    text: 'Unauthenticated.',
    remedy: 'Send a valid token or signature, or sign in again.',
    frozen: true,
  },
  ...errorsWith({ status: 403, frozen: true })({
    UNAUTHORIZED: [
      'This action is unauthorized.',
      'Use a credential with the scope, or an operator with the role, that the action needs.',
    ],
    PERSONS_NOT_ALLOWED:
      'This account may enrol photos but not name the persons whom they show. Send the photos without persons, or use an account that may edit persons.',
  }),
  ...errorsWith({ status: 403 })({
    OSIA_DISABLED:
      'The OSIA interface is off for this company. The administrator of the machine can turn it on: vouch company update NAME --osia',
    ENCOUNTER_FIXED:
      'The person has no encounter of this id that a program may change. An operator can change one that came another way, in the dashboard.',
    PASSPHRASE_WRONG: 'The passphrase is incorrect. Nothing was changed. Enter it again.',
    REAUTHENTICATE: 'Enter your passphrase again.',
  }),
  NOT_FOUND: {
    status: 404,
    text: 'Not found.',
    remedy: 'Check the id. An id of another company answers the same.',
    frozen: true,
  },
  METHOD_NOT_ALLOWED: { status: 405, text: 'Method not allowed.', frozen: true },
  REQUEST_TIMEOUT: { status: 408, text: 'The request took too long to arrive.', frozen: true },
  ...errorsWith({ status: 409 })({
    ENCOUNTER_EXISTS:
      'The person already has an encounter of this id. Nothing was changed. Choose another id, or delete that encounter first.',
    DECIDED_MEANWHILE: 'Another reviewer has already decided this validation. Check that decision.',
    FLOW_CHANGED:
      'Another operator has changed this Trust Flow in the meantime. Check its settings, then try again.',
    PLAN_CHANGED: 'The erasure plan has changed since you reviewed it. Review it again.',
    SECOND_OPERATOR_FIXED:
      'Operators cannot switch off the confirmation by a second operator. The administrator of the machine can: vouch company update NAME --no-second-operator',
    AUDIT_CONTRADICTED:
      'The audit log contradicts an earlier anchor, so no anchor was created. Verify the log to see which entry differs.',
  }),
  IDEMPOTENCY_KEY_RUNNING: {
    status: 409,
    text: 'An upload with this Idempotency-Key is still being received.',
    remedy: 'Wait for the answer to the first request, or repeat this one later.',
    frozen: true,
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
  ...errorsWith({ status: 413, frozen: true })({
    PAYLOAD_TOO_LARGE: 'Request body is too large.',
    BODY_TOO_LARGE: 'Request body is too large. It must not be greater than {{kilobytes}} kilobytes.',
    FORM_TOO_MANY_FIELDS: 'Request body is too large. A form must not have more than {{most}} fields.',
    JSON_TOO_MANY_VALUES:
      'Request body is too large. Its JSON must not have more than {{most}} lists, objects, texts and commas.',
  }),
  AUDIT_TOO_MANY_OBJECTS: {
    status: 422,
    text: 'The text means more than {{most}} records, so the log would be incomplete. Enter more of the name, or a reference.',
  },
  ...errorsWith({ status: 415, frozen: true })({
    UNSUPPORTED_MEDIA_TYPE: 'Unsupported media type.',
    UNSUPPORTED_ENCODING: 'Unsupported media type. Send the body without a Content-Encoding.',
  }),
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
  ...errorsWith({ frozen: true })({
    STORAGE_NOT_CONFIGURED: ['Company storage is not configured', 'Set the storage folder of the company.'],
    REGISTRATION_DISABLED: [
      'Biometrics Registration is not enabled for this company',
      'Enable it in the settings of the company.',
    ],
    BLACKLISTS_DISABLED: [
      'Blacklists are not enabled for this company',
      'Enable them in the settings of the company.',
    ],
    BLACKLIST_INACTIVE: ['Blacklist is inactive and accepts no new faces', 'Activate the blacklist.'],
    IDEMPOTENCY_KEY_INVALID: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
    IDEMPOTENCY_KEY_REUSED: [
      'Idempotency-Key was already used for a different upload.',
      'Use another key for another upload.',
    ],
    VERIFICATION_CLOSED: [
      'Verification has been finalized and takes no more images',
      'Create another verification.',
    ],
  }),
  ...errors({
    ALREADY_FIXED: [
      'A corrected version of this photo is enrolled already, or is being processed.',
      'Request the failed photos again.',
    ],
    STILL_WAITING: 'This photo is still being processed. You can undo once it is enrolled.',
    NO_PIPELINE_CHANGE: 'No pipeline switch is in progress. It has finished, or it was cancelled.',
  }),
  TOO_MANY_ATTEMPTS: { status: 429, text: 'Too Many Attempts.', remedy: RETRY, frozen: true },
  ...errorsWith({ status: 503, frozen: true })({
    QUEUE_PAUSED: [
      'Enrollment queue is unavailable. Please retry shortly.',
      'An operator paused the queue. Resume it, or try again later.',
    ],
    DISK_FULL: [
      'Enrollment queue is unavailable. Please retry shortly.',
      'Free room on the disk of the storage folder.',
    ],
    STORAGE_UNAVAILABLE: [
      'Enrollment queue is unavailable. Please retry shortly.',
      'Check the storage folder and the database with: vouch doctor',
    ],
    OUTCOME_UNKNOWN: [
      'The service could not finish the request in time, so it is unknown whether a change was made. Check that before you repeat the request.',
      'An upload can be repeated with its Idempotency-Key, and a request that only reads at any time. If this happens again: vouch doctor',
    ],
  }),
  QUEUE_FULL: {
    status: 503,
    text: 'Enrollment queue is unavailable. Please retry shortly.',
    remedy: RETRY,
    frozen: true,
  },
  UNEXPECTED: {
    status: 500,
    text: 'An unexpected error occurred. Give the administrator the X-Request-Id of this answer: the log has the details.',
    frozen: true,
  },
} as const satisfies Record<string, ErrorEntry>;

/** Refusals of duplicate searches, of decisions about groups, and of changes of persons. */
export const DUPLICATE_ERRORS = {
  ...errorsWith({ status: 409 })({
    DUPLICATE_SEARCH_UNFINISHED:
      'A duplicate search has not ended yet. Wait until it has finished, or cancel it.',
    DUPLICATE_SEARCH_STATE: [
      'The state of this duplicate search has changed in the meantime. Check its current state, then try again.',
      'Request the duplicate search again.',
    ],
    DUPLICATE_SEARCH_NONE: 'No duplicate search is in progress in this company.',
    TOO_FEW_FACES: 'Fewer than two faces can be compared. Enrol photos first.',
    GROUP_CHANGED: [
      'The group has changed in the meantime. Check the current faces, then decide.',
      'Request the group again.',
    ],
    DECISION_CONTRADICTED: 'An earlier decision contradicts this one. Undo the earlier decision first.',
    DECISION_UNDONE: 'This decision has already been undone.',
    SECOND_OPERATOR_NEEDED:
      'A different operator must confirm this decision. A program cannot confirm it, nor can an operator who created the token or signing key that was used to decide. Operators who gave each other a passphrase within 30 days count as one.',
    EXAMINATION_STEP:
      'This is not the next step of the examination. Another step comes first, it was saved already, or the named operator has no unfinished work that you can end.',
    CASE_FOLDER_REFUSED:
      'The case folder does not allow this: it is closed, the entry was removed or erased, or the examination is not done.',
    CASE_FILE_CHANGED:
      'The stored file is not the one that was added. Its SHA-256 differs from the one in the chain of custody. Restore a backup, or remove the entry.',
    PERSON_CHANGED: [
      'The person has changed in the meantime. Check the current data, then try again.',
      'Request the person again.',
    ],
    FACE_HAS_PERSON:
      'A photo belongs to another person already. Move the photo from that person, or merge the two persons.',
    SPECIMEN_PRESENT: 'The person already has this file as a signature specimen.',
    SPECIMENS_ERASURE_UNCONFIRMED:
      'This erases the stored signature specimens of the company: {{specimens}}. Confirm this number.',
    SAMPLE_ACCEPTED:
      'The groups of this sample are accepted already. Undo the acceptance, or start a new sample.',
    SAMPLE_NOT_ACCEPTED: 'The groups of this sample are not accepted, so there is nothing to undo.',
    SAMPLE_NOT_CLEAN:
      'The sample is not complete, or it contains an error. Groups are accepted in bulk only after a complete sample without an error.',
  }),
  ...errors({
    CASE_FILE_TYPE: 'The file is not a PDF, JPEG, PNG or plain text file. Convert it, then add it again.',
    PERSON_MERGE_SELF: 'A person cannot be merged with itself. Choose another person.',
    PERSON_SPLIT_ALL: 'A split must leave at least one photo with the person. Choose fewer photos.',
    EXTERNAL_ID_TAKEN:
      'Another person of this company has this external ID. Use a different external ID, or merge the two.',
    SPECIMENS_OFF:
      'This company does not store signature specimens. An administrator can turn this on under Settings, Company.',
    SPECIMENS_FULL:
      'The person has {{most}} signature specimens, which is the limit. Erase one to add another.',
    SPECIMEN_UNUSABLE:
      'The image shows no signature that can be compared. Send one whole signature on a plain background.',
    REQUEST_KEY_REUSED: [
      'Idempotency-Key was already used for a different request.',
      'Use another key for another request.',
    ],
  }),
  SAMPLE_EXPIRED: { status: 410, text: 'This sample has expired. Start a new sample.' },
} as const satisfies Record<string, ErrorEntry>;
