import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import {
  erasureReceipt,
  receiptMessage,
  type CopyPolicy,
  type ErasureProof,
  type ErasureReceipt,
  type SignedReceipt,
  type Unreached,
} from '../../contracts/erasure.ts';
import { imageId, type CompanyId, type ImageId } from '../../contracts/ids.ts';
import type { PendingErasure, ErasureResidue } from '../../domain/ports/erasure.ts';
import type { AuditLog } from '../audit/auditLog.ts';
import { takeSnapshot } from '../snapshot/snapshot.ts';
import { cellsOf, RowDamaged } from '../engine/cells.ts';
import { installationRow } from '../engine/checkedRows.ts';
import { writing, type Database } from '../engine/database.ts';
import { truncateWal, replaceDatabase } from '../engine/sqliteFile.ts';
import { isPostgres, listedTexts } from '../engine/dialect.ts';
import type { Home } from '../engine/home.ts';
import type { EncryptedImageFiles } from '../images/imageFiles.ts';
import { homeCopies, isAddress, removeHomeCopy } from './homeCopies.ts';
import type { KeyFile } from './keyFile.ts';
import { cleanJournals } from './resumeJournal.ts';
import { keepReceipts, readReceipts } from './receiptRecords.ts';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { messageOf } from '../../contracts/errors/problem.ts';
import { rowsWith, changeRows } from '../engine/rows.ts';

const result = z.object({
  pages: z.number().int(),
  /** How many pieces and names stand on some page and in no row. */
  found: z.number().int(),
  /** How many stand in rows of others: names, and photos that were enrolled twice. */
  shared: z.number().int(),
});
type FoundResidue = z.infer<typeof result>;

/** Reads every page of the database, unused space included, in a thread of its own. */
async function scanForResidue(file: string, key: Uint8Array, traces: ErasureResidue): Promise<FoundResidue> {
  const worker = new Worker(new URL('./residueWorker.ts', import.meta.url), {
    workerData: { file, key, traces },
    execArgv: [],
  });
  const [message] = (await once(worker, 'message')) as [unknown];
  return result.parse(message);
}

const storedImages = z.array(imageId);

export interface ErasureSource {
  home: Home;
  db: Database;
  key: Uint8Array;
  files: EncryptedImageFiles;
  audit: AuditLog;
  /** Of PostgreSQL. */
  keyFile: KeyFile | undefined;
}

/** A receipt that is not signed, and the files that are to be removed. */
interface Draft {
  receipt: ErasureReceipt;
  images: ImageId[];
}

interface Finished {
  finished: readonly ErasureReceipt['id'][];
  damaged?: RowDamaged;
}

/** How often, and after how many milliseconds, the log is tried again while another connection reads. */
const MAX_TRIES = 20;
const RETRY_DELAY_MS = 100;
/** Pieces that are searched for at most: a sample of a long run is searched in a time that a person waits for. */
const MAX_RESIDUE_PIECES = 600;

/** The steps after the transaction of an erasure: files and copies, the proof, and the signed receipt. */
export class ErasureFinalizer {
  readonly #source: ErasureSource;

  constructor(source: ErasureSource) {
    this.#source = source;
  }

