/**
 * Random manipulations of the tables of the log and of the anchor files. Each must be found by a verification, or belong
 * to a class that docs/explanation/access-and-audit.md names as undetectable. VOUCH_MANIPULATIONS sets the count, VOUCH_SEED the sequence.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import assert from 'node:assert/strict';
import { sql, type Selectable } from 'kysely';
import type { AuditAnchor, AuditVerdict } from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { anchorAuditLog } from '../../domain/audit/anchor.ts';
import { GENESIS, hashEntry } from '../../domain/audit/verify.ts';
import { plainBytes, plainCell } from '../../../test/support/cells.ts';
import { temporaryFolder } from '../../../test/support/site.ts';
import { SEED, seededRandom } from '../../../test/support/seed.ts';
import { AuditAnchors } from './auditAnchors.ts';
import { AuditLog } from './auditLog.ts';
import { writing, type Database, type Transaction } from '../engine/database.ts';
import type { Sealed } from '../engine/migrations/table.ts';
import type { Schema } from '../engine/schema.ts';
import { openDatabase } from '../engine/sqliteFile.ts';
import { CRYPTO } from '../../platform/platform.ts';

const COUNT = Number(process.env.VOUCH_MANIPULATIONS ?? 66);
const ENTRIES = 24;
/** The log is anchored after these entries; the ones behind the last of them have no anchor. */
const ANCHORED = [6, 12, 18, 22];
const NEWEST = 22;
const AT = new Date('2026-01-02T03:04:05.678Z');

/** Why a manipulation cannot be found: the words that begin its item on the page. */
const UNDETECTABLE = {
  together: 'The database and the anchors rolled back together',
  tail: 'Entries after the newest anchor',
  fewer: 'Anchors deleted from a file',
  time: 'The time of an anchor',
} as const;
type Outcome = 'found' | keyof typeof UNDETECTABLE;

interface Recorded {
  db: Database;
  folder: string;
  /** The head after each entry, as a copy of the database holds it: index 0 after entry 1. */
  heads: Selectable<Schema['audit_head']>[];
  /** The lines of the anchor file. */
  lines: string[];
}

type Pick = (below: number) => number;
/** Changes rows and lines. @returns what a verification must say, and the entry that it must name where there is one */
type Manipulation = (trx: Transaction, pick: Pick, log: Tampered) => Promise<[Outcome, number?]>;

interface Tampered extends Recorded {
  /** The lines that the anchor file has afterwards. */
  lines: string[];
  /** An external file holds the same anchors, out of reach of the manipulation. */
  external: boolean;
}

async function recorded(t: TestContext): Promise<Recorded> {
  const folder = temporaryFolder(t);
  const db = await openDatabase(join(folder, 'audit.db'), randomBytes(32));
  t.after(() => db.destroy());
  const audit = new AuditLog(db);
  const anchors = anchorsIn(folder, false);
  const heads: Recorded['heads'] = [];
  for (let index = 1; index <= ENTRIES; index += 1) {
    const act = { by: `operator:${index % 3}`, at: new Date(AT.getTime() + index) } as const;
    await audit.record(act, {
      company: index % 2 === 0 ? null : (1 as CompanyId),
      action: 'upload.accepted',
      object: index % 5 === 0 ? null : `upload:${index}`,
      details: { images: index },
    });
    heads.push(await db.selectFrom('audit_head').selectAll().executeTakeFirstOrThrow());
    if (ANCHORED.includes(index)) await anchorAuditLog({ audit, anchors, clock: { now: () => AT } });
  }
  const text = readFileSync(join(folder, 'anchors.jsonl'), 'utf8');
  writeFileSync(join(folder, 'external.jsonl'), text);
  return { db, folder, heads, lines: text.trimEnd().split('\n') };
}

function anchorsIn(folder: string, external: boolean): AuditAnchors {
  const file = external ? join(folder, 'external.jsonl') : null;
  return new AuditAnchors(join(folder, 'anchors.jsonl'), () => Promise.resolve(file));
}

const flipped = (cell: Sealed, pick: Pick) => {
  const copy = Buffer.from(plainBytes(cell));
  copy[pick(copy.length)]! ^= 1 << pick(8);
  return plainCell(copy);
};
const nameOf = (pick: Pick) => 1 + pick(ENTRIES);
const entryOf = (trx: Transaction, sequence: number) =>
  trx.selectFrom('audit_entry').selectAll().where('sequence', '=', sequence).executeTakeFirstOrThrow();
const write = (trx: Transaction, sequence: number, columns: object) =>
  trx.updateTable('audit_entry').set(columns).where('sequence', '=', sequence).execute();
const truncate = (trx: Transaction, after: number) =>
  trx.deleteFrom('audit_entry').where('sequence', '>', after).execute();
