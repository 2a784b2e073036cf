import type { ErrorEntry } from './entry.ts';

/** Databases and backups that cannot be used. The terminal alone reports them. */
export const STORAGE_ERRORS = {
  DATABASE_NEWER: {
    text: 'The database {{file}} was made by a newer version (it has {{migrations}}). Nothing was changed: install that version or a newer one.',
  },
  DATABASE_NOT_MIGRATED: {
    text: 'The database {{file}} could not be brought to this version; nothing was changed.',
  },
  RESTORE_DISK_FULL: {
    text: 'The disk of {{folder}} is full before the backup is unpacked. Nothing was touched; free some room or use another --home.',
  },
  BACKUP_ENTRY_UNKNOWN: { text: 'The backup holds "{{path}}", which this version does not know.' },
  BACKUP_WITHOUT_KEY: { text: 'The backup has no key. Nothing was touched.' },
  BACKUP_IMAGE_MISSING: { text: 'The backup lacks image {{image}}. Nothing was touched; use another one.' },
  RESTORE_NO_ROOM: {
    text: 'The disk of {{folder}} has {{free}} MB free and the backup needs {{needed}} MB. Nothing was touched; free some room or use another --home.',
  },
  BACKUP_DAMAGED: {
    text: 'The backup is damaged: it is not as it was made (changed, cut off, or not wholly copied). Nothing was touched; copy it again or use another one.',
  },
  BACKUP_INCOMPLETE: { text: 'The backup holds {{images}} of {{expected}} images. Make it again.' },
  BACKUP_KEY_MISSING: {
    text: 'No backup key was given. Type it, or name its file with --backup-key-file. Nothing was touched.',
  },
  BACKUP_KEY_LENGTH: {
    text: 'A backup key is AGE-SECRET-KEY-1 followed by {{expected}} letters and digits; {{given}} were given. Nothing was touched.',
  },
  BACKUP_KEY_MISTYPED: {
    text: 'The backup key was mistyped: its last six characters do not match the others. Nothing was touched.',
  },
  BACKUP_KEY_WRONG: {
    text: 'This is not the backup key of this backup: it needs the one with fingerprint {{wanted}}, and this one has {{given}}. Nothing was touched.',
  },
  BACKUP_NOT_ONE: { text: 'This file is not a backup made by `vouch backup`. Nothing was touched.' },
  BACKUP_FORMAT_NEWER: {
    text: 'This backup has format {{format}}, and this program reads format {{known}}: use a newer version. Nothing was touched.',
  },
  DATABASE_UNREADABLE: {
    text: 'The database {{file}} cannot be read: it is damaged, or the store key is another one. Restore the key file or a backup.',
  },
  DATABASE_READ_ONLY: { text: '{{sentence}}' },
} as const satisfies Record<string, ErrorEntry>;