  /**
   * Removes files, journal lines and copies, empties the log, proves by reading, and signs. Can be called again after
   * any fault: what was done is known from the rows.
   * @returns those that are finished, none when another connection reads the database as it was; and why one of the others
   *   cannot be finished
   */
  async finish(begun: readonly PendingErasure[], copies: CopyPolicy, now: () => Date): Promise<Finished> {
    const all = [];
    for (const { id, company } of begun) {
      const draft = await this.#draft(company, id);
      if (draft !== undefined) all.push(draft);
    }
    if (all.length === 0) return { finished: [] };
    // Before anything that can fail: a restore must know of it from here on.
    await this.#keep(all.map(({ receipt }) => receipt));
    const { drafts, damaged } = await this.#destroyKeys(all);
    const receipts = drafts.map(({ receipt }) => receipt);
    for (const draft of drafts) await this.#removeFiles(draft);
    await this.#treatHomeCopies(receipts, copies);
    for (const receipt of receipts) await this.#recordUnreached(receipt);
    // Not now: another connection reads the database as it was. The next try finishes it.
    if (!(await this.#emptyLog())) return { finished: [] };
    const proof = isPostgres(this.#source.db) ? null : await this.#prove(begun);
    for (const receipt of receipts) {
      receipt.proof = proof;
      if (proof === null) addUnreached(receipt, 'server', 'PostgreSQL');
      else if (proof.found > 0) addUnreached(receipt, 'pages', `${proof.found} pieces`);
      receipt.finishedAt = now().toISOString();
      await this.#sign(receipt);
    }
    await this.#keep(receipts);
    await this.#emptyLog();
    return { finished: receipts.map(({ id }) => id), ...(damaged && { damaged }) };
  }

  async #treatHomeCopies(receipts: readonly ErasureReceipt[], fate: CopyPolicy): Promise<void> {
    for (const { name } of await homeCopies(this.#source.home.folder)) {
      const isRemoved = fate === 'remove' && (await this.#removeHomeCopy(name));
      for (const receipt of receipts)
        if (isRemoved) receipt.files.copies.push(name);
        else addUnreached(receipt, 'copy', name);
    }
  }

  /** @returns false: the copy is on a database server that cannot be reached, or that a service uses */
  async #removeHomeCopy(name: string): Promise<boolean> {
    const { db, home } = this.#source;
    const { installation_id } = await installationRow(db);
    try {
      await removeHomeCopy(home.folder, name, installation_id);
      return true;
    } catch (cause) {
      // The receipt names the copy as one that was not reached. A disk that refuses ends the erasure, which is resumed.
      if (!isAddress(name)) throw cause;
      return false;
    }
  }

  /** The steps that are done, for a later run that does the rest. */
  async #recordUnreached(receipt: ErasureReceipt): Promise<void> {
    await writing(this.#source.db, receipt.company, (trx) =>
      changeRows(trx, 'erasure', { company_id: receipt.company, id: receipt.id })
        .set({ receipt: JSON.stringify(receipt) })
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
        (await readReceipt(this.#source, receipt.company, receipt.id)) ?? {
          receipt,
          signature: null,
          publicKey,
        },
      );
    await keepReceipts(home.folder, kept);
  }

  /** Receipts that the file beside the database lacks: it was lost, or the home came out of a backup. */
  async keepAll(): Promise<void> {
    const { db, home } = this.#source;
    const rows = await db.selectFrom('erasure').select('id').orderBy('at').execute();
    const here = new Set((await readReceipts(home.folder)).map(({ receipt }) => receipt.id));
    const lacking = rows.map(({ id }) => id).filter((id) => !here.has(id));
    if (lacking.length === 0) return;
    // Only these are read: a database has the receipts of years.
    const found = await db
      .selectFrom('erasure')
      .select('receipt')
      .where('id', 'in', listedTexts(lacking))
      .orderBy('at')
      .execute();
    await this.#keep(found.map(({ receipt }) => erasureReceipt.parse(JSON.parse(receipt))));
  }

  /** Of faces and photos. A fault ends the erasures, which are resumed; those whose keys are unknown cannot go on. */
  async #destroyKeys(all: readonly Draft[]): Promise<{ drafts: readonly Draft[]; damaged?: RowDamaged }> {
    const { keyFile } = this.#source;
    if (keyFile === undefined) return { drafts: all };
    const counts = await keyFile.destroyOf(all.map(({ receipt }) => receipt));
    for (const { receipt } of all) receipt.files.keys = counts.get(receipt.id) ?? 0;
    const damaged = all.find(({ receipt }) => !counts.has(receipt.id))?.receipt;
    return {
      drafts: all.filter(({ receipt }) => counts.has(receipt.id)),
      ...(damaged && { damaged: new RowDamaged('erasure', { company_id: damaged.company, id: damaged.id }) }),
    };
  }

  async #draft(company: CompanyId, id: string): Promise<Draft | undefined> {
    const row = await rowsWith(this.#source.db, 'erasure', { company_id: company, id })
      .select(['receipt', 'images'])
      .executeTakeFirst();
    if (row?.images == null) return undefined;
    return {
      receipt: erasureReceipt.parse(JSON.parse(row.receipt)),
      images: storedImages.parse(JSON.parse(row.images)),
    };
  }

  async #removeFiles({ receipt, images }: Draft): Promise<void> {
    const { files, home } = this.#source;
    try {
      await files.discard(receipt.company, images);
      receipt.files.images = images.length;
      receipt.files.bucket = await files.bucketOf(receipt.company);
    } catch (cause) {
      addUnreached(receipt, 'images', messageOf(cause));
    }
    const { lines, unreached } = await cleanJournals(home.folder, receipt);
    receipt.files.journalLines += lines;
    for (const which of unreached) addUnreached(receipt, 'journal', which);
  }

  async #emptyLog(): Promise<boolean> {
    if (isPostgres(this.#source.db)) return true;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (await truncateWal(this.#source.db)) return true;
      await sleep(RETRY_DELAY_MS);
    }
    return false;
  }

  /** Searches the pages; rebuilds the database where something is found, and searches again. */
  async #prove(begun: readonly PendingErasure[]): Promise<ErasureProof> {
    const { home, key } = this.#source;
    const known = begun.flatMap(({ traces }) => traces ?? []);
    const traces: ErasureResidue = {
      bytes: sample(
        known.flatMap(({ bytes }) => bytes),
        MAX_RESIDUE_PIECES,
      ),
      names: sample([...new Set(known.flatMap(({ names }) => names))], MAX_RESIDUE_PIECES),
    };
    const search = () => scanForResidue(home.database, key, traces);
    const sought = traces.bytes.length + traces.names.length;
    const first = await search();
    // After a crash it is unknown what to search for: the rebuilt database holds living rows alone.
    const isClean = known.length === begun.length && first.found === 0;
    const rebuilt = !isClean && (await this.#rebuild());
    const { pages, found, shared } = rebuilt ? await search() : first;
    return { pages, sought, found, shared, rebuilt };
  }

  async #rebuild(): Promise<boolean> {
    const { home, key, db } = this.#source;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const copy = async () => (await takeSnapshot(home.folder, home.database, key)).file;
      if (await replaceDatabase(db, copy)) return true;
      await sleep(RETRY_DELAY_MS);
    }
    return false;
  }

  async #sign(receipt: ErasureReceipt): Promise<void> {
    const { db, audit } = this.#source;
    const at = new Date(receipt.finishedAt ?? receipt.at);
    const content = erasureReceipt.parse(receipt);
    await writing(db, receipt.company, async (trx) => {
      await changeRows(trx, 'erasure', { company_id: receipt.company, id: receipt.id })
        .set({
          receipt: JSON.stringify(content),
          signature: cellsOf(trx).seal(
            'erasure',
            'signature',
            { company_id: receipt.company, id: receipt.id },
            await audit.sign(trx, receiptMessage(content)),
          ),
          images: null,
        })
        .execute();
      audit.append(
        trx,
        { by: 'service', at },
        {
          company: receipt.company,
          action: 'erasure.finished',
          object: `erasure:${receipt.id}`,
          details: {
            files: receipt.files.images,
            pages: receipt.proof?.pages ?? 0,
            found: receipt.proof?.found ?? null,
            unreached: receipt.unreached.length,
          },
        },
      );
    });
  }
}

