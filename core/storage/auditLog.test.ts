import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import type { AuditAnchor, AuditVerdict } from '../contracts/audit.ts';
import type { CompanyId } from '../contracts/ids.ts';
import { GENESIS, hashEntry } from '../domain/audit/entry.ts';
import { temporaryFolder } from '../../test/support/site.ts';
import { SqliteAuditLog } from './auditLog.ts';
import { openDatabase, type Database } from './database.ts';

const ENTRIES = 24;
/** The log is anchored here, and again at its end. */
const MIDDLE = 15;
const AT = new Date('2026-01-02T03:04:05.678Z');
const TRIGGERED = ['audit_entry', 'audit_key'] as const;

interface Recorded {
  db: Database;
  anchors: AuditAnchor[];
  /** The head after each entry, as somebody could have copied it: index 0 after entry 1. */
  heads: { sequence: number; hash: Uint8Array; signature: Uint8Array }[];
}

async function recorded(t: TestContext): Promise<Recorded> {
  const db = await openDatabase(join(temporaryFolder(t), 'audit.db'), randomBytes(32));
  t.after(() => db.destroy());
  const log = new SqliteAuditLog(db);
  const anchors: AuditAnchor[] = [];
  const heads: Recorded['heads'] = [];
  for (let index = 1; index <= ENTRIES; index += 1) {
    const act = { by: `operator:${index % 3}`, at: new Date(AT.getTime() + index) } as const;
    await log.record(act, {
      company: index % 2 === 0 ? null : (1 as CompanyId),
      action: 'upload.accepted',
      object: index % 5 === 0 ? null : `upload:${index}`,
      facts: { images: index },
    });
    heads.push(await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow());
    if (index === MIDDLE || index === ENTRIES) anchors.push((await log.head(AT))!);
  }
  return { db, anchors, heads };
}

