/** The findings about the server of a PostgreSQL database. */
export const SERVER_DIAGNOSTICS = {
  serverNone: {
    check: 'server',
    state: 'good',
    finding: 'The database is a file of this machine.',
    whatToDo: '',
  },
  serverGood: {
    check: 'server',
    state: 'good',
    finding:
      'PostgreSQL {{version}}. Connections: {{connections}} of {{most}}. Standbys that receive every change: {{standbys}}.',
    whatToDo: '',
  },
  serverUnsafe: {
    check: 'server',
    state: 'failed',
    finding: 'PostgreSQL can lose acknowledged records in a power cut. Switched off: {{settings}}.',
    whatToDo: 'Set each of them to on in postgresql.conf, then reload the server.',
  },
  serverCollation: {
    check: 'server',
    state: 'failed',
    finding: 'Columns of text do not have the collation C, so lists can have gaps: {{columns}}.',
    whatToDo: 'Give each column the collation C again: ALTER TABLE … ALTER COLUMN … TYPE text COLLATE "C".',
  },
  serverClock: {
    check: 'server',
    state: 'failed',
    finding: 'The clocks of this machine and of the PostgreSQL server differ by {{seconds}} seconds.',
    whatToDo: 'Synchronise both clocks. Until then, times in lists and in the audit log are wrong.',
  },
  serverStandbyLost: {
    check: 'server',
    state: 'failed',
    finding:
      'PostgreSQL waits for a standby ({{names}}), and none is connected. Changes are answered with 503.',
    whatToDo: 'Start the standby, or have the server wait for another one: synchronous_standby_names.',
  },
  serverImages: {
    check: 'server',
    state: 'attention',
    finding:
      '{{services}} services share the database, but this one keeps new photos in its own data directory. The others answer 503 for them.',
    whatToDo:
      'Keep photos in a folder that all machines mount, or on S3: docs/guides/operate.md, "Images in a shared folder or on S3".',
  },
  serverStandbyLags: {
    check: 'server',
    state: 'attention',
    finding: 'The standby {{name}} is {{seconds}} seconds behind.',
    whatToDo:
      'Check the disk and the network of the standby. After a failover, changes could be missing there.',
  },
  serverConnections: {
    check: 'server',
    state: 'attention',
    finding: 'PostgreSQL has {{connections}} of {{most}} connections open.',
    whatToDo:
      'Raise max_connections, or give each service fewer connections: connections= in the database address.',
  },
  serverTransaction: {
    check: 'server',
    state: 'attention',
    finding:
      'A transaction has been open for {{minutes}} minutes. Until it ends, PostgreSQL cannot remove erased rows.',
    whatToDo: 'Find it in pg_stat_activity, and end it.',
  },
  serverNameIndex: {
    check: 'server',
    state: 'attention',
    finding: 'The index for searches by name is missing, so such searches read every row.',
    whatToDo:
      'Run as the owner of the tables: CREATE INDEX trust_validation_name ON trust_validation USING gin (search_trigrams(search_key))',
  },
  serverChecksums: {
    check: 'server',
    state: 'attention',
    finding: 'PostgreSQL does not detect damaged pages, because its data checksums are off.',
    whatToDo: 'Stop the server, run pg_checksums --enable, and start it again.',
  },
  serverRows: {
    check: 'server',
    state: 'failed',
    finding:
      'Rows that decide about rights or matches were changed on the database server. Vouch does not use them: {{rows}}.',
    whatToDo:
      'Find out who can write to the database and change the password of its role. Then restore the database from a backup that is older than the change.',
  },
  serverOwner: {
    check: 'server',
    state: 'attention',
    finding:
      'The role {{role}} of the service owns the tables, so an intruder with its password could remove the protection of the audit log.',
    whatToDo: 'Give the service a role of its own: docs/guides/cluster.md, "A role for the service".',
  },
  serverHidden: {
    check: 'server',
    state: 'attention',
    finding: 'The role {{role}} cannot see open transactions and standbys, so they were not checked.',
    whatToDo: 'Run as an administrator of PostgreSQL: GRANT pg_monitor TO {{role}}',
  },
} as const;
