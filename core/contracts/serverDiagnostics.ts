import { attention, failed, good } from './finding.ts';

/** The findings about the server of a PostgreSQL database. */
export const SERVER_DIAGNOSTICS = {
  serverNone: good('The database is a file of this machine.'),
  serverGood: good(
    'PostgreSQL {{version}}. Connections: {{connections}} of {{most}}. Standbys that receive every change: {{standbys}}.',
  ),
  serverUnsafe: failed(
    'PostgreSQL can lose acknowledged records in a power cut. Switched off: {{settings}}.',
    'Set each of them to on in postgresql.conf, then reload the server.',
  ),
  serverCollation: failed(
    'Columns of text do not have the collation C, so lists can have gaps: {{columns}}.',
    'Give each column the collation C again: ALTER TABLE … ALTER COLUMN … TYPE text COLLATE "C".',
  ),
  serverClock: failed(
    'The clocks of this machine and of the PostgreSQL server differ by {{seconds}} seconds.',
    'Synchronise both clocks. Until then, times in lists and in the audit log are wrong.',
  ),
  serverStandbyLost: failed(
    'PostgreSQL waits for a standby ({{names}}), and none is connected. Changes are answered with 503.',
    'Start the standby, or have the server wait for another one: synchronous_standby_names.',
  ),
  serverImages: attention(
    '{{services}} services share the database, but this one keeps new photos in its own data directory. The others answer 503 for them.',
    'Keep photos in a folder that all machines mount, or on S3: docs/guides/operate.md, "Images in a shared folder or on S3".',
  ),
  serverStandbyLags: attention(
    'The standby {{name}} is {{seconds}} seconds behind.',
    'Check the disk and the network of the standby. After a failover, changes could be missing there.',
  ),
  serverConnections: attention(
    'PostgreSQL has {{connections}} of {{most}} connections open.',
    'Raise max_connections, or give each service fewer connections: connections= in the database address.',
  ),
  serverTransaction: attention(
    'A transaction has been open for {{minutes}} minutes. Until it ends, PostgreSQL cannot remove erased rows.',
    'Find it in pg_stat_activity, and end it.',
  ),
  serverNameIndex: attention(
    'The index for searches by name is missing, so such searches read every row.',
    'Run as the owner of the tables: CREATE INDEX trust_validation_name ON trust_validation USING gin (search_trigrams(search_key))',
  ),
  serverChecksums: attention(
    'PostgreSQL does not detect damaged pages, because its data checksums are off.',
    'Stop the server, run pg_checksums --enable, and start it again.',
  ),
  serverRows: failed(
    'Rows that decide about rights or matches were changed, deleted or restored to an earlier state on the database server: {{rows}}. Vouch does not use changed rows.',
    'Find out who can write to the database and change the password of its role. Then restore the database from a backup that is older than the change.',
  ),
  serverOwner: attention(
    'The role {{role}} of the service owns the tables, so an intruder with its password could remove the protection of the audit log.',
    'Give the service a role of its own: docs/guides/cluster.md, "A role for the service".',
  ),
  serverHidden: attention(
    'The role {{role}} cannot see open transactions and standbys, so they were not checked.',
    'Run as an administrator of PostgreSQL: GRANT pg_monitor TO {{role}}',
  ),
};
