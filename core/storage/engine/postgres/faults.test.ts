/** Each error of a server that is stopped, killed, started, demoted or overloaded is "unavailable"; a fault of the program is not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import type { PostgresAddress } from './address.ts';
import { attempt } from './faults.ts';
import { ServerPool } from './pool.ts';

/** An error as the server reports it. */
function reported(code: string | undefined, message = 'of the server'): pg.DatabaseError {
  return Object.assign(new pg.DatabaseError(message, 0, 'error'), { code });
}

/** An error of the system or of Node. */
function withCode(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}

/** SQLSTATE by the event. */
const OF_A_SERVER = {
  connection_exception: '08000',
  connection_does_not_exist: '08003',
  connection_failure: '08006',
  sqlserver_rejected_establishment: '08004',
  protocol_violation: '08P01',
  'a standby: read_only_sql_transaction': '25006',
  idle_in_transaction_session_timeout: '25P03',
  transaction_timeout: '25P04',
  serialization_failure: '40001',
  deadlock_detected: '40P01',
  insufficient_resources: '53000',
  disk_full: '53100',
  out_of_memory: '53200',
  too_many_connections: '53300',
  configuration_limit_exceeded: '53400',
  lock_not_available: '55P03',
  operator_intervention: '57000',
  query_canceled: '57014',
  'a fast shutdown: admin_shutdown': '57P01',
  'a killed process: crash_shutdown': '57P02',
  'a start or a recovery: cannot_connect_now': '57P03',
  database_dropped: '57P04',
  idle_session_timeout: '57P05',
  system_error: '58000',
  io_error: '58030',
  undefined_file: '58P01',
};

const OF_A_CONNECTION = [
  ...[
    'ECONNREFUSED',
    'ECONNRESET',
    'ECONNABORTED',
    'EPIPE',
    'ETIMEDOUT',
    'EHOSTUNREACH',
    'EHOSTDOWN',
    'ENETUNREACH',
    'ENETDOWN',
    'EADDRNOTAVAIL',
    'ENOTFOUND',
    'EAI_AGAIN',
    'ENOENT',
    'EMFILE',
    'EPROTO',
    'ERR_STREAM_DESTROYED',
    'ERR_STREAM_WRITE_AFTER_END',
    'ERR_STREAM_PREMATURE_CLOSE',
    'ERR_SOCKET_CLOSED',
    'ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC',
  ].map((code) => withCode(code)),
  new AggregateError([withCode('ECONNREFUSED')]),
  ...[
    'Connection terminated',
    'Connection terminated unexpectedly',
    'Connection terminated due to connection timeout',
    'timeout exceeded when trying to connect',
    'timeout expired',
    'Client has encountered a connection error and is not queryable',
    'Client was closed and is not queryable',
    'Query read timeout',
    'Received unexpected commandComplete message from backend.',
  ].map((message) => new Error(message)),
  reported(undefined, 'received invalid response: 48'),
  reported('0A000', 'cached plan must not change result type'),
];

test('each fault of a server or of its connection is "unavailable" and named', async () => {
  const faults = [...Object.values(OF_A_SERVER).map((code) => reported(code)), ...OF_A_CONNECTION];
  for (const fault of faults)
    await assert.rejects(
      attempt('the database', () => Promise.reject(fault)),
      (error) => error instanceof UnavailableError && error.cause === fault && error.message.includes('('),
      `${'code' in fault ? String(fault.code) : ''} ${fault.message}`,
    );
});

test('a fault of the program is reported as it is', async () => {
  const faults = [
    ...['22001', '23505', '42601', '42P01', '0A000', 'XX001'].map((code) => reported(code)),
    withCode('ERR_INVALID_ARG_TYPE'),
    new TypeError('A result is read at once.'),
  ];
  for (const fault of faults)
    await assert.rejects(
      attempt('the database', () => Promise.reject(fault)),
      (error) => error === fault,
    );
});

/** A server that does one thing with each connection. */
async function serverThat(
  t: TestContext,
  accepts: (socket: Socket) => void,
  tls: PostgresAddress['tls'] = false,
): Promise<ServerPool> {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    accepts(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const pool = new ServerPool({
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    database: 'vouch',
    user: 'vouch',
    password: 'secret',
    tls,
    connections: 2,
    label: 'the database',
  });
  t.after(async () => {
    await pool.end();
    server.close();
  });
  return pool;
}

/** The message of an error before a session begins. */
function refusal(code: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${code}\0Mrefused\0\0`);
  const head = Buffer.from('E\0\0\0\0');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

test('a connection that is not got is "unavailable", whatever the server does', async (t) => {
  const answer = (bytes: string | Buffer) => (socket: Socket) =>
    void socket.once('data', () => socket.end(bytes));
  const secured = { rejectUnauthorized: true };
  const pools = {
    'ends at once': await serverThat(t, (socket) => socket.destroy()),
    'ends before the first answer': await serverThat(t, answer('')),
    'speaks HTTP': await serverThat(t, answer('HTTP/1.1 503 Service Unavailable\r\n\r\n')),
    starts: await serverThat(t, answer(refusal('57P03'))),
    'has no connection left': await serverThat(t, answer(refusal('53300'))),
    'takes another password': await serverThat(t, answer(refusal('28P01'))),
    'has dropped the database': await serverThat(t, answer(refusal('3D000'))),
    'takes no connections to the database': await serverThat(t, answer(refusal('55000'))),
    'ends before TLS begins': await serverThat(t, answer('S'), secured),
    'has no TLS': await serverThat(t, answer('N'), secured),
    'has no process left for TLS': await serverThat(t, answer('E'), secured),
    'speaks no TLS': await serverThat(t, answer('S no TLS'), secured),
  };
  for (const [name, pool] of Object.entries(pools))
    await assert.rejects(pool.connect(), UnavailableError, name);
});
