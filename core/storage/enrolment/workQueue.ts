import { sql, type Selectable } from 'kysely';
import { ITEM_STATUS } from '../../contracts/codes.ts';
import type { CompanyId, UploadItemId } from '../../contracts/ids.ts';
import type { EnrolledFace, ItemAnswer, LeasedItem } from '../../domain/ports/uploads.ts';
import { writing, type Transaction } from '../engine/database.ts';
import { choose, isPostgres } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';
import { completeFinished, deleteImageRows, enrolAll, markProcessed } from './itemAnswers.ts';
import { toTarget } from './uploads.ts';
import { CLOCK_SLACK } from '../../domain/values/time.ts';
import { countOf, AuditedRowsWith, rowsWith, changeRows } from '../engine/rows.ts';

/** A process keeps an image for so long without renewing its lease, milliseconds. */
const LEASE_MS = 60_000;

/** The clock of the database, milliseconds: leases of several processes are compared by one clock. */
const DATABASE_NOW = choose({
  sqlite: sql<number>`cast(unixepoch('subsec') * 1000 as integer)`,
  postgres: sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`,
});

/**
 * The queue is the upload items that are still Pending. A process leases items for a time. Its own leases it takes again at
 * once after a crash, so start-up needs no recovery; those of another process when they have expired. The count of attempts
 * is committed before work begins, and with the name of the process it is the fence at the commit: an answer whose item
 * was leased again meanwhile is dropped.
 */
export class WorkQueue extends AuditedRowsWith<{ node: string }> {
  readonly #inProgress = new Set<UploadItemId>();
  /** Given back uncounted while that could not be written: their next lease is the attempt that was counted already. */
  readonly #attemptAlreadyCounted = new Set<UploadItemId>();
  /** The company served last, so that the next lease begins with the one after it. */
  #lastServed = 0;

  /** Images that wait or are in progress. */
  async waiting(): Promise<number> {
    return countOf(rowsWith(this.db, 'upload_item', { status: ITEM_STATUS.Pending }));
  }

  /** When the oldest upload with such an image was accepted; undefined: none waits. */
  async oldest(): Promise<Date | undefined> {
    const row = await this.db
      .selectFrom('upload')
      .select('created_at')
      .where('completed_at', 'is', null)
      .orderBy('created_at')
      .limit(1)
      .executeTakeFirst();
    return row && new Date(row.created_at);
  }

  /** Takes up to `limit` waiting images, companies in turn, oldest first; counts the attempt before it returns. */
  async lease(limit: number): Promise<LeasedItem[]> {
    // Another lease of this process may have begun while the items were chosen.
    const chosen = (await this.#choose(limit)).filter((id) => !this.#inProgress.has(id));
    if (chosen.length === 0) return [];
    for (const id of chosen) this.#inProgress.add(id);
    try {
      const leased = await writing(this.db, 'unlocked', async (trx) => {
        const rows = await trx
          .updateTable('upload_item')
          .set({
            leased_by: this.parts.node,
            leased_until: this.#leaseEnd,
            attempts: this.#nextAttempt,
          })
          .where('id', 'in', undisturbed(trx, chosen).where(this.#isFree))
          .returning('id')
          .execute();
        return this.#read(
          trx,
          rows.map(({ id }) => id),
        );
      });
      for (const id of chosen) this.#attemptAlreadyCounted.delete(id);
      // Another process was faster.
      const taken = new Set(leased.map(({ id }) => id));
      for (const id of chosen) if (!taken.has(id)) this.#inProgress.delete(id);
      return leased;
    } catch (cause) {
      for (const id of chosen) this.#inProgress.delete(id);
      throw cause;
    }
  }

  /**
   * Answers images of one company in one transaction: face, template, trust validation (duplicate detection) and item status
   * of those that are enrolled, and the person that the sender named; item Failed with its reason, and the image row gone, for those that are not. The caller
   * erases the files of these after COMMIT. An image that was answered meanwhile, cancelled with its blacklist or leased by another
   * process, stays as it is.
   * @returns in the order of the answers the enrolled face, or `failed`; undefined where nothing was written
   */
  async commit(
    company: CompanyId,
    answers: readonly ItemAnswer[],
    at: Date,
  ): Promise<(EnrolledFace | 'failed' | undefined)[]> {
    const written = await writing(this.db, company, async (trx) => {
      // First of all: an item that was cancelled meanwhile has no image left that a face could refer to.
      const open = await markProcessed(trx, this.parts.node, answers, at);
      const enrolled = open.filter((answer) => 'enrolled' in answer);
      const faces = await enrolAll(trx, this.audit, company, enrolled, at);
      const discarded = open.flatMap((answer) => ('failed' in answer ? [answer.item.imageId] : []));
      const results = new Map<ItemAnswer, EnrolledFace | 'failed'>([
        ...open.map((answer) => [answer, 'failed'] as const),
        ...enrolled.map((answer, index) => [answer, faces[index]!] as const),
      ]);
      const uploads = new Set(open.map(({ item }) => item.uploadId));
      await deleteImageRows(trx, company, discarded);
      await completeFinished(trx, this.audit, company, [...uploads], at);
      return answers.map((answer) => results.get(answer));
    });
    for (const { item } of answers) this.#inProgress.delete(item.id);
    return written;
  }

  /** Keeps other processes from taking these for another while; for an answer that takes long. */
  async renew(items: readonly LeasedItem[]): Promise<void> {
    await writing(this.db, 'unlocked', (trx) =>
      trx
        .updateTable('upload_item')
        .set({ leased_until: this.#leaseEnd })
        .where(
          'id',
          'in',
          undisturbed(
            trx,
            items.map(({ id }) => id),
          ).where('leased_by', '=', this.parts.node),
        )
        .execute(),
    );
  }

  /** Gives back what was leased but not answered; not `counted`: as if it had never begun. */
  async release(items: readonly LeasedItem[], options: { counted: boolean }): Promise<void> {
    const ids = items.map((item) => item.id);
    if (ids.length === 0) return;
    try {
      await writing(this.db, 'unlocked', (trx) =>
        changeRows(trx, 'upload_item', { status: ITEM_STATUS.Pending, leased_by: this.parts.node })
          .set((eb) => ({
            leased_by: null,
            leased_until: null,
            ...(!options.counted && { attempts: eb('attempts', '-', 1) }),
          }))
          .where('id', 'in', ids)
          .execute(),
      );
    } catch (cause) {
      // A disk that fills up between lease and answer, again and again, must not count as failures of the image.
      if (!options.counted) for (const id of ids) this.#attemptAlreadyCounted.add(id);
      throw cause;
    } finally {
      // Not before: a lease that came first would lose its mark to this release.
      for (const id of ids) this.#inProgress.delete(id);
    }
  }

  readonly #leaseEnd = sql<number>`${DATABASE_NOW} + ${LEASE_MS}`;

  /** Leased by no other process, or no longer. What this process has in progress is distinguished in memory. */
  get #isFree() {
    return sql<boolean>`(leased_by is null or leased_by = ${this.parts.node} or leased_until < ${DATABASE_NOW}
      or leased_until > ${this.#leaseEnd} + ${CLOCK_SLACK})`;
  }

  /** One more, unless this lease is an attempt that was counted already. */
  get #nextAttempt() {
    const counted = [...this.#attemptAlreadyCounted];
    return counted.length === 0
      ? sql<number>`attempts + 1`
      : sql<number>`case when id in (${sql.join(counted)}) then attempts else attempts + 1 end`;
  }

  /** Companies in turn, one image each per turn; within a company fresh images before those that were begun before. */
  async #choose(limit: number): Promise<UploadItemId[]> {
    const companies = await this.db.selectFrom('company').select('id').orderBy('id').execute();
    const ids = companies.map((company) => company.id);
    const start = ids.findIndex((id) => id > this.#lastServed);
    const turn = start <= 0 ? ids : [...ids.slice(start), ...ids.slice(0, start)];
    const lines = await Promise.all(
      turn.map(async (company) => ({ company, items: await this.#waitingOf(company, limit) })),
    );
    const chosen: UploadItemId[] = [];
    for (let round = 0; round < limit; round += 1)
      for (const { company, items } of lines) {
        const item = items[round];
        if (item === undefined || chosen.length === limit) continue;
        chosen.push(item);
        this.#lastServed = company;
      }
    return chosen;
  }

  async #waitingOf(company: CompanyId, limit: number): Promise<UploadItemId[]> {
    const rows = await this.db
      .selectFrom('upload_item')
      .select('id')
      .where((eb) => eb.and({ company_id: company, status: ITEM_STATUS.Pending }))
      .where(this.#isFree)
      .orderBy('attempts')
      .orderBy('id')
      .limit(limit + this.#inProgress.size)
      .execute();
    return rows
      .map((row) => row.id)
      .filter((id) => !this.#inProgress.has(id))
      .slice(0, limit);
  }

  async #read(trx: Transaction, ids: readonly UploadItemId[]): Promise<LeasedItem[]> {
    const rows = await trx
      .selectFrom('upload_item')
      .innerJoin('upload', 'upload.id', 'upload_item.upload_id')
      .innerJoin('enrolment_run', (join) =>
        join
          .onRef('enrolment_run.company_id', '=', 'upload.company_id')
          .onRef('enrolment_run.id', '=', 'upload.run_id'),
      )
      .select([
        'upload_item.id as item_id',
        'upload_item.company_id',
        'upload_item.file_name',
        'upload_item.image_id',
        'upload_item.attempts',
        'upload_item.fixes',
        'upload_item.person_name',
        'upload_item.person_external_id',
        'upload_item.named_by',
        'upload.id',
        'upload.trust_flow_id',
        'upload.blacklist_id',
        'enrolment_run.several_faces',
      ])
      .where('upload_item.id', 'in', ids)
      .orderBy('upload_item.id')
      .execute();
    return rows.map((row) => {
      if (row.image_id === null) throw new Error(`Waiting image ${row.item_id} has no file.`);
      return {
        id: row.item_id,
        companyId: row.company_id,
        uploadId: row.id,
        target: toTarget(row),
        fileName: row.file_name,
        imageId: row.image_id,
        severalFaces: row.several_faces,
        named: namedOf(row),
        fixes: row.fixes,
        attempts: row.attempts,
      };
    });
  }
}

function namedOf(
  row: Pick<Selectable<Schema['upload_item']>, 'person_name' | 'person_external_id' | 'named_by'>,
): LeasedItem['named'] {
  const { person_name: name, person_external_id: externalId, named_by: by } = row;
  return by === null ? null : { name, externalId, by };
}

/**
 * Those of the items that wait and that no other transaction changes now. It locks them on PostgreSQL. No lock is waited for, so
 * transactions that change several items cannot wait for each other.
 */
function undisturbed(trx: Transaction, ids: readonly UploadItemId[]) {
  const rows = rowsWith(trx, 'upload_item', { status: ITEM_STATUS.Pending })
    .select('id')
    .where('id', 'in', ids);
  return isPostgres(trx) ? rows.forUpdate().skipLocked() : rows;
}