/** The log as it was after an entry, with the head that it had then. */
async function rollBack(trx: Transaction, { heads }: Recorded, left: number): Promise<void> {
  await truncate(trx, left);
  await trx
    .updateTable('audit_head')
    .set(heads[left - 1]!)
    .execute();
}
const changed = (line: string, change: Partial<Record<keyof AuditAnchor, unknown>>) =>
  JSON.stringify({ ...(JSON.parse(line) as AuditAnchor), ...change });

const ROWS: Record<string, Manipulation> = {
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
      { details: JSON.stringify({ images: 1000 + pick(1000) }) },
      { details: `${entry.details} ` },
      { hash: flipped(entry.hash, pick) },
    ];
    await write(trx, sequence, changes[pick(changes.length)]!);
    return ['found', sequence];
  },
  'an entry deleted': async (trx, pick) => {
    const sequence = nameOf(pick);
    await trx.deleteFrom('audit_entry').where('sequence', '=', sequence).execute();
    return ['found', sequence];
  },
  'an entry deleted and the rest moved up': async (trx, pick) => {
    const sequence = 1 + pick(ENTRIES - 1);
    await trx.deleteFrom('audit_entry').where('sequence', '=', sequence).execute();
    for (let next = sequence + 1; next <= ENTRIES; next += 1) await write(trx, next, { sequence: next - 1 });
    return ['found', sequence];
  },
  'two entries exchanged': async (trx, pick) => {
    const one = 1 + pick(ENTRIES - 1);
    const other = one + 1 + pick(ENTRIES - one);
    await write(trx, one, { sequence: 1_000_000 });
    await write(trx, other, { sequence: one });
    await write(trx, 1_000_000, { sequence: other });
    return ['found', one];
  },
  'an entry inserted at either end': async (trx, pick) => {
    const sequence = pick(2) === 0 ? -pick(5) : ENTRIES + 1;
    await trx
      .insertInto('audit_entry')
      .values({ ...(await entryOf(trx, nameOf(pick))), sequence })
      .execute();
    return ['found', sequence > 0 ? sequence : 1];
  },
  'the tail deleted': async (trx, pick) => {
    const left = pick(ENTRIES);
    await truncate(trx, left);
    return ['found', left + 1];
  },
  'a past rewritten, every hash computed again, without the key': async (trx, pick) => {
    const from = 1 + pick(ENTRIES);
    let previous = from === 1 ? GENESIS : plainBytes((await entryOf(trx, from - 1)).hash);
    for (let sequence = from; sequence <= ENTRIES; sequence += 1) {
      const { company_id: company, ...entry } = await entryOf(trx, sequence);
      const actor = sequence === from ? 'operator:99' : entry.actor;
      const hash = hashEntry(CRYPTO, previous, { ...entry, company, actor });
      await write(trx, sequence, { actor, hash: plainCell(hash) });
      previous = hash;
    }
    await trx
      .updateTable('audit_head')
      .set({ hash: plainCell(previous) })
      .execute();
    return ['found'];
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
    return ['found'];
  },
  'the head deleted': async (trx) => {
    await trx.deleteFrom('audit_head').execute();
    return ['found', ENTRIES];
  },
  'the key': async (trx, pick) => {
    const { public_key } = await trx.selectFrom('audit_key').selectAll().executeTakeFirstOrThrow();
    if (pick(4) === 0) await trx.deleteFrom('audit_key').execute();
    else
      await trx
        .updateTable('audit_key')
        .set({ public_key: flipped(public_key, pick) })
        .execute();
    return ['found'];
  },
};

const ROLLBACKS: Record<string, Manipulation> = {
  'the database rolled back': async (trx, pick, log) => {
    const left = 1 + pick(ENTRIES - 1);
    await rollBack(trx, log, left);
    return left < NEWEST ? ['found', left + 1] : ['tail'];
  },
  'the database rolled back, and other entries added': async (trx, pick, log) => {
    const left = 1 + pick(ENTRIES - 1);
    await rollBack(trx, log, left);
    await addOthers(trx, ENTRIES - left + pick(3));
    return left < NEWEST ? ['found'] : ['tail'];
  },
  'the database rolled back, other entries added and anchored under a number that has an anchor': async (
    trx,
    pick,
    log,
  ) => {
    const left = 1 + pick(NEWEST - 1);
    await rollBack(trx, log, left);
    await addOthers(trx, NEWEST - left);
    log.lines.push(JSON.stringify(await new AuditLog(trx).head(AT)));
    return ['found'];
  },
  'the database and the anchors rolled back together': async (trx, pick, log) => {
    const left = 1 + pick(ENTRIES - 1);
    await rollBack(trx, log, left);
    log.lines = log.lines.slice(0, ANCHORED.filter((sequence) => sequence <= left).length);
    if (left >= NEWEST) return ['tail'];
    return log.external ? ['found', left + 1] : ['together'];
  },
};

