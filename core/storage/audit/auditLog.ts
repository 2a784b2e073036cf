import { createPrivateKey, sign, type KeyObject } from 'node:crypto';
import type { ExpressionBuilder, Selectable } from 'kysely';
import {
  VIEW_ACTIONS,
  type AuditAction,
  type AuditAnchor,
  type AuditVerdict,
} from '../../contracts/audit.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { GENESIS, hashEntry, headMessage, verifyAuditLog } from '../../domain/audit/verify.ts';
import type {
  AuditEntry,
  AuditHead,
  NewAuditEntry,
  AuditEntryFilter,
  KeptAnchors,
} from '../../domain/ports/auditEntry.ts';
import { ed25519Verifies } from '../../encryption/keys.ts';
import { cellsOf } from '../engine/cells.ts';
import {
  adding,
  beforeCommit,
  onceCommitted,
  send,
  type Database,
  type Transaction,
} from '../engine/database.ts';
import { isPostgres, listedTexts, refusingTriggers } from '../engine/dialect.ts';
import { lockFirstEntry } from '../engine/postgres/scopes.ts';
import type { Schema } from '../engine/schema.ts';
import { CRYPTO } from '../../platform/platform.ts';
import { Rows, countOf, rowsWith } from '../engine/rows.ts';

/** Entries that are read at once while the log is verified. */
const PAGE = 1000;
const TRIGGERS = [
  'audit_entry_no_delete',
  'audit_entry_no_update',
  'audit_key_no_delete',
  'audit_key_no_update',
];

/** The only row of the head. */
const HEAD = { id: 1 };

/** An entry that waits for the end of its transaction. */
interface Noted {
  act: AuditContext;
  note: NewAuditEntry;
}

export class AuditLog extends Rows {
  readonly #noted = new WeakMap<Transaction, Noted[]>();
  #privateKey: KeyObject | undefined;
  /** The highest head that this process has committed since {@link takeWritten}, until one that is lower: the log went back. */
  #written: AuditAnchor | undefined;
  #wentBack = false;

  /** Records what changes nothing: a view, a search, a refusal. Resolves when it is durable. */
  async record(act: AuditContext, note: NewAuditEntry): Promise<void> {
    await adding(this.db, (trx) => {
      this.append(trx, act, note);
    });
  }

  /**
   * Records a change inside its own transaction: they happen together or not at all. The entries are written last, so that
   * transactions that run side by side wait for each other's place in the log as briefly as possible.
   */
  append(trx: Transaction, act: AuditContext, note: NewAuditEntry): void {
    const noted = this.#noted.get(trx);
    if (noted !== undefined) {
      noted.push({ act, note });
      return;
    }
    const first = [{ act, note }];
    this.#noted.set(trx, first);
    beforeCommit(trx, () => this.write(trx, first));
  }

