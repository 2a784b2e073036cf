/** Folders that the desktop offers and the service does not take. */
import type { ErrorEntry } from './api.ts';
export const FOLDER_ERRORS = {
  FOLDER_SIGNED_OUT: { text: 'You are not signed in in this window. Sign in, then choose the folder again.' },
  FOLDER_NOT_ALLOWED: {
    text: 'Your role does not include enrolling photos. An administrator can change your role.',
  },
  FOLDER_COMPANY_GONE: { text: 'The company of this session no longer exists.' },
  FOLDER_OF_VOUCH: {
    text: 'This folder belongs to Vouch itself. Choose the folder that contains the photos.',
  },
  FOLDER_TOO_LARGE: {
    text: 'This folder contains more than {{most}} files. Enrol its subfolders one by one, or use: vouch enroll',
  },
  FOLDER_RELATIVE: {
    text: 'The desktop window did not name a folder of this machine. Choose the folder again.',
  },
  FOLDER_ABSENT: { text: 'This folder no longer exists. Choose a folder again.' },
  FOLDER_IS_FILE: {
    text: 'This is a file, not a folder. Drop it as a photo, or choose the folder that contains it.',
  },
  FOLDER_UNREADABLE: {
    text: 'The account that runs Vouch cannot read the folder. Change its permissions, or copy the folder.',
  },
  FOLDER_SERVICE_SILENT: { text: 'The Vouch service does not respond. Try again later.' },
} as const satisfies Record<string, ErrorEntry>;
