/** Statements that a transaction sends without waiting for the answers before them. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect, createServer, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import type { Kysely } from 'kysely';
import {
  acceptUpload,
  faceAlong,
  newCompany,
  temporaryFolder,
  TestClock,
} from '../../../../test/support/site.ts';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import type { CompanyId } from '../../../contracts/ids.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { SIDE } from '../../../domain/ports/persons.ts';
import { TEST_ACT } from '../../../../test/support/act.ts';
import { openHome, openStorage } from '../../index.ts';
import { AuditLog } from '../../audit/auditLog.ts';
import { ApiTokens } from '../../credentials/credentialRows.ts';
import { send, sendAll, sharedStateOf, writing, type Transaction } from '../database.ts';
import type { Schema } from '../schema.ts';
import { openPostgres } from './open.ts';
import { GatheringSocket } from './pool.ts';

const KEY = randomBytes(32);
const OPTIONS = { skip: WITHOUT_SERVER };
const IMAGE = { width: 250, height: 250, format: 'jpeg' } as const;

async function open(t: TestContext, address = newAddress()): Promise<Kysely<Schema>> {
  const db = await openPostgres(address, KEY);
  t.after(() => db.destroy());
  return db;
}

function insertion(trx: Transaction, id: number, name = `Company ${id}`) {
  return trx.insertInto('company').values({ id: id as CompanyId, name, settings: '{}', created_at: 0 });
}

async function namesIn(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db.selectFrom('company').select('name').orderBy('id').execute();
  return rows.map(({ name }) => name);
}

/** A server between that counts how often a client sent something after the server had answered. */
async function countedWaits(t: TestContext, address: string) {
  const target = new URL(address);
  const { port, hostname } = target;
  const whenCut: (() => void)[] = [];
  let waits = 0;
  let whenAnswered: () => void = () => undefined;
  const relay = createServer((client) => {
    const server = connect(Number(port), hostname);
    let isAnswered = true;
    client.on('data', (bytes) => {
      if (isAnswered) waits += 1;
      isAnswered = false;
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      isAnswered = true;
      client.write(bytes);
      whenAnswered();
    });
    client.on('error', () => server.destroy()).on('close', () => server.destroy());
    // The last words of the server are still sent.
    server.on('error', () => client.destroy()).on('close', () => client.end());
    whenCut.push(() => {
      client.destroy();
      server.destroy();
    });
  }).listen(0, '127.0.0.1');
  await once(relay, 'listening');
  t.after(() => relay.close());
  target.port = String((relay.address() as AddressInfo).port);
  return {
    address: target.href,
    waits: () => waits,
    /** Breaks all connections with the next answer of the server. */
    breakAtAnswer() {
      whenAnswered = () => {
        whenAnswered = () => undefined;
        for (const cut of whenCut.splice(0)) cut();
      };
    },
  };
}

test(
  'a statement that fails after it was sent ends the transaction with its own error',
  OPTIONS,
  async (t) => {
    const db = await open(t);
    await writing(db, 'installation', (trx) => send(trx, insertion(trx, 1)));
    const isTaken = { code: '23505' };
    // The next statement tells it.
    await assert.rejects(
      writing(db, 'installation', async (trx) => {
        await send(trx, insertion(trx, 2));
        await send(trx, insertion(trx, 1));
        await send(trx, insertion(trx, 3));
        await namesIn(db);
        await trx.selectFrom('company').select('id').execute();
      }),
      isTaken,
    );
    // Where none follows, COMMIT does.
    await assert.rejects(
      writing(db, 'installation', async (trx) => {
        await send(trx, insertion(trx, 2));
        await send(trx, insertion(trx, 1));
      }),
      isTaken,
    );
    assert.deepEqual(await namesIn(db), ['Company 1']);
    await writing(db, 'installation', (trx) => send(trx, insertion(trx, 2)));
    assert.deepEqual(await namesIn(db), ['Company 1', 'Company 2']);
  },
);

