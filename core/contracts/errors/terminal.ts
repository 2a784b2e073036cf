import type { ErrorEntry } from './entry.ts';

/** Refusals of the commands of the terminal. */
export const TERMINAL_ERRORS = {
  ERASURE_CODE_WRONG: {
    text: 'This is not the code of the plan as it is now. Look at it again: vouch erase plan',
  },
  RECEIPT_UNKNOWN: { text: '"{{company}}" has no receipt {{receipt}}, or its erasure is not finished yet.' },
  RECEIPT_FOREIGN: { text: 'This receipt was not signed by this installation, or it was changed.' },
  COMPANY_ID_UNKNOWN: { text: 'There is no company {{company}}.' },
  RETENTION_CODE_WRONG: { text: 'This is not the code of a preview of these rules: vouch retention preview' },
  RETENTION_HELD: { text: 'Nothing was erased. {{reason}}' },
  ERASURE_CHOICE_UNKNOWN: { text: '"{{company}}" has none of: {{ids}}.' },
  BLACKLIST_UNKNOWN_IN: { text: 'There is no blacklist {{blacklist}} in "{{company}}".' },
  NOT_IN_COMPANY: { text: 'There is no such thing in this company.' },
  PIPELINE_NOT_CHANGING: { text: '"{{company}}" is not changing to another pipeline: nothing to do.' },
  PIPELINE_IN_USE: { text: '"{{pipeline}}" is in use by "{{company}}": nothing was erased.' },
  PIPELINE_WITHOUT_TEMPLATES: {
    text: '"{{company}}" has no templates of "{{pipeline}}": nothing was erased. It has templates of: {{stored}}.',
  },
  WITNESS_NOT_WRITABLE: { text: 'The service cannot write to {{folder}}: {{cause}}' },
  OPERATOR_UNKNOWN: { text: 'There is no operator named "{{operator}}" in "{{company}}".' },
  OPERATOR_GONE: { text: 'The operator is gone.' },
  USER_ID_TAKEN: { text: 'This user id has or had a key on this installation: choose another one.' },
  BUNDLE_GONE: { text: 'This bundle does not wait here (any more): hand it in again.' },
  IMPORT_UNKNOWN: { text: 'There is no import {{import}} in "{{company}}".' },
  SITE_UNKNOWN: {
    text: 'There is no site named "{{name}}" among those that the company trusts ({{known}}).',
  },
  COMPANY_UNKNOWN: {
    text: 'There is no company named "{{company}}". Make it with: vouch company create "{{company}}"',
  },
  CALIBRATION_FULL: { text: 'A run takes at most {{most}} photos.' },
  CALIBRATION_MISLABELLED: {
    text: 'One photo stands under two people: nothing was changed. Correct the labels first.',
  },
  CALIBRATION_TOO_FEW: { text: 'The photos are too few for a calibration: nothing was changed.' },
  COMPANY_EXISTS: { text: 'A company named "{{company}}" exists already.' },
  COMPANY_FOLDER_UNUSABLE: { text: 'The storage folder "{{folder}}" cannot be used. {{reason}}' },
  CALIBRATION_RUN_UNKNOWN: { text: 'There is no such calibration run (any more): begin anew.' },
  RECOVERY_KEY_EXISTS: {
    text: 'There is a backup key already ({{fingerprint}}). --replace makes another for the backups to come; those made so far still need the earlier one.',
  },
  INPUT_INVALID: { text: '{{sentences}}' },
  PIPELINE_NOT_CHOSEN: { text: '"{{name}}" cannot be used: {{reason}}' },
  COMMAND_LINE_INVALID: { text: '{{sentence}}' },
  COMMAND_FAILED: { text: '{{sentence}}' },
  IMAGES_FAILED: { text: '{{sentence}}' },
  SERVICE_UNREACHABLE: { text: '{{sentence}}' },
  HOME_LOCKED: { text: '{{sentence}}' },
  AUDIT_ENTRY_MISSING: {
    text: 'The audit log has no entry {{sequence}}, although {{file}} has an anchor of it. The log was truncated or rolled back.',
  },
  AUDIT_ENTRY_CHANGED: {
    text: 'Entry {{sequence}} of the audit log is not the one that {{file}} has an anchor of. The log was changed or rolled back.',
  },
  COMPANY_NONE: { text: 'There is no company yet. Make one with: vouch company create NAME' },
  COMPANY_NOT_NAMED: { text: 'There are several companies. Name one with --company: {{names}}' },
} as const satisfies Record<string, ErrorEntry>;
