/** The connection of a company to MOSIP: queues of a broker, and the addresses from which biometrics are fetched. */
import { z } from 'zod';
import { get, put, remove } from './dashboard/operation.ts';

const name = z.string().min(1).max(200);
const secret = z.string().min(1).max(4_000);
const pem = z.string().startsWith('-----BEGIN ').max(32_768);
/** Scheme, host and port alone. */
const ORIGIN = { error: 'must be an origin such as https://host:8443.' };
const origin = z.url(ORIGIN).regex(/^https?:\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(:\d{1,5})?$/, ORIGIN);
/** An address is shown and logged. */
const address = (protocol: RegExp) =>
  z.url({ protocol }).regex(/^[^@]*$/, {
    error: 'must not have a user name or a password: each has its own field.',
  });

export const mosipConnection = z.strictObject({
  /** `stomp://host:port`, or `stomp+ssl://host:port` over TLS. */
  broker: address(/^stomp(\+ssl)?$/),
  user: name.nullable().default(null),
  password: secret.nullable().default(null),
  /** Names of the queues from which requests are taken, and to which answers are sent. */
  requests: name,
  answers: name,
  /** The origins from which biometrics may be fetched; the service connects to no other. */
  shares: z.array(origin).min(1).max(20),
  /** The account by which the service gets a token for the data share; null: it needs none. */
  account: z
    .strictObject({ url: address(/^https?$/), appId: name, clientId: name, secretKey: secret })
    .nullable()
    .default(null),
  /** PEM of the private RSA key to which MOSIP encrypts the biometrics; null: they are not encrypted. */
  privateKey: pem.nullable().default(null),
});
export type MosipConnection = z.infer<typeof mosipConnection>;

/** A connection without its secrets, and how it is. */
export const mosipState = z.object({
  connection: mosipConnection
    .omit({ password: true, account: true, privateKey: true })
    .extend({ account: z.string().nullable(), encrypted: z.boolean() })
    .nullable(),
  /** Of the answering service; it connects within seconds. */
  connected: z.boolean(),
});
export type MosipState = z.infer<typeof mosipState>;

/** Routes of the local administrator alone: a connection leaves the machine. */
export const mosipApi = {
  state: get('/local/mosip', 'session', { answer: mosipState }),
  connect: put('/local/mosip', 'session', { body: mosipConnection, answer: mosipState }),
  disconnect: remove('/local/mosip', 'session', { answer: mosipState }),
};

/** The failure reasons of MOSIP's ABIS interface that the service gives. */
export const MOSIP_FAILURES = {
  internal: '1',
  aborted: '2',
  structure: '4',
  noReferenceId: '5',
  noRequestId: '6',
  notFetched: '7',
  noReferenceUrl: '8',
  noRequestTime: '9',
  exists: '10',
  noBiometrics: '11',
  unknownReference: '12',
  version: '13',
  id: '14',
  requestTime: '15',
  format: '16',
  expired: '17',
  quality: '18',
} as const;
export type MosipFailure = keyof typeof MOSIP_FAILURES;
