/** Backups that the dashboard makes, and the key that opens them. */
import type { ErrorEntry } from './api.ts';
export const BACKUP_ERRORS = {
  BACKUP_NO_KEY: { text: 'There is no backup key. Create the backup key first.', status: 409 },
  BACKUP_KEY_CHANGED: {
    text: 'Another backup key was created in the meantime. Check the fingerprint of the present key, then try again.',
    status: 409,
  },
  BACKUP_RUNNING: {
    text: 'Another backup is in progress. Wait until it has finished, or cancel it.',
    status: 409,
  },
  BACKUP_SEVERAL_COMPANIES: {
    text: 'This installation has several companies, and a backup contains all of them. The local administrator makes backups in a terminal: vouch backup FILE',
    status: 403,
  },
  BACKUP_OF_SERVER: {
    text: 'The rows of this installation are in a PostgreSQL database, which Vouch cannot copy. Back up that database with pg_dump or pgBackRest, the folder {{folder}}, which contains the store key, and the place of the photos: that folder, or what --images names.',
    status: 409,
  },
  BACKUP_PLACE_GONE: {
    text: '{{place}} is not available. Connect the drive, or choose another place.',
    status: 409,
  },
  BACKUP_PLACE_UNWRITABLE: {
    text: 'The account that runs Vouch cannot write to {{place}}. Change the permissions, or choose another place.',
    status: 409,
  },
  BACKUP_PLACE_FULL: {
    text: '{{place}} has {{free}} MiB free, and the backup needs about {{needed}} MiB. Free some space, or choose another place.',
    status: 409,
  },
  BACKUP_NOT_VERIFIED: {
    text: 'The written backup could not be read back, so it was removed. Check the drive, then start the backup again.',
  },
  BACKUP_INTERRUPTED: {
    text: 'The service ended during the backup. The unfinished file was removed. Start the backup again.',
  },
  BACKUP_FAILED: { text: 'The backup failed. The log of the service has the details.' },
} as const satisfies Record<string, ErrorEntry>;
