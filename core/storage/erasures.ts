import { createPublicKey, randomUUID, verify } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  erasureReceipt,
  receiptMessage,
  type CopyFate,
  type ErasureChoice,
  type ErasureProof,
  type ErasureReceipt,
  type ErasureSummary,
  type SignedReceipt,
  type Unreached,
} from '../contracts/erasure.ts';
import type { CompanyId, ImageId } from '../contracts/ids.ts';
import type { Act } from '../domain/actor.ts';
import type { BegunErasure, Erasures, ErasureTraces, StoredPlan } from '../domain/erasure/ports.ts';
import type { SqliteAuditLog } from './auditLog.ts';
import { takeSnapshot } from './backup/snapshot.ts';
import { emptyLog, rebuild, writing, type Database } from './database.ts';
import { keptCopies, removeCopy } from './erasure/copies.ts';
import { cleanJournals } from './erasure/journals.ts';
import { keepReceipts, readReceipts } from './erasure/receiptFile.ts';
import { searchPages } from './erasure/traces.ts';
import { candidatesByName, candidatesOfFaces } from './erasureCandidates.ts';
import { dueChoice, dueCounts } from './erasureDue.ts';
import { codeOf, describePlan, surroundingsOf } from './erasurePlans.ts';
import { deletePerson, isNobody, personRows, type PersonRows } from './erasureRows.ts';
import { rowsOfReceipt } from './erasureReceipts.ts';
import { tracesOf } from './erasureTraces.ts';
import type { Home } from './home.ts';
import type { EncryptedImageFiles } from './imageFiles.ts';

interface ErasureSource {
  home: Home;
  db: Database;
  key: Uint8Array;
  files: EncryptedImageFiles;
  audit: SqliteAuditLog;
}

/** How often, and after how many milliseconds, the log is tried again while somebody reads. */
const TRIES = 20;
const PAUSE = 100;
/** Pieces that are searched for at most: a sample of a long run is searched in a time that a person waits for. */
const MOST_TRACES = 600;

export class SqliteErasures implements Erasures {
  readonly #source: ErasureSource;
  /** One after the other: each looks at the whole database. */
  #finishing: Promise<void> = Promise.resolve();
  /** Begun in this process and not finished. */
  readonly #begun = new Map<string, BegunErasure>();
  /** Of these, the ones that somebody is about to finish. */
  readonly #inHand = new Set<string>();

  constructor(source: ErasureSource) {
    this.#source = source;
  }

  async plan(company: CompanyId, choice: ErasureChoice): Promise<StoredPlan | { unknown: string[] }> {
    const { db } = this.#source;
    const rows = await personRows(db, company, choice);
    return 'unknown' in rows ? rows : describePlan(this.#source, company, rows);
  }

  byName(...[company, text, limit]: Parameters<Erasures['byName']>): ReturnType<Erasures['byName']> {
    return candidatesByName(this.#source.db, company, text, limit);
  }

  ofFaces(...[company, faces]: Parameters<Erasures['ofFaces']>): ReturnType<Erasures['ofFaces']> {
    return candidatesOfFaces(this.#source.db, company, faces);
  }

  async begin(
    company: CompanyId,
    choice: ErasureChoice,
    why: Parameters<Erasures['begin']>[2],
    act: Act,
  ): ReturnType<Erasures['begin']> {
    const begun = await writing(this.#source.db, async (trx) => {
      const rows = await personRows(trx, company, choice);
      if ('unknown' in rows) return why.reason === 'request' ? 'changed' : undefined;
      if (isNobody(rows)) return undefined;
      if (why.reason === 'request' && codeOf(company, rows) !== why.code) return 'changed';
      return this.#erase(trx, company, rows, why.reason, act);
    });
    if (begun !== undefined && begun !== 'changed') this.#take(begun);
    return begun;
  }

  async again(receipt: ErasureReceipt, act: Act): Promise<BegunErasure | undefined> {
    const begun = await writing(this.#source.db, async (trx) => {
      const company = receipt.company as CompanyId;
      const rows = await personRows(trx, company, await rowsOfReceipt(trx, receipt));
      if ('unknown' in rows || isNobody(rows)) return undefined;
      return this.#erase(trx, company, rows, receipt.reason, act);
    });
    if (begun !== undefined) this.#take(begun);
    return begun;
  }

  #take(begun: BegunErasure): void {
    this.#begun.set(begun.id, begun);
    this.#inHand.add(begun.id);
  }