const FILES: Record<string, Manipulation> = {
  'the hash or the signature of an anchor': (_, pick, log) => {
    const at = pick(log.lines.length);
    const line = JSON.parse(log.lines[at]!) as AuditAnchor;
    const field = pick(2) === 0 ? 'hash' : 'signature';
    const cell = flipped(plainCell(Buffer.from(line[field], 'hex')), pick);
    const hex = Buffer.from(plainBytes(cell)).toString('hex');
    log.lines[at] = changed(log.lines[at]!, { [field]: hex });
    return Promise.resolve(['found']);
  },
  'the number of an anchor': (_, pick, log) => {
    const at = pick(log.lines.length);
    log.lines[at] = changed(log.lines[at]!, { sequence: ANCHORED[at]! + 1 + pick(5) });
    return Promise.resolve(['found']);
  },
  'the time of an anchor': (_, pick, log) => {
    const at = pick(log.lines.length);
    log.lines[at] = changed(log.lines[at]!, { at: new Date(AT.getTime() + 1 + pick(1e9)).toISOString() });
    return Promise.resolve(['time']);
  },
  'a line cut short': (_, pick, log) => {
    const at = pick(log.lines.length);
    log.lines[at] = log.lines[at]!.slice(0, 1 + pick(log.lines[at]!.length - 1));
    return Promise.resolve(['found']);
  },
  'anchors exchanged': (_, pick, log) => {
    const one = pick(log.lines.length - 1);
    const other = one + 1 + pick(log.lines.length - one - 1);
    [log.lines[one], log.lines[other]] = [log.lines[other]!, log.lines[one]!];
    return Promise.resolve(['found']);
  },
  'an older anchor repeated behind the newest': (_, pick, log) => {
    log.lines.push(log.lines[pick(log.lines.length - 1)]!);
    return Promise.resolve(['found']);
  },
  'anchors deleted': (_, pick, log) => {
    const from = pick(log.lines.length);
    log.lines.splice(from, 1 + pick(log.lines.length - from));
    return Promise.resolve(['fewer']);
  },
};

async function addOthers(trx: Transaction, count: number): Promise<void> {
  const act = { by: 'local-admin', at: AT } as const;
  const note = { company: null, action: 'installation.changed', object: null } as const;
  await new AuditLog(trx).write(trx, new Array(count).fill({ act, note }));
}

/**
 * The result of a verification after a manipulation, which is then undone. The triggers are absent only during the
 * manipulation.
 */
async function afterwards(
  log: Recorded,
  external: boolean,
  manipulate: (trx: Transaction, log: Tampered) => Promise<void>,
): Promise<AuditVerdict> {
  let verdict: AuditVerdict | undefined;
  const undone = new Error('undone');
  const running = writing(log.db, 'unlocked', async (trx) => {
    const triggers = await sql<{ name: string; sql: string }>`
      select name, sql from sqlite_master where type = 'trigger' and tbl_name in ('audit_entry', 'audit_key')`.execute(
      trx,
    );
    for (const { name } of triggers.rows) await sql`drop trigger ${sql.ref(name)}`.execute(trx);
    const tampered = { ...log, lines: [...log.lines], external };
    await manipulate(trx, tampered);
    for (const trigger of triggers.rows) await sql.raw(trigger.sql).execute(trx);
    writeFileSync(join(log.folder, 'anchors.jsonl'), tampered.lines.map((line) => `${line}\n`).join(''));
    verdict = await new AuditLog(trx).verify((await anchorsIn(log.folder, external).read()).kept);
    throw undone;
  });
  await assert.rejects(running, undone);
  return verdict!;
}

test('each manipulation of log and anchors is found or of a documented class', async (t) => {
  const log = await recorded(t);
  const random = seededRandom(t);
  const pick = (below: number) => Math.floor(random() * below);
  const page = readFileSync(
    join(import.meta.dirname, '../../../docs/explanation/access-and-audit.md'),
    'utf8',
  );
  for (const words of Object.values(UNDETECTABLE)) assert.ok(page.includes(`- **${words}`), words);
  const kinds = Object.entries({ ...ROWS, ...ROLLBACKS, ...FILES });
  const seen = new Map<Outcome, number>();
  for (let round = 0; round < COUNT; round += 1) {
    const [kind, manipulate] = kinds[round % kinds.length]!;
    const external = pick(2) === 0;
    const label = `round ${round} of seed ${SEED}: ${kind}${external ? ', with an external file' : ''}`;
    const expected: [Outcome, number?][] = [];
    const verdict = await afterwards(log, external, async (trx, tampered) => {
      expected.push(await manipulate(trx, pick, tampered));
    });
    const [outcome, sequence] = expected[0]!;
    assert.equal(verdict.whole, outcome !== 'found', label);
    if (sequence !== undefined) assert.equal(verdict.firstBad?.sequence, sequence, label);
    seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
  }
  t.diagnostic(`${COUNT} manipulations, seed ${SEED}: ${JSON.stringify(Object.fromEntries(seen))}`);
  assert.equal((await afterwards(log, true, () => Promise.resolve())).whole, true);
});
