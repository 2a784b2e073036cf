/** The terminal alone reports these. */
import { errors } from './entries.ts';

export const TERMINAL_ERRORS = errors({
  // Refusals of the commands of the terminal.
  ERASURE_CODE_WRONG:
    'The code does not belong to the current erasure plan. Review the plan again: vouch erase plan',
  RECEIPT_UNKNOWN: '"{{company}}" has no receipt {{receipt}}, or its erasure has not finished yet.',
  RECEIPT_FOREIGN: 'The receipt was changed, or another installation signed it.',
  COMPANY_ID_UNKNOWN: 'There is no company {{company}}.',
  RETENTION_CODE_WRONG:
    'The code does not belong to a preview of these rules. Preview them: vouch retention preview',
  RETENTION_HELD: 'Nothing was erased. {{reason}}',
  ERASURE_CHOICE_UNKNOWN: '"{{company}}" has none of these: {{ids}}.',
  BLACKLIST_UNKNOWN_IN: 'There is no blacklist {{blacklist}} in "{{company}}".',
  NOT_IN_COMPANY: 'Not found in this company.',
  PIPELINE_NOT_CHANGING: '"{{company}}" is not switching to another pipeline. There is nothing to do.',
  PIPELINE_IN_USE: '"{{company}}" uses the pipeline "{{pipeline}}". Nothing was erased.',
  PIPELINE_WITHOUT_TEMPLATES:
    '"{{company}}" has no templates of "{{pipeline}}". Nothing was erased. It has templates of: {{stored}}.',
  ANCHOR_FILE_NOT_WRITABLE: 'The service cannot write to {{folder}}. {{cause}}',
  OPERATOR_UNKNOWN: 'There is no operator named "{{operator}}" in "{{company}}".',
  USER_ID_TAKEN: 'This user ID is already taken. Choose another one.',
  PACKAGE_GONE: 'This import has expired. Upload the package again.',
  IMPORT_UNKNOWN: 'There is no import {{import}} in "{{company}}".',
  INSTALLATION_UNKNOWN:
    'The company trusts no installation named "{{name}}". Trusted installations: {{known}}.',
  COMPANY_UNKNOWN:
    'There is no company named "{{company}}". Create it with: vouch company create "{{company}}"',
  COMPANY_EXISTS: 'A company named "{{company}}" already exists.',
  COMPANY_FOLDER_UNUSABLE: 'The storage folder "{{folder}}" cannot be used. {{reason}}',
  BACKUP_KEY_EXISTS:
    'A backup key already exists ({{fingerprint}}). --replace creates another key for future backups. Existing backups still need the earlier key.',
  INPUT_INVALID: '{{sentences}}',
  PIPELINE_NOT_CHOSEN: '"{{name}}" cannot be used: {{reason}}',
  COMMAND_LINE_INVALID: '{{sentence}}',
  COMMAND_FAILED: '{{sentence}}',
  IMAGES_FAILED: '{{sentence}}',
  SERVICE_UNREACHABLE: '{{sentence}}',
  HOME_LOCKED: '{{sentence}}',
  AUDIT_ENTRY_MISSING:
    'The audit log has no entry {{sequence}}, although {{file}} has an anchor of it. The log was truncated or rolled back.',
  AUDIT_ENTRY_CHANGED:
    'Entry {{sequence}} of the audit log differs from the anchor in {{file}}. The log was changed or rolled back.',
  COMPANY_NONE: 'There is no company yet. Create one with: vouch company create NAME',
  COMPANY_NOT_NAMED: 'There are several companies. Choose one with --company: {{names}}',
  // Databases and backups that cannot be used. The terminal alone reports them.
  DATABASE_NEWER:
    'A newer version of Vouch created the database {{file}} (it has {{migrations}}). Nothing was changed. Install that version or a newer one.',
  DATABASE_NOT_MIGRATED: 'The database {{file}} could not be migrated to this version. Nothing was changed.',
  DATABASE_ADDRESS:
    'The address of the PostgreSQL database cannot be used: {{why}}. An address reads postgres://USER:PASSWORD@HOST:PORT/NAME?sslmode=verify-full.',
  DATABASE_OTHER:
    'The installation in {{folder}} keeps its rows in {{other}}, not in {{label}}. Nothing was changed. Start it without --database and VOUCH_DATABASE_URL, or choose another --home.',
  DATABASE_SERVER:
    'The database {{label}} is on PostgreSQL {{version}} with the encoding {{encoding}}. Vouch needs PostgreSQL 15 or newer and a database with the encoding UTF8.',
  DATABASE_NOT_PREPARED:
    'The tables of the database {{label}} are not those of this version, and the role of the service may not change them. Nothing was changed. Run as their owner: vouch database prepare',
  DATABASE_ROLE: 'The role {{role}} cannot be the role of the service: {{why}}. Nothing was changed.',
  DATABASE_NO_SERVER:
    'The installation in {{folder}} keeps its rows in a file, which needs no role. Nothing was changed.',
  AUDIT_WENT_BACK:
    'The database was put back to an earlier state while the service ran, or its audit log was changed. The service ended. Find out why: vouch audit verify. To continue with this database: vouch audit accept',
  AUDIT_START_REFUSED:
    'The audit log contradicts its anchors: {{cause}} The database was probably put back to an earlier state, in which withdrawn credentials are valid again. The service did not start. Find out why: vouch audit verify. To continue with this database: vouch audit accept',
  ROWS_WENT_BACK:
    'Rows on the database server were put back to an earlier state while the service ran: {{rows}}. The service ended. Find out who put them back, and why. To continue with the rows that are there: vouch audit accept-rows',
  ROWS_START_REFUSED:
    'Rows on the database server were put back to an earlier state: {{rows}}. Faces or lists can be missing, and withdrawn credentials valid again. The service did not start. Find out who put them back, and why. To continue with the rows that are there: vouch audit accept-rows',
  ROWS_NOT_CHANGED: 'The rows that are counted are those that Vouch wrote. Nothing was changed.',
  AUDIT_NOT_CONTRADICTED: 'The audit log agrees with the anchors of its data directory. Nothing was changed.',
  ERASURES_UNDONE:
    'The database contains the records of {{erasures}} erasures that were finished, so it was restored from an older backup. The service did not start. Repeat the erasures: vouch erase replay. Then start the service.',
  MIGRATION_NOTHING:
    'There is no database in {{folder}} that could be migrated. Check --home and VOUCH_HOME.',
  MIGRATION_SAME_KIND:
    'The installation already uses {{kind}}. Nothing was changed. To move a PostgreSQL database to another server, use pg_dump or pgBackRest.',
  MIGRATION_TARGET_USED:
    'The database {{label}} contains the data of another installation, or of this one at an earlier time. Nothing was changed. Name an empty database, or drop this one and run the command again.',
  MIGRATION_DIFFERS:
    'The copy of the table {{table}} has {{copied}} rows, the original {{rows}}, or their contents differ. The copy was discarded and the installation is unchanged. Run vouch doctor.',
  MIGRATION_LOG_DAMAGED:
    'The audit log is damaged at entry {{sequence}}: {{why}} The copy was discarded and the installation is unchanged. Run vouch audit verify.',
  MIGRATION_SEARCHES_DIFFER:
    'A search in company {{company}} gave other answers on the copy. The installation is unchanged. Run vouch doctor.',
  IMAGES_ADDRESS:
    'The place of the images cannot be used: {{why}}. Give the whole path of a folder, or s3://BUCKET/PREFIX?endpoint=https://HOST&region=REGION&credentials=FILE.',
  RESTORE_DISK_FULL:
    'The disk of {{folder}} became full while the backup was unpacked. Nothing was changed. Free some space, or use another --home.',
  BACKUP_ENTRY_UNKNOWN: 'The backup contains "{{path}}", which this version does not know.',
  BACKUP_WITHOUT_KEY: 'The backup contains no store key. Nothing was changed.',
  BACKUP_IMAGE_MISSING: 'Image {{image}} is missing in the backup. Nothing was changed. Use another backup.',
  RESTORE_NO_ROOM:
    'The disk of {{folder}} has {{free}} MB free. The backup needs {{needed}} MB. Nothing was changed. Free some space, or use another --home.',
  BACKUP_DAMAGED:
    'The backup is damaged: it was changed, truncated or not copied completely. Nothing was changed here. Copy it again, or use another backup.',
  BACKUP_INCOMPLETE: 'The backup contains {{images}} of {{expected}} images. Create it again.',
  BACKUP_KEY_MISSING:
    'No backup key was entered. Type it, or name its file with --backup-key-file. Nothing was changed.',
  BACKUP_KEY_LENGTH:
    'A backup key is AGE-SECRET-KEY-1 followed by {{expected}} letters and digits; {{given}} were entered. Nothing was changed.',
  BACKUP_KEY_MISTYPED:
    'The backup key was mistyped: its last six characters do not match the others. Nothing was changed.',
  BACKUP_KEY_WRONG:
    'Wrong backup key. This backup needs the key with fingerprint {{wanted}}; the key you entered has {{given}}. Nothing was changed.',
  BACKUP_NOT_ONE: 'This file is not a backup made by `vouch backup`. Nothing was changed.',
  BACKUP_FORMAT_NEWER:
    'This backup has format {{format}}. This version of Vouch reads format {{known}}. Nothing was changed. Use a newer version.',
  DATABASE_UNREADABLE:
    'The database {{file}} is not readable: it is damaged, or the store key is a different one. Restore the key file or a backup.',
  KEYS_MISSING:
    'The file {{location}} is missing. It holds the keys of all faces and photos of the database. Connect the disk or the store of the photos, or name the place that the other services of this database use. If the photos were moved, move the file too. If it is lost, put it back from the newest backup of the photos.',
  KEYS_NOT_MADE:
    'No service has used this database yet, so it has no keys for faces and photos. Start the service with the place of the photos, then repeat the command.',
  KEYS_FULL:
    'The file {{location}} has no room for more erasures. Nothing was lost, and the last erasure is not finished. Migrate the store to SQLite and back: the new database begins a new file.',
  KEYS_DAMAGED:
    'The file {{location}} is damaged, or belongs to another store key. It holds the keys of all faces and photos of the database. Put it back from the newest backup of the photos, or restore the key file.',
  DATABASE_UNWRITABLE: '{{sentence}}',
});
