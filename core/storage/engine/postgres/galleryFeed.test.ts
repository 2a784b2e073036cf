/** The feed of the galleries: `npm run test:postgres` runs it. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test, type TestContext } from 'node:test';
import pg from 'pg';
import { trusted, type PipelineId } from '../../../contracts/ids.ts';
import { newAddress, WITHOUT_SERVER } from '../../../../test/support/testServer.ts';
import type { GalleryCursor } from '../../../domain/ports/gallery.ts';
import { UnavailableError } from '../../../domain/ports/machine.ts';
import { ServerGalleryFeed } from './galleryFeed.ts';
import { openPostgres } from './open.ts';
import { Cells } from '../cells.ts';
import type { CodedRow } from '../cellTables.ts';
import { ErasableKeys } from '../erasableKeys.ts';

const HOUR = 60 * 60_000;

const COMPANY = trusted.company(1);

/** A database with a feed, and two programs that write to it. */
async function open(t: TestContext, kept = HOUR) {
  const address = newAddress();
  const key = randomBytes(32);
  await (await openPostgres(address, key)).destroy();
  const cells = new Cells(key);
  cells.useErasable(ErasableKeys.fresh());
  const feed = new ServerGalleryFeed(address, cells, kept);
  const writers = [new pg.Client(address), new pg.Client(address)] as const;
  for (const writer of writers) await writer.connect();
  t.after(async () => {
    await feed.close();
    for (const writer of writers) await writer.end();
  });
  return { feed, writers, cells };
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

test('changes are deleted although the connection broke in between', { skip: WITHOUT_SERVER }, async (t) => {
  const { feed, writers } = await open(t, 200);
  await change(writers[0], 1);
  await feed.prune();
  await writers[0].query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
     where datname = current_database() and pid <> all($1::int[])`,
    [await Promise.all(writers.map(pidOf))],
  );
  await writers[0].query('select pg_sleep(0.25)');
  await feed.prune().catch((error: unknown) => {
    // The feed noticed the end by this call.
    assert.ok(error instanceof UnavailableError);
    return feed.prune();
  });
  const { rows } = await writers[0].query('select face_id from gallery_change');
  assert.deepEqual(rows, []);
});

test('a face is reported as it matches, when that changes', { skip: WITHOUT_SERVER }, async (t) => {
  const { feed, writers, cells } = await open(t);
  const [writer] = writers;
  let { cursor } = await feed.begin();
  /** The changes that the feed reports after a statement. */
  const reported = async (statement: string, values: unknown[] = []) => {
    await writer.query(statement, values);
    const changes = await feed.changesSince(cursor);
    assert.ok(changes);
    ({ cursor } = changes);
    return {
      faces: changes.faces.map(({ faceId, entries }) => [
        faceId,
        ...entries.map(({ watchlist, template }) => [
          watchlist.kind,
          template.pipelineId,
          ...template.vector,
        ]),
      ]),
      pipelines: [...changes.pipelines],
    };
  };
  const none = { faces: [], pipelines: [] };
  await reported(`insert into company (name, settings, created_at) values ('Acme', '{}', 0)`);
  await reported(
    `insert into image (id, company_id, key, bytes, sha256, format, width, height, created_at)
     values ('i', 1, $1, 1, ''::bytea, 'jpeg', 1, 1, 0)`,
    [cells.seal('image', 'key', { company_id: COMPANY, id: trusted.image('i') }, new Uint8Array(32))],
  );
  let row: Omit<CodedRow<'face'>, 'code'> = {
    ...{ id: trusted.face(1), company_id: COMPANY, image_id: trusted.image('i'), kind: 'duplicate' },
    ...{ blacklist_id: null, trust_validation_id: null, severity: null, expires_at: null },
    ...{ matchable: 1, superseded: 0 },
  };
  /** The code of the face once these columns are changed. */
  const codeWith = (columns: Partial<typeof row> = {}) => {
    row = { ...row, ...columns };
    return cells.code('face', row);
  };
  const face = await reported(
    `insert into face (company_id, kind, name, image_id, geometry, quality_score, quality_measures, enrolled_at, code)
     values (1, 'duplicate', 'A', 'i', '{}', 80, '{}', 0, $1)`,
    [codeWith()],
  );
  assert.deepEqual(face, none, 'without a template it does not match');
  const place = { company_id: COMPANY, face_id: trusted.face(1), pipeline_id: 'one' as PipelineId };
  const vector = new Uint8Array(Float32Array.from([1, 0]).buffer);
  const template = cells.seal('template', 'vector', place, vector);
  const insert = `insert into template (face_id, company_id, pipeline_id, vector) values (1, 1, $1, $2)`;
  const enrolled = ['duplicate', 'one', 1, 0];
  assert.deepEqual(await reported(insert, ['one', template]), { ...none, faces: [[1, enrolled]] });
  const list = { kind: 'blacklist', blacklist_id: trusted.blacklist(7) } as const;
  const listed = await reported(`update face set kind = 'blacklist', blacklist_id = 7, code = $1`, [
    codeWith(list),
  ]);
  assert.deepEqual(listed, { ...none, faces: [[1, ['blacklist', 'one', 1, 0]]] });
  assert.deepEqual(await reported(`update face set name = 'B', matchable = 1`), none);
  assert.deepEqual(await reported('update face set matchable = 0'), { ...none, faces: [[1]] });
  assert.deepEqual(await reported('update face set matchable = 1'), listed);
  // Of another pipeline.
  const moved = await reported('update face set blacklist_id = 8');
  assert.deepEqual(moved, { ...none, faces: [[1, ['blacklist', 'one']]] }, 'without the key: left out');
  assert.deepEqual(await reported('update face set blacklist_id = 7'), listed);
  const damaged = await reported(insert, ['two', template]);
  assert.deepEqual(damaged, { ...none, faces: [[1, ['blacklist', 'one', 1, 0], ['blacklist', 'two']]] });
  assert.deepEqual(await reported('delete from face'), { ...none, faces: [[1]] });
  const active = (pipeline: string) =>
    cells.code('active_pipeline', { company_id: COMPANY, pipeline_id: pipeline as PipelineId });
  const claimed = await reported(
    `insert into active_pipeline (company_id, pipeline_id, code) values (1, 'one', $1)`,
    [active('one')],
  );
  assert.deepEqual(claimed, { ...none, pipelines: [[1, 'one']] });
  const switched = await reported(`update active_pipeline set pipeline_id = 'two', code = $1`, [
    active('two'),
  ]);
  assert.deepEqual(switched, { ...none, pipelines: [[1, 'two']] });
});

async function pidOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]!.pid;
}
