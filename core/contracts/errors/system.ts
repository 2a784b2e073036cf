/** Causes that the operating system reports, each as one sentence after the sentence of what failed. */
import type { ErrorEntry } from './api.ts';
export const SYSTEM_ERRORS = {
  SYSTEM_NOT_FOUND: { text: 'There is no such file or folder.' },
  SYSTEM_NOT_FOLDER: { text: 'Part of the path is a file, not a folder.' },
  SYSTEM_EXISTS: { text: 'A file of that name exists already.' },
  SYSTEM_IS_FOLDER: { text: 'The path is a folder, not a file.' },
  SYSTEM_FORBIDDEN: { text: 'The account of the service has no permission.' },
  SYSTEM_READ_ONLY: { text: 'That disk can only be read.' },
  SYSTEM_DISK_FULL: { text: 'That disk is full.' },
  SYSTEM_QUOTA_USED: { text: 'The account of the service has used up its disk quota.' },
  SYSTEM_DEVICE_FAILED: { text: 'That disk or its network connection reports an error.' },
  SYSTEM_DEVICE_GONE: { text: 'That disk is not connected.' },
  SYSTEM_FILES_EXHAUSTED: { text: 'Too many files are open on this machine.' },
  SYSTEM_CONNECTION_REFUSED: { text: 'No program accepts the connection.' },
  SYSTEM_CONNECTION_LOST: { text: 'The connection was closed.' },
  SYSTEM_NO_ANSWER: { text: 'No answer came in time.' },
  SYSTEM_UNREACHABLE: { text: 'The network does not reach that address.' },
  ANSWER_UNEXPECTED: { text: 'The answer has the HTTP status {{status}}.' },
  SYSTEM_OTHER: { text: 'The operating system reports the error {{code}}.' },
  CAUSE_IN_LOG: { text: 'The log of the service has the cause.' },
} as const satisfies Record<string, ErrorEntry>;