  /** Writes entries at once, behind the newest one. */
  async write(trx: Transaction, noted: readonly Noted[]): Promise<void> {
    const before = await lockHead(trx);
    let { sequence, hash } = before ?? { sequence: 0, hash: GENESIS };
    const cells = cellsOf(trx);
    for (const { act, note } of noted) {
      sequence += 1;
      const entry: AuditEntry = {
        sequence,
        at: act.at.getTime(),
        company: note.company,
        actor: act.by,
        action: note.action,
        object: note.object,
        outcome: note.outcome ?? 'done',
        details: JSON.stringify(note.details ?? {}),
      };
      hash = hashEntry(CRYPTO, hash, entry);
      const { company, ...columns } = entry;
      const cell = cells.seal('audit_entry', 'hash', { company_id: note.company, sequence }, hash);
      await send(trx, trx.insertInto('audit_entry').values({ ...columns, company_id: company, hash: cell }));
    }
    const signature = await this.#signed(trx, headMessage(sequence, hash));
    const head = {
      sequence,
      hash: cells.seal('audit_head', 'hash', HEAD, hash),
      signature: cells.seal('audit_head', 'signature', HEAD, signature),
    };
    await send(
      trx,
      trx
        .insertInto('audit_head')
        .values({ ...HEAD, ...head })
        .onConflict((conflict) => conflict.column('id').doUpdateSet(head)),
    );
    const [newest] = noted.slice(-1).map(({ act }) => anchorOf({ sequence, hash, signature }, act.at));
    onceCommitted(trx, () => {
      this.#wentBack ||= sequence <= (this.#written?.sequence ?? 0);
      if (!this.#wentBack) this.#written = newest;
    });
  }

  /** The newest head that this process has committed since the last call; undefined: it has committed none. */
  takeWritten(): AuditAnchor | undefined {
    const written = this.#written;
    this.#written = undefined;
    this.#wentBack = false;
    return written;
  }

  /** Signs with the key of the log. @returns 64 bytes, Ed25519 */
  sign(trx: Transaction, message: string): Promise<Uint8Array> {
    return this.#signed(trx, message);
  }

  /** The public key that verifies the log and the receipts signed with its key. @returns SPKI, DER */
  async publicKey(): Promise<Uint8Array> {
    const row = await this.db.selectFrom('audit_key').select(['id', 'public_key']).executeTakeFirstOrThrow();
    return cellsOf(this.db).open('audit_key', 'public_key', row);
  }

  /** Entries of a kind since a moment, oldest first. @param company null: of the installation */
  async since(
    db: Database,
    company: CompanyId | null,
    action: AuditAction,
    from: number,
  ): Promise<{ sequence: number; at: string }[]> {
    const rows = await rowsWith(db, 'audit_entry', { action })
      .select(['sequence', 'at'])
      .where('company_id', 'is not distinct from', company)
      .where('at', '>=', from)
      .orderBy('sequence')
      .execute();
    return rows.map(({ sequence, at }) => ({ sequence, at: new Date(at).toISOString() }));
  }

  /** Newest first; only this company's own, or with null the installation's own. */
  async list(
    company: CompanyId | null,
    query: { filter?: AuditEntryFilter; before?: number | undefined; limit: number },
  ): Promise<AuditEntry[]> {
    const { filter = {}, before, limit } = query;
    const rows = await this.db
      .selectFrom('audit_entry')
      .selectAll()
      .where(passes(company, filter))
      .$if(before !== undefined, (some) => some.where('sequence', '<', before!))
      .orderBy('sequence', 'desc')
      .limit(limit)
      .execute();
    return rows.map(toEntry);
  }

  /** How many of the same a filter lets through. */
  async count(company: CompanyId | null, filter: AuditEntryFilter): Promise<number> {
    return countOf(this.db.selectFrom('audit_entry').where(passes(company, filter)));
  }

  /** How often each actor did each action, and when last. @param to not included */
  activity(
    company: CompanyId,
    { from, to }: Pick<AuditEntryFilter, 'from' | 'to'>,
  ): Promise<{ actor: string; action: string; entries: number; last: number }[]> {
    return this.db
      .selectFrom('audit_entry')
      .select((eb) => ['actor', 'action', eb.fn.countAll<number>().as('entries'), eb.fn.max('at').as('last')])
      .where(passes(company, { from, to }))
      .groupBy(['actor', 'action'])
      .execute();
  }

  /** All of the company's own that a filter lets through, oldest first, page by page, up to a sequence. */
  async *all(
    company: CompanyId,
    { filter, upTo }: { filter: AuditEntryFilter; upTo: number },
  ): AsyncIterable<readonly AuditEntry[]> {
    for (let last = 0; ;) {
      const rows = await this.db
        .selectFrom('audit_entry')
        .selectAll()
        .where(passes(company, filter))
        .where('sequence', '>', last)
        .where('sequence', '<=', upTo)
        .orderBy('sequence')
        .limit(PAGE)
        .execute();
      if (rows.length > 0) yield rows.map(toEntry);
      if (rows.length < PAGE) return;
      last = rows.at(-1)?.sequence ?? upTo;
    }
  }

  /** Compares every entry with the log itself and with the anchors of every file. */
  async verify(kept: readonly KeptAnchors[]): Promise<AuditVerdict> {
    let head: AuditHead | undefined;
    const row = await this.db.selectFrom('audit_key').select(['id', 'public_key']).executeTakeFirst();
    const publicKey = row && cellsOf(this.db).open('audit_key', 'public_key', row);
    const log = {
      entries: this.#entries((newest) => {
        head = newest;
      }),
      head: () => head,
      isSigned:
        publicKey &&
        ((message: string, signature: Uint8Array) =>
          ed25519Verifies(publicKey, Buffer.from(message), signature)),
      guarded: await isGuarded(this.db),
    };
    return verifyAuditLog(CRYPTO, log, kept);
  }

  /** The stored hash of one entry, lowercase hex; undefined when the log has no such entry. */
  async hashOf(sequence: number): Promise<string | undefined> {
    const row = await rowsWith(this.db, 'audit_entry', { sequence })
      .select(['company_id', 'sequence', 'hash'])
      .executeTakeFirst();
    // Of a damaged value nothing is left, which is no hash.
    return row && Buffer.from(cellsOf(this.db).opened('audit_entry', 'hash', row) ?? []).toString('hex');
  }

  /** The signed head as it is now; undefined while nothing was recorded. */
  async head(at: Date): Promise<AuditAnchor | undefined> {
    const head = await readHead(this.db);
    return head && anchorOf(head, at);
  }

  /** @param ended receives the newest entry at the end; entries that were added while the log was read are read too */
  async *#entries(
    ended: (head: AuditHead | undefined) => void,
  ): AsyncIterable<AuditEntry & { hash: Uint8Array }> {
    // From the least there is: an entry numbered 0 or below is as wrong as one slipped in between.
    let last = Number.MIN_SAFE_INTEGER;
    const cells = cellsOf(this.db);
    for (let waited = false; ;) {
      const rows = await this.db
        .selectFrom('audit_entry')
        .selectAll()
        .where('sequence', '>', last)
        .orderBy('sequence')
        .limit(PAGE)
        .execute();
      for (const row of rows)
        yield { ...toEntry(row), hash: cells.opened('audit_entry', 'hash', row) ?? new Uint8Array() };
      last = rows.at(-1)?.sequence ?? last;
      if (rows.length > 0) continue;
      const head = await readHead(this.db);
      ended(head);
      if (waited || head === undefined || head.sequence <= last) return;
      waited = true;
    }
  }

  async #signed(trx: Transaction, message: string): Promise<Uint8Array> {
    return sign(null, Buffer.from(message), await this.#signingKey(trx));
  }

  async #signingKey(trx: Transaction): Promise<KeyObject> {
    if (this.#privateKey === undefined) {
      const row = await trx.selectFrom('audit_key').select(['id', 'private_key']).executeTakeFirstOrThrow();
      const key = Buffer.from(cellsOf(trx).open('audit_key', 'private_key', row));
      this.#privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
    }
    return this.#privateKey;
  }
}