/** What a verification says after `change`, which is then undone. The triggers are away only while it lasts. */
async function afterChange(
  { db, anchors }: Recorded,
  change: (trx: Database) => Promise<void>,
  known: readonly AuditAnchor[] = anchors,
): Promise<AuditVerdict> {
  let verdict: AuditVerdict | undefined;
  const undone = new Error('undone');
  const running = db.transaction().execute(async (trx) => {
    const triggers = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'trigger' and tbl_name in (${sql.join(TRIGGERED)})`.execute(
      trx,
    );
    for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
    await change(trx);
    for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(trx);
    verdict = await new SqliteAuditLog(trx).verify({ anchors: known, damaged: [] });
    throw undone;
  });
  await assert.rejects(running, undone);
  return verdict!;
}

test('a log that nobody touched is whole', async (t) => {
  const { db, anchors } = await recorded(t);
  assert.deepEqual(await new SqliteAuditLog(db).verify({ anchors, damaged: [] }), {
    whole: true,
    entries: ENTRIES,
    anchors: 2,
    anchoredUpTo: ENTRIES,
    firstBad: null,
  });
});

test('the program itself cannot change or delete an entry, nor the key', async (t) => {
  const { db } = await recorded(t);
  await assert.rejects(db.updateTable('audit_entry').set({ actor: 'service' }).execute(), /never changed/);
  await assert.rejects(db.deleteFrom('audit_entry').where('sequence', '=', 3).execute(), /never deleted/);
  await assert.rejects(db.deleteFrom('audit_key').execute(), /never deleted/);
});

/** A small generator whose runs can be repeated: mulberry32. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return Math.floor((((t ^ (t >>> 14)) >>> 0) / 2 ** 32) * below);
  };
}

type Pick = (below: number) => number;
/** Changes something; returns the entry that a verification must name, or null where any will do. */
type Mutation = (trx: Database, pick: Pick, log: Recorded) => Promise<number | null>;

const flipped = (bytes: Uint8Array, pick: Pick) => {
  const copy = Buffer.from(bytes);
  copy[pick(copy.length)]! ^= 1 << pick(8);
  return copy;
};
const nameOf = (pick: Pick) => 1 + pick(ENTRIES);
const entryOf = (trx: Database, sequence: number) =>
  trx.selectFrom('audit_entry').selectAll().where('sequence', '=', sequence).executeTakeFirstOrThrow();
const write = (trx: Database, sequence: number, columns: object) =>
  trx.updateTable('audit_entry').set(columns).where('sequence', '=', sequence).execute();
const cut = (trx: Database, after: number) =>
  trx.deleteFrom('audit_entry').where('sequence', '>', after).execute();

const MUTATIONS: Record<string, Mutation> = {
  'one column of one entry': async (trx, pick) => {
    const sequence = nameOf(pick);
    const entry = await entryOf(trx, sequence);
    const changes = [
      { at: entry.at + 1 + pick(1000) },
      { company_id: entry.company_id === null ? 1 : null },
      { actor: `operator:${10 + pick(90)}` },
      { action: 'upload.completed' },
      { object: `upload:${100 + pick(900)}` },
      { outcome: 'refused' },
      { facts: JSON.stringify({ images: 1000 + pick(1000) }) },
      { facts: `${entry.facts} ` },
      { hash: flipped(entry.hash, pick) },
    ];
    await write(trx, sequence, changes[pick(changes.length)]!);
    return sequence;
  },
  'an entry deleted': async (trx, pick) => {
    const sequence = nameOf(pick);
    await trx.deleteFrom('audit_entry').where('sequence', '=', sequence).execute();
    return sequence;
  },
  'an entry deleted and the rest moved up': async (trx, pick) => {
    const sequence = 1 + pick(ENTRIES - 1);
    await trx.deleteFrom('audit_entry').where('sequence', '=', sequence).execute();
    for (let next = sequence + 1; next <= ENTRIES; next += 1) await write(trx, next, { sequence: next - 1 });
    return sequence;
  },
  'two entries exchanged': async (trx, pick) => {
    const one = 1 + pick(ENTRIES - 1);
    const other = one + 1 + pick(ENTRIES - one);
    await write(trx, one, { sequence: 1_000_000 });
    await write(trx, other, { sequence: one });
    await write(trx, 1_000_000, { sequence: other });
    return one;
  },
  'an entry slipped in at either end': async (trx, pick) => {
    const sequence = pick(2) === 0 ? -pick(5) : ENTRIES + 1;
    await trx
      .insertInto('audit_entry')
      .values({ ...(await entryOf(trx, nameOf(pick))), sequence })
      .execute();
    return sequence > 0 ? sequence : 1;
  },
  'the tail cut': async (trx, pick) => {
    const left = pick(ENTRIES);
    await cut(trx, left);
    return left + 1;
  },
  'all put back to an earlier state, its own signed head with it': async (trx, pick, { heads }) => {
    const left = 1 + pick(ENTRIES - 1);
    await cut(trx, left);
    await trx
      .updateTable('audit_head')
      .set(heads[left - 1]!)
      .execute();
    return left + 1;
  },
  'a past rewritten with every hash made right again': async (trx, pick) => {
    const from = 1 + pick(ENTRIES);
    let previous = from === 1 ? GENESIS : (await entryOf(trx, from - 1)).hash;
    for (let sequence = from; sequence <= ENTRIES; sequence += 1) {
      const { company_id: company, ...entry } = await entryOf(trx, sequence);
      const actor = sequence === from ? 'operator:99' : entry.actor;
      const hash = hashEntry(previous, { ...entry, company, actor });
      await write(trx, sequence, { actor, hash });
      previous = hash;
    }
    await trx.updateTable('audit_head').set({ hash: previous }).execute();
    return null;
  },
  'the head': async (trx, pick, { heads }) => {
    const head = heads.at(-1)!;
    const changes = [
      { sequence: head.sequence + 1 },
      { sequence: head.sequence - 1 },
      { hash: flipped(head.hash, pick) },
      { signature: flipped(head.signature, pick) },
      heads[pick(ENTRIES - 1)]!,
    ];
    await trx.updateTable('audit_head').set(changes[pick(changes.length)]!).execute();
    return null;
  },
  'the head gone': async (trx) => {
    await trx.deleteFrom('audit_head').execute();
    return ENTRIES;
  },
  'the key': async (trx, pick) => {
    const { public_key } = await trx.selectFrom('audit_key').selectAll().executeTakeFirstOrThrow();
    if (pick(4) === 0) await trx.deleteFrom('audit_key').execute();
    else
      await trx
        .updateTable('audit_key')
        .set({ public_key: flipped(public_key, pick) })
        .execute();
    return null;
  },
};

test('a thousand random changes of the log, cut tails and rollbacks among them, are all found', async (t) => {
  const log = await recorded(t);
  const pick = random(20_260_102);
  const kinds = Object.entries(MUTATIONS);
  for (let round = 0; round < 1000; round += 1) {
    const [kind, mutate] = kinds[round % kinds.length]!;
    const named: (number | null)[] = [];
    const verdict = await afterChange(log, async (trx) => {
      named.push(await mutate(trx, pick, log));
    });
    assert.equal(verdict.whole, false, `round ${round}: ${kind} was not found`);
    const [sequence] = named;
    if (sequence != null) assert.equal(verdict.firstBad?.sequence, sequence, `round ${round}: ${kind}`);
  }
  assert.equal((await afterChange(log, () => Promise.resolve())).whole, true);
});

test('a rollback is found by an anchor alone: without one, the earlier state looks whole', async (t) => {
  const log = await recorded(t);
  const rollback = async (trx: Database) => {
    await cut(trx, MIDDLE);
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
  await sql`drop trigger audit_entry_unchanged`.execute(db);
  assert.match(
    (await new SqliteAuditLog(db).verify({ anchors, damaged: [] })).firstBad?.problem ?? '',
    /triggers/,
  );
});

test('a log that grows while it is read is whole', async (t) => {
  const { db, anchors } = await recorded(t);
  const log = new SqliteAuditLog(db);
  const note = { company: null, action: 'site.changed', object: null } as const;
  const [verdict] = await Promise.all([
    log.verify({ anchors, damaged: [] }),
    ...Array.from({ length: 50 }, () => log.record({ by: 'service', at: AT }, note)),
  ]);
  assert.equal(verdict.whole, true);
});

test('a company reads its own entries, newest first, page by page', async (t) => {
  const { db } = await recorded(t);
  const log = new SqliteAuditLog(db);
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
