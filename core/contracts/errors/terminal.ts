/** Refusals of the commands of the terminal. */
import type { ErrorEntry } from './api.ts';
export const TERMINAL_ERRORS = {
  ERASURE_CODE_WRONG: {
    text: 'The code does not belong to the current erasure plan. Review the plan again: vouch erase plan',
  },
  RECEIPT_UNKNOWN: { text: '"{{company}}" has no receipt {{receipt}}, or its erasure has not finished yet.' },
  RECEIPT_FOREIGN: { text: 'The receipt was changed, or another installation signed it.' },
  COMPANY_ID_UNKNOWN: { text: 'There is no company {{company}}.' },
  RETENTION_CODE_WRONG: {
    text: 'The code does not belong to a preview of these rules. Preview them: vouch retention preview',
  },
  RETENTION_HELD: { text: 'Nothing was erased. {{reason}}' },
  ERASURE_CHOICE_UNKNOWN: { text: '"{{company}}" has none of these: {{ids}}.' },
  BLACKLIST_UNKNOWN_IN: { text: 'There is no blacklist {{blacklist}} in "{{company}}".' },
  NOT_IN_COMPANY: { text: 'Not found in this company.' },
  PIPELINE_NOT_CHANGING: {
    text: '"{{company}}" is not switching to another pipeline. There is nothing to do.',
  },
  PIPELINE_IN_USE: { text: '"{{company}}" uses the pipeline "{{pipeline}}". Nothing was erased.' },
  PIPELINE_WITHOUT_TEMPLATES: {
    text: '"{{company}}" has no templates of "{{pipeline}}". Nothing was erased. It has templates of: {{stored}}.',
  },
  ANCHOR_FILE_NOT_WRITABLE: { text: 'The service cannot write to {{folder}}. {{cause}}' },
  OPERATOR_UNKNOWN: { text: 'There is no operator named "{{operator}}" in "{{company}}".' },
  USER_ID_TAKEN: { text: 'This user ID is already taken. Choose another one.' },
  PACKAGE_GONE: { text: 'This import has expired. Upload the package again.' },
  IMPORT_UNKNOWN: { text: 'There is no import {{import}} in "{{company}}".' },
  INSTALLATION_UNKNOWN: {
    text: 'The company trusts no installation named "{{name}}". Trusted installations: {{known}}.',
  },
  COMPANY_UNKNOWN: {
    text: 'There is no company named "{{company}}". Create it with: vouch company create "{{company}}"',
  },
  COMPANY_EXISTS: { text: 'A company named "{{company}}" already exists.' },
  COMPANY_FOLDER_UNUSABLE: { text: 'The storage folder "{{folder}}" cannot be used. {{reason}}' },
  BACKUP_KEY_EXISTS: {
    text: 'A backup key already exists ({{fingerprint}}). --replace creates another key for future backups. Existing backups still need the earlier key.',
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
    text: 'Entry {{sequence}} of the audit log differs from the anchor in {{file}}. The log was changed or rolled back.',
  },
  COMPANY_NONE: { text: 'There is no company yet. Create one with: vouch company create NAME' },
  COMPANY_NOT_NAMED: { text: 'There are several companies. Choose one with --company: {{names}}' },
} as const satisfies Record<string, ErrorEntry>;