test('statements that are sent at once answer in their order', OPTIONS, async (t) => {
  const db = await open(t);
  const answers = await writing(db, 'installation', async (trx) => {
    const ids = Array.from({ length: 20 }, (_, index) => 100 - index);
    const inserted = await sendAll(
      trx,
      ids.map((id) => insertion(trx, id).returning('id')),
    );
    const renamed = await sendAll(
      trx,
      [100, 7].map((id) =>
        trx
          .updateTable('company')
          .set({ name: 'Renamed' })
          .where('id', '=', id as CompanyId),
      ),
    );
    return [inserted.map(({ rows }) => rows[0]?.id), renamed.map(({ changed }) => changed)];
  });
  assert.deepEqual(answers, [Array.from({ length: 20 }, (_, index) => 100 - index), [1, 0]]);
});

test('what a lost connection leaves of sent statements is what the caller is told', OPTIONS, async (t) => {
  const address = newAddress();
  const direct = await open(t, address);
  const relay = await countedWaits(t, address);
  const db = await open(t, relay.address);
  const kept: string[] = [];
  for (let id = 1; id <= 8; id += 1) {
    const written = writing(db, 'installation', async (trx) => {
      relay.breakAtAnswer();
      for (const part of [1, 2, 3]) await send(trx, insertion(trx, 10 * id + part));
    });
    const failure = await written.then(
      () => undefined,
      (cause: unknown) => cause,
    );
    assert.ok(failure === undefined || failure instanceof UnavailableError, String(failure));
    if (failure === undefined) for (const part of [1, 2, 3]) kept.push(`Company ${10 * id + part}`);
  }
  assert.deepEqual(await namesIn(direct), kept);
});

test('settings are compared while the caller of a request is looked up', OPTIONS, async (t) => {
  const db = await open(t);
  const compared = t.mock.method(sharedStateOf(db)!, 'refresh');
  assert.equal(await new ApiTokens(db, new AuditLog(db)).findByHash(randomBytes(32)), undefined);
  assert.equal(compared.mock.callCount(), 1);
});

test('sixteen photos and a decision wait for the server a few times', OPTIONS, async (t) => {
  const relay = await countedWaits(t, newAddress());
  const folder = join(temporaryFolder(t), 'home');
  const storage = await openStorage(openHome(folder), new TestClock(), undefined, {
    database: relay.address,
  });
  t.after(() => storage.close());
  const company = await newCompany(storage, folder);
  const counts: number[] = [];
  const ofDecisions: number[] = [];
  for (let round = 0; round < 2; round += 1) {
    await acceptUpload(
      storage,
      company,
      Array.from({ length: 16 }, (_, photo) => `${round} ${photo}.jpg`),
    );
    const items = await storage.queue.lease(16);
    const answers = items.map((item) => ({ item, enrolled: { image: IMAGE, face: faceAlong(item.id) } }));
    const before = relay.waits();
    const faces = await storage.queue.commit(company.id, answers, new Date());
    counts.push(relay.waits() - before);
    assert.equal(faces.filter((face) => typeof face === 'object').length, 16);
    const two = faces.filter((face) => typeof face === 'object').slice(0, 2);
    const same = two.map(({ faceId }) => ({ face: faceId, side: SIDE.stays }));
    const decided = relay.waits();
    await storage.persons.decide(company.id, { kind: 'same', faces: same, reason: null }, TEST_ACT);
    ofDecisions.push(relay.waits() - decided);
  }
  // The connection by which the service is known asks the server now and then.
  assert.ok(Math.min(...counts) <= 10, `waited ${counts.join(' and ')} times`);
  assert.ok(Math.min(...ofDecisions) <= 4, `waited ${ofDecisions.join(' and ')} times`);
});

/** Notes how many parts each call of the system sends. */
class WatchedSocket extends GatheringSocket {
  readonly parts: number[] = [];

  override _writev(...[chunks, done]: Parameters<NonNullable<GatheringSocket['_writev']>>): void {
    this.parts.push(chunks.length);
    super._writev?.(chunks, done);
  }
}

test('statements that are written before the process waits leave in one piece', async (t) => {
  const server = createServer((socket) => socket.resume()).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const socket = new WatchedSocket();
  t.after(() => socket.destroy());
  socket.connect((server.address() as AddressInfo).port, '127.0.0.1');
  await once(socket, 'connect');
  // As the driver writes each statement: in several parts, corked by itself.
  for (const statement of ['first', 'second']) {
    socket.cork();
    socket.write(`bind ${statement}`);
    socket.write(`execute ${statement}`);
    socket.uncork();
  }
  await new Promise(setImmediate);
  assert.deepEqual(socket.parts, [4]);
});
