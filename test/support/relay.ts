/** A network between a service and its database server that can stop carrying bytes without ending a connection. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import type { TestContext } from 'node:test';

/** Which bytes are lost: those of both sides, those to the server, or those of the server. */
export type Cut = 'both' | 'toServer' | 'fromServer';

export interface Relay {
  /** The address of the database through this network. */
  address: string;
  /** Loses bytes from now on, also those of new connections. */
  cut(what: Cut): void;
  /** Carries bytes again. The connections of before are ended: what they lost is lost. */
  heal(): void;
}

/** @param address `postgres://user@host:port/name` */
export async function relayTo(t: TestContext, address: string): Promise<Relay> {
  const target = new URL(address);
  const { port, hostname } = target;
  const pairs = new Set<readonly [caller: Socket, server: Socket]>();
  let lost: Cut | undefined;
  const carry = ([caller, server]: readonly [Socket, Socket]) => {
    for (const socket of [caller, server]) socket.unpipe().pause();
    if (lost !== 'both' && lost !== 'toServer') caller.pipe(server);
    if (lost !== 'both' && lost !== 'fromServer') server.pipe(caller);
  };
  const endAll = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy();
  };
  const relay = createServer((caller) => {
    const pair = [caller, connect(Number(port), hostname)] as const;
    pairs.add(pair);
    for (const socket of pair)
      socket
        .on('error', () => undefined)
        .on('close', () => {
          // The end of a side does not reach the other one either.
          if (lost !== undefined) return;
          pairs.delete(pair);
          for (const other of pair) other.destroy();
        });
    carry(pair);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    relay.close();
    endAll();
  });
  target.port = String((relay.address() as AddressInfo).port);
  return {
    address: target.href,
    cut(what) {
      lost = what;
      for (const pair of pairs) carry(pair);
    },
    heal() {
      lost = undefined;
      endAll();
      pairs.clear();
    },
  };
}
