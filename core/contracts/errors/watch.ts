/** Why `vouch watch` sends no files. */
import type { ErrorEntry } from './api.ts';
export const WATCH_ERRORS = {
  WATCH_SILENT: { text: 'The service does not answer. vouch watch tries again.' },
  WATCH_BATCH_RUNNING: {
    text: 'The same batch is still being received. vouch watch tries again in {{seconds}} s.',
  },
  WATCH_TOO_MANY: { text: 'Too many requests. vouch watch tries again in {{seconds}} s.' },
  WATCH_QUEUE: {
    text: 'The enrolment queue is full or paused. vouch watch tries again in {{seconds}} s.',
  },
  WATCH_ENDED: {
    text: 'vouch watch ended with an error. Read its message in the terminal, or in the log of its system service.',
  },
} as const satisfies Record<string, ErrorEntry>;
