import type { ErrorEntry } from './entry.ts';

/** Folders that the desktop offers and the service does not take. */
export const FOLDER_ERRORS = {
  FOLDER_SIGNED_OUT: { text: 'Nobody is signed in in this window. Sign in, then choose the folder again.' },
  FOLDER_NOT_ALLOWED: {
    text: 'Your role does not include enrolling photos. An administrator can change roles.',
  },
  FOLDER_COMPANY_GONE: { text: 'The company of this session is gone.' },
  FOLDER_OF_VOUCH: {
    text: 'This folder belongs to Vouch itself. Choose the folder that the photos came in.',
  },
  FOLDER_TOO_LARGE: {
    text: 'This folder has more than {{most}} files. Enrol the folders in it one by one, or use: vouch enroll',
  },
  FOLDER_RELATIVE: { text: 'The shell named no folder of this machine. Choose it once more.' },
  FOLDER_ABSENT: { text: 'There is no such folder any more. Choose it once more.' },
  FOLDER_IS_FILE: {
    text: 'That is a file and no folder. Drop photos as photos, or choose the folder that they are in.',
  },
  FOLDER_UNREADABLE: {
    text: 'The folder cannot be read by the account that Vouch runs as. Change its permissions, or copy it.',
  },
  FOLDER_SERVICE_SILENT: { text: 'The service does not answer. Try again when it does.' },
  FOLDER_UNUSABLE: { text: '{{reason}}' },
} as const satisfies Record<string, ErrorEntry>;
