import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Server, type Socket, isIPv6 } from 'node:net';
import type { Bounds } from './bounds.ts';

/** Groups of an IPv6 address that name its network: the rest of them is the host's own choice. */
const NETWORK_GROUPS = 4;

/**
 * The part of an address that one caller cannot change at will: an IPv4 address, or the first 64 bits of an IPv6 address.
 * @param address as the socket has it; undefined when it is closed already
 */
export function networkOf(address: string | undefined): string {
  const plain = (address ?? '').replace(/^::ffff:(?=\d+\.)/i, '').replace(/%.*$/, '');
  if (!isIPv6(plain)) return plain;
  const [front = '', back = ''] = plain.split('::');
  const groups = (text: string) => text.split(':').filter(Boolean);
  const missing = 8 - groups(front).length - groups(back).length;
  const all = plain.includes('::')
    ? [...groups(front), ...Array.from({ length: missing }, () => '0'), ...groups(back)]
    : groups(plain);
  return all
    .slice(0, NETWORK_GROUPS)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}

/** How long a proven caller may still send its request when the service stops, milliseconds. */
const LAST_REQUESTS = 2_000;

/** A connection on which nothing came yet is younger than this: its request may be on the way, milliseconds. */
const FRESH = 1_000;

interface Connection {
  key: string;
  /** The socket under TLS, where there is TLS. */
  socket: Socket;
  network: string;
  /** A right credential came over it. */
  proven: boolean;
  /** The request that is received or answered on it. */
  request: IncomingMessage | undefined;
  /** When it was opened or became idle, milliseconds of the process's clock. */
  since: number;
}

/**
 * The connections of one listener. Unproven ones are bounded as a class and, where addresses distinguish callers, per
 * address; proven ones have the rest for themselves. At a bound, the connection that has been idle longest is closed, else
 * the oldest one whose request is still arriving, else the oldest one that was opened just now. A connection whose request
 * is complete is never closed for another.
 */
class Listener {
  readonly #bounds: Bounds;
  readonly #perAddress: number;
  readonly #open = new Map<string, Connection>();

  constructor(bounds: Bounds, perAddress: number) {
    this.#bounds = bounds;
    this.#perAddress = perAddress;
  }

  opened(socket: Socket): void {
    const key = keyOf(socket);
    const network = networkOf(socket.remoteAddress);
    const since = performance.now();
    const connection: Connection = { key, socket, network, proven: false, request: undefined, since };
    this.#open.set(key, connection);
    socket.once('close', () => {
      if (this.#open.get(key) === connection) this.#open.delete(key);
    });
    this.#makeRoom(connection);
  }

  received(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.#open.get(keyOf(request.socket));
    if (connection === undefined) return;
    connection.request = request;
    response.once('close', () => {
      if (connection.request !== request) return;
      connection.request = undefined;
      connection.since = performance.now();
    });
  }

  /** @returns false: the connection belongs to another listener */
  prove(socket: Socket, proven: boolean): boolean {
    const connection = this.#open.get(keyOf(socket));
    if (connection === undefined) return false;
    connection.proven = proven;
    return true;
  }

  /** Closes connections whose request has not arrived: those of unproven callers, or of all. */
  endReceiving(of: 'unproven' | 'all'): void {
    for (const { socket, proven, request } of this.#open.values())
      if (request?.complete !== true && (of === 'all' || !proven)) socket.destroy();
  }

  /** One pass over all connections and no copy of them: a flood opens thousands each second. */
  #makeRoom(opened: Connection): void {
    let unproven = 0;
    let neighbours = 0;
    for (const { proven, network } of this.#open.values()) {
      if (proven) continue;
      unproven += 1;
      if (network === opened.network) neighbours += 1;
    }
    if (neighbours > this.#perAddress)
      this.#closeOne(opened, ({ proven, network }) => !proven && network === opened.network);
    else if (unproven > this.#bounds.unprovenConnections) this.#closeOne(opened, ({ proven }) => !proven);
    else if (this.#open.size > this.#bounds.connections) this.#closeOne(opened, () => true);
  }

  #closeOne(opened: Connection, isCandidate: (connection: Connection) => boolean): void {
    const fresh = performance.now() - FRESH;
    let victim = opened;
    let least = rankOf(opened, fresh);
    for (const connection of this.#open.values()) {
      if (!isCandidate(connection)) continue;
      const rank = rankOf(connection, fresh);
      if (rank > least || (rank === least && connection.since >= victim.since)) continue;
      victim = connection;
      least = rank;
    }
    this.#open.delete(victim.key);
    victim.socket.destroy();
  }
}

/** The order in which connections are closed for another, lowest first. */
function rankOf({ proven, request, since }: Connection, fresh: number): number {
  if (!proven && request === undefined && since < fresh) return 0;
  if (!proven && request?.complete === false) return 1;
  return request?.complete === true ? 3 : 2;
}

/** The connections of all listeners. */
export class Connections {
  readonly #bounds: Bounds;
  readonly #listeners: Listener[] = [];

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  /**
   * Bounds the connections of a server from now on.
   * @param server of HTTP or HTTPS
   * @param telling whether addresses distinguish its callers; on the loopback address all programs have the same one
   */
  bound(server: Server, telling: boolean): void {
    const listener = new Listener(this.#bounds, telling ? this.#bounds.unprovenPerAddress : Infinity);
    this.#listeners.push(listener);
    server.on('connection', (socket: Socket) => {
      listener.opened(socket);
    });
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      listener.received(request, response);
      closeWith(request.socket, response);
    });
    server.once('close', () => {
      this.#listeners.splice(this.#listeners.indexOf(listener), 1);
    });
    // The operating system's own bound, for connections that come faster than others are closed.
    server.maxConnections = 2 * this.#bounds.connections;
  }

  /** The service stops: slow callers must not keep it from stopping. Proven callers have a moment for their requests. */
  endReceiving(): void {
    for (const listener of this.#listeners) listener.endReceiving('unproven');
    setTimeout(() => {
      for (const listener of this.#listeners) listener.endReceiving('all');
    }, LAST_REQUESTS).unref();
  }

  /** Notes whether the last credential on the connection was right. */
  prove(socket: Socket, proven: boolean): void {
    this.#listeners.some((listener) => listener.prove(socket, proven));
  }
}

/**
 * Closes a response that waits behind another one on the same connection together with that connection: Node closes only
 * the response whose turn it is.
 */
function closeWith(socket: Socket, response: ServerResponse): void {
  if (response.socket !== null) return;
  const close = () => {
    if (response.socket === null) response.destroy().emit('close');
  };
  socket.setMaxListeners(0).once('close', close);
  response.once('close', () => socket.off('close', close));
}

/** Whether the answer was sent or its connection was closed. */
export const isClosed = (response: ServerResponse): boolean => response.closed || response.destroyed;

/** Calls back when the answer was sent or its connection was closed, which may have been before this call. */
export function onceClosed(response: ServerResponse, then: () => void): void {
  if (isClosed(response)) then();
  else response.once('close', then);
}

/** The same for a TLS socket and the socket under it; no two open connections of a listener share it. */
function keyOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress ?? ''} ${remotePort ?? ''}`;
}
