/** The faults of a pipeline pack. */
import type { ErrorEntry } from './api.ts';
export const PACK_ERRORS = {
  PACK_CHANGED: { text: 'The pack "{{name}}" was changed ({{found}} instead of {{expected}}).' },
  PACK_NAME_INVALID: {
    text: 'The name of the folder must have lower-case letters, digits and hyphens only, at most 40.',
  },
  PACK_NAME_BUILT_IN: { text: 'This is the name of a built-in pipeline. Rename the folder.' },
  PACK_NET_CHANGED: {
    text: '{{file}} differs from the file that the manifest names: its SHA-256 is {{found}}, not {{expected}}.',
  },
  PACK_MANIFEST_NOT_JSON: { text: '{{file}} is not valid JSON.' },
  PACK_MANIFEST_INVALID: { text: '{{file}} lacks these entries, or their values are invalid: {{entries}}.' },
  PACK_RATES_NOT_FALLING: { text: 'The rates of the calibration must fall from one point to the next.' },
  PACK_RATES_TOO_NARROW: {
    text: 'The rates of the calibration must reach from {{widest}} or more to {{rarest}} or less.',
  },
  PACK_THRESHOLDS_NOT_STRICTER: {
    text: 'In the calibration, a lower rate of false matches must need a higher similarity (cosine) or a smaller distance (euclidean).',
  },
  PACK_BYTES_SCALED: {
    text: 'The manifest of a network that takes unchanged bytes must have no mean and no scale.',
  },
  PACK_NET_UNREADABLE: {
    text: '{{file}} cannot be loaded as an ONNX network. The log of the service has the cause.',
  },
  PACK_NET_INPUT_INVALID: {
    text: '{{file}} does not accept the input that the manifest names. The log of the service has the cause.',
  },
  PACK_NET_WITHOUT_OUTPUT: { text: '{{file}} has no output "{{output}}" of 32-bit floats.' },
  PACK_NET_LENGTH_WRONG: { text: '{{file}} returns {{found}} numbers per face, not {{expected}}.' },
  PACK_UNKNOWN: { text: 'There is no pipeline "{{name}}".' },
  PACK_FILE_MISSING: { text: '{{file}} is missing.' },
  PACK_FILE_NOT_REGULAR: {
    text: '{{file}} is a link, a folder or a device, or cannot be opened. Put the file itself into the folder of the pack.',
  },
  PACK_FILE_TOO_LARGE: {
    text: '{{file}} is larger than {{mebibytes}} MiB. Use a smaller network, or check that the file is the right one.',
  },
} as const satisfies Record<string, ErrorEntry>;
