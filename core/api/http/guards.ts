import type { FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import type { NetworkListenerServer } from './networkListener.ts';

/** The names under which a browser on this machine reaches the loopback listener. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost'];

/**
 * The request is meant for the listener that it came through (`Host` is exactly its address: a rebound DNS name
 * is not), and no page of another origin sent it.
 * @throws {ApiError} 421, 403
 */
export function guardHostAndOrigin(
  request: FastifyRequest,
  networkListener: NetworkListenerServer | undefined,
): void {
  const { protocol, socket, headers, raw } = request;
  const names = protocol === 'https' ? (networkListener?.names ?? []) : LOOPBACK_NAMES;
  const own = hostsOf(names, socket.localPort, protocol === 'https' ? 443 : 80);
  const named = raw.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length;
  // Of two names Node reads the first, and a proxy before it may have read the other.
  if (named > 1 || !own.includes(headers.host ?? '')) throw new ApiError('MISDIRECTED');
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `${protocol}://${host}`))
    throw new ApiError('UNAUTHORIZED');
}

/**
 * @param port where the request came in; undefined when it came through no port at all (a call inside the process)
 * @param usual the protocol's own port, which every client leaves out of `Host` and `Origin`
 */
function hostsOf(names: readonly string[], port: number | undefined, usual: number): readonly string[] {
  if (port === undefined || port === usual) return names;
  return names.map((name) => `${name}:${port}`);
}
