/** A network that no longer carries the bytes of the connections, and does not end them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { sql } from 'kysely';
import { relayTo } from '../../../../test/support/relay.ts';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { openPostgres } from './open.ts';

test(
  'a statement ends when the network is silent, and names the database',
  { skip: WITHOUT_SERVER },
  async (t) => {
    const relay = await relayTo(t, newAddress());
    const db = await openPostgres(relay.address, randomBytes(32));
    await sql`select 1`.execute(db);
    relay.cut('both');
    // The server is asked every five seconds, and has ten to answer.
    await assert.rejects(sql`select 1`.execute(db), UnavailableError);
    await db.destroy();
  },
);
