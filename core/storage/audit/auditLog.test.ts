import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { AuditLog } from './auditLog.ts';
import { writing, type Transaction } from '../engine/database.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import type { Schema } from '../engine/schema.ts';

const ENTRIES = 24;
/** The log is anchored here, and again at its end. */
const MIDDLE = 15;
const AT = new Date('2026-01-02T03:04:05.678Z');
const TRIGGERED = ['audit_entry', 'audit_key'] as const;

interface Recorded {
  db: Kysely<Schema>;
  anchors: AuditAnchor[];
  /** The head after each entry, as an attacker could have copied it: index 0 after entry 1. */
  heads: Selectable<Schema['audit_head']>[];
}

async function recorded(t: TestContext): Promise<Recorded> {
  const db = await openDatabase(join(temporaryFolder(t), 'audit.db'), randomBytes(32));
  t.after(() => db.destroy());
  const log = new AuditLog(db);
  const anchors: AuditAnchor[] = [];
  const heads: Recorded['heads'] = [];
  for (let index = 1; index <= ENTRIES; index += 1) {
    const act = { by: `operator:${index % 3}`, at: new Date(AT.getTime() + index) } as const;
    await log.record(act, {
      company: index % 2 === 0 ? null : (1 as CompanyId),
      action: 'upload.accepted',
      object: index % 5 === 0 ? null : `upload:${index}`,
      details: { images: index },
    });
    heads.push(await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow());
    if (index === MIDDLE || index === ENTRIES) anchors.push((await log.head(AT))!);
  }
  return { db, anchors, heads };
}

/**
 * The result of a verification after `change`, which is then undone. The triggers are absent only during the change.
 */
async function afterChange(
  { db, anchors }: Recorded,
  change: (trx: Transaction) => Promise<void>,
  known: readonly AuditAnchor[] = anchors,
): Promise<AuditVerdict> {
  let verdict: AuditVerdict | undefined;
  const undone = new Error('undone');
  const running = writing(db, 'unlocked', async (trx) => {
    const triggers = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'trigger' and tbl_name in (${sql.join(TRIGGERED)})`.execute(
      trx,
    );
    for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
    await change(trx);
    for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(trx);
    verdict = await new AuditLog(trx).verify([{ file: 'anchors', anchors: known, damaged: [] }]);
    throw undone;
  });
  await assert.rejects(running, undone);
  return verdict!;
}

test('a log without manipulation is whole', async (t) => {
  const { db, anchors } = await recorded(t);
  assert.deepEqual(await new AuditLog(db).verify([{ file: 'anchors', anchors, damaged: [] }]), {
    whole: true,
    entries: ENTRIES,
    anchors: 2,
    anchoredUpTo: ENTRIES,
    firstBad: null,
  });
});

test('the entries of a transaction are written in their order, after its changes', async (t) => {
  const { db } = await recorded(t);
  const log = new AuditLog(db);
  const note = (object: 'pipeline:one' | 'pipeline:two') =>
    ({ company: null, action: 'installation.changed', object }) as const;
  await writing(db, 'unlocked', async (trx) => {
    log.append(trx, { by: 'local-admin', at: AT }, note('pipeline:one'));
    log.append(trx, { by: 'local-admin', at: AT }, note('pipeline:two'));
    assert.equal(
      await trx
        .selectFrom('audit_entry')
        .select('sequence')
        .where('object', '=', 'pipeline:one')
        .executeTakeFirst(),
      undefined,
    );
  });
  const newest = await log.list(null, { limit: 2 });
  assert.deepEqual(
    newest.map(({ sequence, object }) => [sequence, object]),
    [
      [ENTRIES + 2, 'pipeline:two'],
      [ENTRIES + 1, 'pipeline:one'],
    ],
  );
  assert.equal((await log.verify([])).whole, true);
});

test('the program itself cannot change or delete an entry, nor the key', async (t) => {
  const { db } = await recorded(t);
  await assert.rejects(db.updateTable('audit_entry').set({ actor: 'service' }).execute(), /never changed/);
  await assert.rejects(db.deleteFrom('audit_entry').where('sequence', '=', 3).execute(), /never deleted/);
  await assert.rejects(db.deleteFrom('audit_key').execute(), /never deleted/);
});

test('only an anchor reveals a rollback: without one the earlier state looks intact', async (t) => {
  const log = await recorded(t);
  const rollback = async (trx: Transaction) => {
    await trx.deleteFrom('audit_entry').where('sequence', '>', MIDDLE).execute();
    await trx
      .updateTable('audit_head')
      .set(log.heads[MIDDLE - 1]!)
      .execute();
  };
  const early = log.anchors.filter(({ sequence }) => sequence === MIDDLE);
  assert.equal((await afterChange(log, rollback, early)).whole, true);
  assert.deepEqual((await afterChange(log, rollback)).firstBad?.sequence, MIDDLE + 1);
});

test('triggers that are gone are found', async (t) => {
  const { db, anchors } = await recorded(t);
  await sql`drop trigger audit_entry_no_update`.execute(db);
  const { firstBad } = await new AuditLog(db).verify([{ file: 'anchors', anchors, damaged: [] }]);
  assert.equal(firstBad?.problem.code, 'AUDIT_UNGUARDED');
});

test('a log that grows while it is read is whole', async (t) => {
  const { db, anchors } = await recorded(t);
  const log = new AuditLog(db);
  const note = { company: null, action: 'installation.changed', object: null } as const;
  const [verdict] = await Promise.all([
    log.verify([{ file: 'anchors', anchors, damaged: [] }]),
    ...Array.from({ length: 50 }, () => log.record({ by: 'service', at: AT }, note)),
  ]);
  assert.equal(verdict.whole, true);
});

test('a company reads its own entries, newest first, page by page', async (t) => {
  const { db } = await recorded(t);
  const log = new AuditLog(db);
  const first = await log.list(1 as CompanyId, { limit: 3 });
  assert.deepEqual(
    first.map(({ sequence }) => sequence),
    [23, 21, 19],
  );
  const next = await log.list(1 as CompanyId, { limit: 2, before: 19 });
  assert.deepEqual(
    next.map(({ sequence }) => sequence),
    [17, 15],
  );
  assert.deepEqual(await log.list(2 as CompanyId, { limit: 3 }), []);
});
