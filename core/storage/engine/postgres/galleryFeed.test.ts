/** The feed of the galleries: `npm run test:postgres` runs it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import type { GalleryCursor } from '../../../domain/ports/gallery.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { ServerGalleryFeed } from './galleryFeed.ts';
import { openPostgres } from './open.ts';
import { ColumnSeal } from './sealing.ts';

const HOUR = 60 * 60_000;

/** A database with a feed, and two programs that write to it. */
async function open(t: TestContext, kept = HOUR) {
  const address = newAddress();
  const key = randomBytes(32);
  await (await openPostgres(address, key)).destroy();
  const feed = new ServerGalleryFeed(address, new ColumnSeal(key), kept);
  const writers = [new pg.Client(address), new pg.Client(address)] as const;
  for (const writer of writers) await writer.connect();
  t.after(async () => {
    await feed.close();
    for (const writer of writers) await writer.end();
  });
  return { feed, writers };
}

async function change(writer: pg.Client, face: number): Promise<void> {
  await writer.query('insert into gallery_change (company_id, face_id) values (1, $1)', [face]);
}

async function facesSince(feed: ServerGalleryFeed, cursor: GalleryCursor) {
  const changes = await feed.changesSince(cursor);
  assert.ok(changes);
  return { cursor: changes.cursor, faces: changes.faces.map(({ faceId }) => Number(faceId)).toSorted() };
}

test('a change of a slow transaction is reported after later ones', { skip: WITHOUT_SERVER }, async (t) => {
  const { feed, writers } = await open(t);
  const [slow, fast] = writers;
  const { cursor } = await feed.begin();
  await slow.query('begin');
  await change(slow, 1);
  await change(fast, 2);
  const first = await facesSince(feed, cursor);
  assert.deepEqual(first.faces, [2]);
  await slow.query('commit');
  const second = await facesSince(feed, first.cursor);
  assert.deepEqual(second.faces, [1]);
  assert.deepEqual((await facesSince(feed, second.cursor)).faces, []);
});

test('a cursor of an ended session is not taken', { skip: WITHOUT_SERVER }, async (t) => {
  const { feed, writers } = await open(t);
  const { cursor } = await feed.begin();
  await writers[0].query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and pid <> all($1::int[])`,
    [await Promise.all(writers.map(pidOf))],
  );
  const first = await feed.changesSince(cursor).catch((error: unknown) => {
    // The feed noticed the end by this question.
    assert.ok(error instanceof UnavailableError);
  });
  assert.equal(first, undefined);
  assert.equal(await feed.changesSince(cursor), undefined);
  assert.deepEqual((await facesSince(feed, (await feed.begin()).cursor)).faces, []);
});

test('changes are kept as long as cursors are taken', { skip: WITHOUT_SERVER }, async (t) => {
  const { feed, writers } = await open(t, 200);
  const { cursor } = await feed.begin();
  await change(writers[0], 1);
  await feed.prune();
  assert.deepEqual((await facesSince(feed, cursor)).faces, [1]);
  await writers[0].query('select pg_sleep(0.25)');
  await change(writers[0], 2);
  await feed.prune();
  const { rows } = await writers[0].query<{ face_id: string }>('select face_id from gallery_change');
  assert.deepEqual(rows, [{ face_id: '2' }]);
  assert.equal(await feed.changesSince(cursor), undefined, 'too old');
});

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
