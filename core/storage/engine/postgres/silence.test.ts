/** A network that no longer carries the bytes of the connections, and does not end them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { once } from 'node:events';
import { test, type TestContext } from 'node:test';
import { sql } from 'kysely';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { openPostgres } from './open.ts';

/** A relay to the server of an address. @returns its address, and the switch that stops all bytes */
async function relayTo(t: TestContext, address: string): Promise<{ address: string; stopBytes: () => void }> {
  const target = new URL(address);
  const { port, hostname } = target;
  const sockets = new Set<Socket>();
  let isSilent = false;
  const relay = createServer((caller) => {
    const server = connect(Number(port), hostname);
    for (const socket of [caller, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    if (isSilent) return;
    caller.pipe(server).pipe(caller);
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    relay.close();
  });
  target.port = String((relay.address() as AddressInfo).port);
  return {
    address: target.href,
    stopBytes() {
      isSilent = true;
      for (const socket of sockets) socket.unpipe().pause();
    },
  };
}

test(
  'a statement ends when the network is silent, and names the database',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const relay = await relayTo(t, newAddress());
    const db = await openPostgres(relay.address, randomBytes(32));
    await sql`select 1`.execute(db);
    relay.stopBytes();
    // The server is asked every five seconds, and has ten to answer.
    await assert.rejects(sql`select 1`.execute(db), UnavailableError);
    await db.destroy();
  },
);
