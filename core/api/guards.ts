import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

/** The names under which a browser on this machine reaches the loopback door. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost'];

/**
 * Contract §9: the request is meant for this door (`Host` is exactly its address: a rebound DNS name is not), and no
 * page of another origin sent it.
 * @throws {ApiError} 421, 403
 */
export function guardDoor(request: FastifyRequest): void {
  const own = ownHosts(request.socket.localPort);
  if (!own.includes(request.headers.host ?? '')) throw new ApiError('MISDIRECTED');
  const { origin } = request.headers;
  if (origin !== undefined && !own.some((host) => origin === `http://${host}`))
    throw new ApiError('UNAUTHORIZED');
}

/**
 * @param port where the request came in; undefined when it came through no port at all (a call inside the process).
 * Port 80 is left out of `Host` and `Origin` by every client.
 */
function ownHosts(port: number | undefined): string[] {
  if (port === undefined || port === 80) return LOOPBACK_NAMES;
  return LOOPBACK_NAMES.map((name) => `${name}:${port}`);
}