  async #erase(
    trx: Database,
    company: CompanyId,
    rows: PersonRows,
    reason: ErasureReceipt['reason'],
    act: Act,
  ): Promise<BegunErasure> {
    const { audit } = this.#source;
    const traces = await tracesOf(trx, company, rows);
    const { backups, exports, mentionedIn } = await surroundingsOf(trx, audit, company, rows);
    const erased = await deletePerson(trx, audit, company, rows, act.at);
    const id = randomUUID();
    const receipt: ErasureReceipt = {
      kind: 'vouch erasure receipt 1',
      id,
      company,
      reason,
      by: act.by,
      at: act.at.toISOString(),
      finishedAt: null,
      erased,
      files: { images: 0, journalLines: 0, copies: [] },
      proof: null,
      unreached: [
        ...backups.map(({ sequence }) => ({ what: 'backup' as const, which: `entry ${sequence}` })),
        ...exports.map(({ sequence }) => ({ what: 'export' as const, which: `entry ${sequence}` })),
        ...mentionedIn.map((validation) => ({ what: 'mention' as const, which: `validation ${validation}` })),
        ...(rows.photos.length > 0
          ? [{ what: 'originals' as const, which: `${rows.photos.length} photos` }]
          : []),
      ],
    };
    await trx
      .insertInto('erasure')
      .values({
        id,
        company_id: company,
        at: act.at.getTime(),
        receipt: JSON.stringify(receipt),
        images: JSON.stringify(rows.images.map((image) => image.id)),
      })
      .execute();
    await audit.append(trx, act, {
      company,
      action: 'person.erased',
      object: `erasure:${id}`,
      facts: {
        validations: erased.validations.length,
        faces: erased.faces.length,
        images: erased.images.length,
        photos: erased.photos.length,
        comparisons: erased.comparisons.length,
        ofRetention: reason === 'retention',
      },
    });
    return { id, company, faces: rows.faces.map((face) => face.id), traces };
  }

  finish(begun: readonly BegunErasure[], copies: CopyFate, now: () => Date): Promise<void> {
    const mine = this.#finishing
      .then(() => this.#finish(begun, copies, now))
      .finally(() => {
        for (const { id } of begun) this.#inHand.delete(id);
      });
    this.#finishing = mine.catch(() => undefined);
    return mine;
  }

  async #finish(begun: readonly BegunErasure[], copies: CopyFate, now: () => Date): Promise<void> {
    const drafts = [];
    for (const { id, company } of begun) {
      const draft = await this.#draft(company, id);
      if (draft !== undefined) drafts.push(draft);
    }
    if (drafts.length === 0) return;
    const receipts = drafts.map(({ receipt }) => receipt);
    // Before anything that can fail: a restore must know of it from here on.
    await this.#keep(receipts);
    for (const draft of drafts) await this.#removeFiles(draft);
    await this.#seeToCopies(receipts, copies);
    for (const receipt of receipts) await this.#note(receipt);
    // Not now: somebody reads the database as it was. The next try finishes it.
    if (!(await this.#emptyLog())) return;
    const proof = await this.#prove(begun);
    for (const receipt of receipts) {
      receipt.proof = proof;
      if (proof.found > 0) addUnreached(receipt, 'pages', `${proof.found} pieces`);
      receipt.finishedAt = now().toISOString();
      await this.#sign(receipt);
      this.#begun.delete(receipt.id);
    }
    await this.#keep(receipts);
    await this.#emptyLog();
  }

  async #seeToCopies(receipts: readonly ErasureReceipt[], fate: CopyFate): Promise<void> {
    const { home } = this.#source;
    for (const { name } of await keptCopies(home.folder)) {
      if (fate === 'remove') await removeCopy(home.folder, name);
      for (const receipt of receipts)
        if (fate === 'remove') receipt.files.copies.push(name);
        else addUnreached(receipt, 'copy', name);
    }
  }

  /** What was done so far, in case that the rest is done later. */
  async #note(receipt: ErasureReceipt): Promise<void> {
    await writing(this.#source.db, (trx) =>
      trx
        .updateTable('erasure')
        .set({ receipt: JSON.stringify(receipt) })
        .where('company_id', '=', receipt.company as CompanyId)
        .where('id', '=', receipt.id)
        .execute(),
    );
  }

  /** Beside the database, for a restore. */
  async #keep(receipts: readonly ErasureReceipt[]): Promise<void> {
    const { home, audit } = this.#source;
    const publicKey = Buffer.from(await audit.publicKey()).toString('hex');
    const kept = [];
    for (const receipt of receipts)
      kept.push(
        (await this.receipt(receipt.company as CompanyId, receipt.id)) ?? {
          receipt,
          signature: null,
          publicKey,
        },
      );
    await keepReceipts(home.folder, kept);
  }

  /** Receipts that the file beside the database lacks: it was lost, or the home came out of a backup. */
  async keepAll(): Promise<void> {
    const rows = await this.#source.db.selectFrom('erasure').select('receipt').orderBy('at').execute();
    const here = new Set((await readReceipts(this.#source.home.folder)).map(({ receipt }) => receipt.id));
    const lacking = rows
      .map((row) => erasureReceipt.parse(JSON.parse(row.receipt)))
      .filter(({ id }) => !here.has(id));
    if (lacking.length > 0) await this.#keep(lacking);
  }

  async #draft(
    company: CompanyId,
    id: string,
  ): Promise<{ receipt: ErasureReceipt; images: ImageId[] } | undefined> {
    const row = await this.#source.db
      .selectFrom('erasure')
      .select(['receipt', 'images'])
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.images == null) return undefined;
    return {
      receipt: erasureReceipt.parse(JSON.parse(row.receipt)),
      images: JSON.parse(row.images) as ImageId[],
    };
  }

  async #removeFiles({ receipt, images }: { receipt: ErasureReceipt; images: ImageId[] }): Promise<void> {
    const { files, home } = this.#source;
    try {
      await files.discard(receipt.company as CompanyId, images);
      receipt.files.images = images.length;
    } catch (cause) {
      addUnreached(receipt, 'images', reasonOf(cause));
    }
    const { lines, unreached } = await cleanJournals(home.folder, receipt);
    receipt.files.journalLines += lines;
    for (const which of unreached) addUnreached(receipt, 'journal', which);
  }

  async #emptyLog(): Promise<boolean> {
    for (let tries = 0; tries < TRIES; tries += 1) {
      if (await emptyLog(this.#source.db)) return true;
      await sleep(PAUSE);
    }
    return false;
  }

  /** Searches the pages; rebuilds the database where something is found, and searches again. */
  async #prove(begun: readonly BegunErasure[]): Promise<ErasureProof> {
    const { home, key } = this.#source;
    const known = begun.flatMap(({ traces }) => traces ?? []);
    const traces: ErasureTraces = {
      bytes: known.flatMap(({ bytes }) => bytes).slice(0, MOST_TRACES),
      names: [...new Set(known.flatMap(({ names }) => names))].slice(0, MOST_TRACES),
    };
    const search = () => searchPages(home.database, key, traces);
    const sought = traces.bytes.length + traces.names.length;
    const first = await search();
    // After a crash nobody knows what to search for: the rebuilt database holds living rows alone.
    const isClean = known.length === begun.length && first.found === 0;
    const rebuilt = !isClean && (await this.#rebuild());
    const { pages, found, shared } = rebuilt ? await search() : first;
    return { pages, sought, found, shared, rebuilt };
  }

  async #rebuild(): Promise<boolean> {
    const { home, key, db } = this.#source;
    for (let tries = 0; tries < TRIES; tries += 1) {
      const copy = async () => (await takeSnapshot(home.folder, home.database, key)).file;
      if (await rebuild(db, copy)) return true;
      await sleep(PAUSE);
    }
    return false;
  }

  async #sign(receipt: ErasureReceipt): Promise<void> {
    const { db, audit } = this.#source;
    const at = new Date(receipt.finishedAt ?? receipt.at);
    const content = erasureReceipt.parse(receipt);
    await writing(db, async (trx) => {
      await trx
        .updateTable('erasure')
        .set({
          receipt: JSON.stringify(content),
          signature: await audit.sign(trx, receiptMessage(content)),
          images: null,
        })
        .where('company_id', '=', receipt.company as CompanyId)
        .where('id', '=', receipt.id)
        .execute();
      await audit.append(
        trx,
        { by: 'service', at },
        {
          company: receipt.company as CompanyId,
          action: 'erasure.finished',
          object: `erasure:${receipt.id}`,
          facts: {
            files: receipt.files.images,
            pages: receipt.proof?.pages ?? 0,
            found: receipt.proof?.found ?? null,
            unreached: receipt.unreached.length,
          },
        },
      );
    });
  }

  async unfinished(): Promise<BegunErasure[]> {
    const rows = await this.#source.db
      .selectFrom('erasure')
      .select(['id', 'company_id'])
      .where('images', 'is not', null)
      .orderBy('at')
      .execute();
    return rows
      .filter(({ id }) => !this.#inHand.has(id))
      .map(
        ({ id, company_id }) => this.#begun.get(id) ?? { id, company: company_id, faces: [], traces: null },
      );
  }

  async list(company: CompanyId): Promise<ErasureSummary[]> {
    const rows = await this.#source.db
      .selectFrom('erasure')
      .select(['receipt', 'images'])
      .where('company_id', '=', company)
      .orderBy('at', 'desc')
      .limit(1000)
      .execute();
    return rows.map((row) => {
      const { id, at, reason, erased } = erasureReceipt.parse(JSON.parse(row.receipt));
      const { validations, faces } = erased;
      return {
        id,
        at,
        reason,
        finished: row.images === null,
        validations: validations.length,
        faces: faces.length + erased.goneFaces.length,
      };
    });
  }

  async receipt(company: CompanyId, id: string): Promise<SignedReceipt | undefined> {
    const row = await this.#source.db
      .selectFrom('erasure')
      .select(['receipt', 'signature'])
      .where('company_id', '=', company)
      .where('id', '=', id)
      .executeTakeFirst();
    if (row?.signature == null) return undefined;
    return {
      receipt: erasureReceipt.parse(JSON.parse(row.receipt)),
      signature: Buffer.from(row.signature).toString('hex'),
      publicKey: Buffer.from(await this.#source.audit.publicKey()).toString('hex'),
    };
  }

  async isOurs({ receipt, signature, publicKey }: SignedReceipt): Promise<boolean> {
    const ours = Buffer.from(await this.#source.audit.publicKey());
    if (!ours.equals(Buffer.from(publicKey, 'hex'))) return false;
    const key = createPublicKey({ key: ours, format: 'der', type: 'spki' });
    return verify(null, Buffer.from(receiptMessage(receipt)), key, Buffer.from(signature, 'hex'));
  }

  dueCounts(...[company, rules, now]: Parameters<Erasures['dueCounts']>): ReturnType<Erasures['dueCounts']> {
    return dueCounts(this.#source.db, company, rules, now);
  }

  due(...[company, rules, now, limit]: Parameters<Erasures['due']>): ReturnType<Erasures['due']> {
    return dueChoice(this.#source.db, company, rules, now, limit);
  }
}

/** Each once, however often it is tried. */
function addUnreached({ unreached }: ErasureReceipt, what: Unreached, which: string): void {
  if (!unreached.some((one) => one.what === what && one.which === which)) unreached.push({ what, which });
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
