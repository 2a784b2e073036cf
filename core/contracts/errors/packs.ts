import type { ErrorEntry } from './entry.ts';

/** The faults of a pipeline pack. */
export const PACK_ERRORS = {
  PACK_CHANGED: { text: 'The pack "{{name}}" was changed ({{found}} instead of {{expected}}).' },
  PACK_NAME_INVALID: {
    text: 'The name of the folder must have lower-case letters, digits and hyphens only, at most 40.',
  },
  PACK_NAME_BUILT_IN: { text: 'This is the name of a built-in pipeline. Rename the folder.' },
  PACK_NET_CHANGED: {
    text: '{{file}} differs from the file that the manifest names: its SHA-256 is {{found}}, not {{expected}}.',
  },
  PACK_MANIFEST_NOT_JSON: { text: '{{file}} is not JSON: {{cause}}' },
  PACK_MANIFEST_INVALID: { text: '{{file}}: {{cause}}' },
  PACK_NET_UNREADABLE: { text: '{{file}} cannot be loaded: {{cause}}' },
  PACK_NET_INPUT_INVALID: { text: '{{file}} does not accept the input that the manifest names: {{cause}}' },
  PACK_NET_WITHOUT_OUTPUT: { text: '{{file}} has no output "{{output}}" of 32-bit floats.' },
  PACK_NET_LENGTH_WRONG: { text: '{{file}} returns {{found}} numbers per face, not {{expected}}.' },
  PACK_UNKNOWN: { text: 'There is no pipeline "{{name}}".' },
  PACK_FILE_MISSING: { text: '{{file}} is missing.' },
} as const satisfies Record<string, ErrorEntry>;