function anchorOf({ sequence, hash, signature }: AuditHead, at: Date): AuditAnchor {
  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  return { sequence, hash: hex(hash), at: at.toISOString(), signature: hex(signature) };
}

/** The conditions of a filter, for the entries of a company or, with null, of the installation. */
function passes(
  company: CompanyId | null,
  { action, actions, outcome, actor, objects, views, from, to, installation }: AuditEntryFilter,
) {
  return (eb: ExpressionBuilder<Schema, 'audit_entry'>) =>
    eb.and([
      eb.or([
        eb('company_id', 'is not distinct from', company),
        ...(installation === undefined ? [] : [eb('company_id', 'is', null)]),
      ]),
      ...(action === undefined ? [] : [eb('action', '=', action)]),
      ...(actions === undefined ? [] : [eb('action', 'in', actions)]),
      ...(views === undefined ? [] : [eb('action', 'not in', VIEW_ACTIONS)]),
      ...(outcome === undefined ? [] : [eb('outcome', '=', outcome)]),
      ...(actor === undefined ? [] : [isParty(eb, 'actor', actor)]),
      ...(objects === undefined ? [] : [isOneOf(eb, objects)]),
      ...(from === undefined ? [] : [eb('at', '>=', Date.parse(from))]),
      ...(to === undefined ? [] : [eb('at', '<', Date.parse(to))]),
    ]);
}

function isOneOf(eb: ExpressionBuilder<Schema, 'audit_entry'>, objects: readonly string[]) {
  const [kinds, single] = [
    objects.filter((one) => !one.includes(':')),
    objects.filter((one) => one.includes(':')),
  ];
  return eb.or([
    ...(single.length === 0 ? [] : [eb('object', 'in', listedTexts(single))]),
    ...kinds.map((kind) => isParty(eb, 'object', kind)),
  ]);
}

/** One of a kind (`operator:3`), or all of a kind (`operator`): these sort between `operator:` and `operator;`. */
function isParty(eb: ExpressionBuilder<Schema, 'audit_entry'>, column: 'actor' | 'object', party: string) {
  if (party.includes(':')) return eb(column, '=', party);
  return eb.or([
    eb(column, '=', party),
    eb.and([eb(column, '>=', `${party}:`), eb(column, '<', `${party};`)]),
  ]);
}

/** Reads the head, and keeps other services from appending until the transaction ends. */
async function lockHead(trx: Transaction): Promise<AuditHead | undefined> {
  if (!isPostgres(trx)) return readHead(trx);
  const head = headOf(trx).forUpdate();
  const known = await head.executeTakeFirst();
  if (known !== undefined) return toHead(trx, known);
  // There is no row to lock before the first entry.
  await lockFirstEntry(trx);
  return toHead(trx, await head.executeTakeFirst());
}

function headOf(db: Database) {
  return db.selectFrom('audit_head').selectAll();
}

async function readHead(db: Database): Promise<AuditHead | undefined> {
  return toHead(db, await headOf(db).executeTakeFirst());
}

/** A damaged head has no signature that verifies. */
function toHead(db: Database, row: Selectable<Schema['audit_head']> | undefined): AuditHead | undefined {
  if (row === undefined) return undefined;
  const opened = (column: 'hash' | 'signature') =>
    cellsOf(db).opened('audit_head', column, row) ?? new Uint8Array();
  return { sequence: row.sequence, hash: opened('hash'), signature: opened('signature') };
}

async function isGuarded(db: Database): Promise<boolean> {
  const names = await refusingTriggers(db);
  return TRIGGERS.every((trigger) => names.includes(trigger));
}

function toEntry(row: Selectable<Schema['audit_entry']>): AuditEntry {
  const { sequence, at, company_id, actor, action, object, outcome, details } = row;
  return { sequence, at, company: company_id, actor, action, object, outcome, details };
}
