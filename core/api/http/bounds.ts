/** All bounds on callers, proven or not; the reasons are in ADR 0027. */
import { LONGEST_REQUEST } from '../../contracts/limits/limits.ts';

const MIB = 1024 * 1024;

export interface Bounds {
  /** A connection on which no byte moves is closed after this long, milliseconds. */
  idle: number;
  /** The head of a request must arrive within this time, milliseconds. */
  head: number;
  /** A whole request must arrive within this time, milliseconds. */
  request: number;
  /** A TLS handshake must end within this time, milliseconds. */
  handshake: number;
  /** Connections of one listener at once. */
  connections: number;
  /** Those of them that are unproven; the difference is the reserve of proven callers. */
  unprovenConnections: number;
  /** Unproven connections of one network address at the listener for other machines. */
  unprovenPerAddress: number;
  /** Refused credentials after which a connection is closed: a client with a right one never comes near. */
  refusalsPerConnection: number;
  /** A body may be slower than `bodyRate` for this long, milliseconds. */
  bodyGrace: number;
  /** Bytes per second that a body must bring afterwards, on average. */
  bodyRate: number;
  /** Time for a body that needs no credential, or that is only received because its refusal was sent, milliseconds. */
  openBody: number;
  /** Bytes of a body of a route that needs no credential. */
  openBodyBytes: number;
  /** Bodies of one address at once whose signature can be checked only at their end. */
  unprovenBodies: number;
  /** Bytes of such bodies on disk, of all connections together. */
  unprovenDisk: number;
  /** Bytes of such bodies in memory, of all connections together. */
  unprovenMemory: number;
  /** A refusal after such a body is sent at a multiple of this many milliseconds after the body's end. */
  refusalGrid: number;
  /** Requests of one operator or credential that are not answered yet, event streams included. */
  requestsPerCaller: number;
  /** The same of all operators and credentials of one company. */
  requestsPerCompany: number;
  /** Event streams of one operator. */
  eventStreams: number;
  /** Bytes of bodies of proven callers in memory, of all connections together. */
  bodyMemory: number;
}

export const BOUNDS: Bounds = {
  idle: 60_000,
  head: 20_000,
  request: 1000 * LONGEST_REQUEST,
  handshake: 10_000,
  connections: 1024,
  unprovenConnections: 768,
  unprovenPerAddress: 32,
  refusalsPerConnection: 20,
  bodyGrace: 10_000,
  bodyRate: 1024,
  openBody: 15_000,
  openBodyBytes: 16 * 1024,
  unprovenBodies: 64,
  unprovenDisk: 256 * MIB,
  unprovenMemory: 64 * MIB,
  refusalGrid: 100,
  requestsPerCaller: 256,
  requestsPerCompany: 512,
  eventStreams: 16,
  bodyMemory: 512 * MIB,
};