/** The receipt of an erasure that is finished; undefined: there is none of this company. */
export async function readReceipt(
  { db, audit }: Pick<ErasureSource, 'db' | 'audit'>,
  company: CompanyId,
  id: string,
): Promise<SignedReceipt | undefined> {
  const row = await rowsWith(db, 'erasure', { company_id: company, id })
    .select(['company_id', 'id', 'receipt', 'signature'])
    .executeTakeFirst();
  if (row?.signature == null) return undefined;
  const { signature } = row;
  return {
    receipt: erasureReceipt.parse(JSON.parse(row.receipt)),
    signature: Buffer.from(cellsOf(db).open('erasure', 'signature', { ...row, signature })).toString('hex'),
    publicKey: Buffer.from(await audit.publicKey()).toString('hex'),
  };
}

/** At most so many, spread evenly over all: the last thing that went is as likely among them as the first. */
export function sample<T>(all: readonly T[], most: number): T[] {
  if (all.length <= most) return [...all];
  return Array.from({ length: most }, (_, i) => all[Math.floor((i * all.length) / most)]!);
}

/** Each once, however often it is tried. */
function addUnreached({ unreached }: ErasureReceipt, what: Unreached, which: string): void {
  if (!unreached.some((one) => one.what === what && one.which === which)) unreached.push({ what, which });
}
