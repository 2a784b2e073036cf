import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  erasureReceipt,
  receiptMessage,
  recordsIn,
  type CopyPolicy,
  type ErasureChoice,
  type ErasureReceipt,
  type ErasureSummary,
  type SignedReceipt,
  type ErasureCandidate,
} from '../../contracts/erasure.ts';
import { trusted, type CompanyId, type FaceId, type PipelineId } from '../../contracts/ids.ts';
import type { RetentionRules, RetentionCounts } from '../../contracts/retention.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type {
  PendingErasure,
  DueRecords,
  StoredPlan,
  BegunDue,
  SimilarFace,
  ErasureResidue,
} from '../../domain/ports/erasure.ts';
import { ed25519Verifies } from '../../encryption/keys.ts';
import { settingsOf } from '../engine/checkedRows.ts';
import { cellsOf } from '../engine/cells.ts';
import { textsOf } from '../faces/faces.ts';
import { gonePersons, leavesOf } from './erasedKeys.ts';
import { writing, type Transaction, type Database } from '../engine/database.ts';
import { vectorOf } from '../engine/vectorBytes.ts';
import { candidatesByName, candidatesOfFaces, candidatesByPerson } from './candidates.ts';
import { dueChoice, dueCounts } from './retentionDue.ts';
import { ErasureFinalizer, readReceipt, type ErasureSource } from './erasureFinalizer.ts';
import { codeOf, summarizePlan, surroundingsOf } from './plans.ts';
import { deletePerson } from './deletePerson.ts';
import { isEmptySelection, personRecords, type PersonRecords } from './personRecords.ts';
import { readReceipts, receiptRecords } from './receiptRecords.ts';
import { CodedError } from '../../contracts/errors/problem.ts';
import { systemCodeOf } from '../../contracts/errors/systemProblem.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import { foldText } from '../../contracts/searchKey.ts';
import { reasonsAbout } from './personsOfFaces.ts';
import { rowsWith, addRows } from '../engine/rows.ts';

/** Bytes of a piece: long enough to stand nowhere by chance, short enough to lie on one page. */
const PIECE = 24;
/** Shorter names stand in other words. */
const SHORTEST_NAME = 8;

/** Pieces of everything that is about to go. */
async function residueOf(db: Database, company: CompanyId, rows: PersonRecords): Promise<ErasureResidue> {
  const faces = rows.faces.map(({ id }) => id);
  const templates = await rowsWith(db, 'template', { company_id: company })
    .selectAll()
    .where('face_id', 'in', faces)
    .execute();
  const thumbnails = await rowsWith(db, 'face_thumbnail', { company_id: company })
    .selectAll()
    .where('face_id', 'in', faces)
    .execute();
  const matched = await rowsWith(db, 'screening_match', { company_id: company })
    .selectAll()
    .where('face_id', 'in', faces)
    .execute();
  const cells = cellsOf(db);
  const notes = gonePersons(rows).map(
    ({ note, ...place }) => note && cells.opened('person', 'note', { ...place, note }),
  );
  const reasons = (await reasonsAbout(db, company, faces)).map(
    ({ reason, ...place }) => reason && cells.opened('person_decision', 'reason', { ...place, reason }),
  );
  const photoNotes = rows.photos.map(
    ({ unfixable_note: note, ...place }) =>
      note && cells.opened('upload_item', 'unfixable_note', { ...place, unfixable_note: note }),
  );
  const texts = rows.caseEntries.map(
    ({ content, ...place }) => content && cells.opened('case_entry', 'content', { ...place, content }),
  );
  const names = new Set([
    ...matched.flatMap((row) => typedTexts((column) => cells.shownText('screening_match', column, row))),
    ...rows.validations.flatMap(({ name, metadata }) => [name, metadata ?? '']),
    ...rows.faces.flatMap((face) => [
      face.name,
      ...typedTexts((column) => cells.shownText('face', column, face)),
    ]),
    ...rows.photos.flatMap((photo) => [
      photo.file_name,
      photo.person_name ?? '',
      photo.person_external_id ?? '',
    ]),
    ...gonePersons(rows).flatMap(({ name, external_id: externalId }) => [name, externalId ?? '']),
    ...[...notes, ...reasons, ...photoNotes, ...texts].map((text) => Buffer.from(text ?? []).toString()),
  ]);
  return {
    bytes: [
      ...rows.images.flatMap((image) => cells.opened('image', 'key', image) ?? []),
      ...templates.flatMap((row) => piecesOf(cells.opened('template', 'vector', row))),
      ...thumbnails.flatMap((row) => piecesOf(cells.opened('face_thumbnail', 'jpeg', row))),
    ],
    names: [...new Set([...names, ...[...names].map(foldText)])].filter(
      (name) => Buffer.byteLength(name) >= SHORTEST_NAME,
    ),
  };
}

/**
 * From the beginning, the middle and the end; what is the same byte throughout says nothing. Of a damaged cell there is nothing
 * to look for.
 */
function piecesOf(blob: Uint8Array = new Uint8Array()): Uint8Array[] {
  return [0.2, 0.5, 0.8]
    .map((part) => Math.max(0, Math.floor((blob.length - PIECE) * part)))
    .map((from) => Uint8Array.from(blob.subarray(from, from + PIECE)))
    .filter((piece) => piece.length === PIECE && new Set(piece).size > 4);
}

/** Faults of the system, and of SQLite for the whole file: full, read-only, busy, without memory, unreadable. */
const OF_THE_MACHINE =
  /^(E[A-Z]+$|SQLITE_(BUSY|CANTOPEN|CORRUPT|FULL|IOERR|LOCKED|NOMEM|NOTADB|PROTOCOL|READONLY))/;

/** Whether a fault is of the machine or the database as a whole, and not of the rows that a transaction is about. */
function canPass(cause: unknown): boolean {
  return cause instanceof UnavailableError || OF_THE_MACHINE.test(systemCodeOf(cause) ?? '');
}

/** Templates read at a time. */
const PAGE = 500;

export class Erasures {
  readonly #source: ErasureSource;
  readonly #finishing: ErasureFinalizer;
  /** One after the other: each looks at the whole database. */
  #line: Promise<void> = Promise.resolve();
  /** Begun in this process and not finished. */
  readonly #begun = new Map<string, PendingErasure>();
  /** Of these, the ones that are being finished. */
  readonly #inHand = new Set<string>();

  constructor(source: ErasureSource) {
    this.#source = source;
    this.#finishing = new ErasureFinalizer(source);
  }

  /** The plan of a choice. @throws {CodedError} NOT_FOUND: the company has no record with these ids */
  async plan(company: CompanyId, choice: ErasureChoice): Promise<StoredPlan> {
    const { db } = this.#source;
    const rows = await personRecords(db, company, choice);
    if ('unknown' in rows)
      throw new CodedError({ code: 'NOT_FOUND', parameters: { ids: rows.unknown.join(', ') } });
    return summarizePlan(this.#source, company, rows);
  }

  /** All records with the text in their name. */
  async byName(company: CompanyId, text: string, limit: number): Promise<ErasureCandidate[]> {
    const { db } = this.#source;
    const ofPersons = await candidatesByPerson(db, company, text, limit);
    const known = new Set(ofPersons.map(({ kind, id }) => `${kind} ${id}`));
    const named = await candidatesByName(db, company, text, limit);
    return [...ofPersons, ...named.filter(({ kind, id }) => !known.has(`${kind} ${id}`))];
  }

  /** Candidates for these faces, by what a list shows of them. */
  ofFaces(company: CompanyId, faces: readonly SimilarFace[]): Promise<ErasureCandidate[]> {
    return candidatesOfFaces(this.#source.db, company, faces);
  }

  /**
   * Faces that no search finds, with their templates of the pipeline, by rising ids, page by page: those that are not
   * matchable, and those of blacklists that have expired by `now`.
   */
  async *unmatchable(
    company: CompanyId,
    pipeline: PipelineId,
    now: Date,
  ): AsyncIterable<readonly { faceId: FaceId; vector: Float32Array }[]> {
    for (let after = trusted.face(0); ;) {
      const rows = await this.#source.db
        .selectFrom('face')
        .innerJoin('template', 'template.face_id', 'face.id')
        .selectAll('template')
        .where((eb) => eb.and({ 'face.company_id': company, 'template.pipeline_id': pipeline }))
        .where((eb) => eb.or([eb('face.matchable', '=', 0), eb('face.expires_at', '<=', now.getTime())]))
        .where('face.id', '>', after)
        .orderBy('face.id')
        .limit(PAGE)
        .execute();
      const last = rows.at(-1);
      if (last === undefined) return;
      yield rows.map((row) => ({ faceId: row.face_id, vector: vectorOf(this.#source.db, row) }));
      after = last.face_id;
    }
  }

  /**
   * One transaction: every row of the chosen is gone, and the entry is made.
   * @param code of the plan that was confirmed
   * @throws {CodedError} PLAN_CHANGED: the plan is a different one now, or nothing was chosen
   */
  async begin(
    company: CompanyId,
    choice: ErasureChoice,
    code: string,
    act: AuditContext,
  ): Promise<PendingErasure> {
    const pending = await writing(this.#source.db, company, async (trx) => {
      const rows = await personRecords(trx, company, choice);
      if ('unknown' in rows || isEmptySelection(rows) || codeOf(company, rows) !== code)
        throw new CodedError('PLAN_CHANGED');
      return this.#erase(trx, company, rows, 'request', act);
    });
    this.#take(pending);
    return pending;
  }

  /**
   * The same of some of what is due by the rules, oldest first. The transaction that erases also reads the rules and what is
   * due, so that what an operator has decided before it counts.
   * `changed`: the company has other rules now. `empty`: nothing is due. `records`: how many were due and are gone. `failed`: this
   * choice could not be erased, and nothing of it is gone.
   * @throws a fault of the machine that can pass
   */
  async beginDue(company: CompanyId, due: DueRecords, act: AuditContext): Promise<BegunDue> {
    const tried: { choice?: ErasureChoice } = {};
    const begun = await writing(this.#source.db, company, async (trx): Promise<BegunDue> => {
      if (!isDeepStrictEqual(await rulesOf(trx, company), due.rules)) return { kind: 'changed' };
      const choice = await dueChoice(trx, company, due);
      tried.choice = choice;
      const rows = await personRecords(trx, company, choice);
      if ('unknown' in rows || isEmptySelection(rows)) return { kind: 'empty' };
      const pending = await this.#erase(trx, company, rows, 'retention', act);
      return { kind: 'done', pending, records: recordsIn(choice) };
    }).catch((cause: unknown) => {
      if (tried.choice === undefined || canPass(cause)) throw cause;
      return { kind: 'failed' as const, choice: tried.choice, cause };
    });
    if (begun.kind === 'done') this.#take(begun.pending);
    return begun;
  }

  /**
   * Erases what a receipt says once more, after an older state was restored. Begins a new erasure per company.
   * @returns undefined: no record of the receipt is here
   */
  async again(receipt: ErasureReceipt, act: AuditContext): Promise<PendingErasure | undefined> {
    const { company, reason } = receipt;
    const pending = await writing(this.#source.db, company, async (trx) => {
      const rows = await personRecords(trx, company, await receiptRecords(trx, receipt));
      return 'unknown' in rows || isEmptySelection(rows)
        ? undefined
        : this.#erase(trx, company, rows, reason, act);
    });
    if (pending !== undefined) this.#take(pending);
    return pending;
  }

  /** Receipts that this machine keeps and the database lacks, though it has their records: an older state was restored. */
  async undone(): Promise<ErasureReceipt[]> {
    const { audit, db, home } = this.#source;
    const ours = Buffer.from(await audit.publicKey()).toString('hex');
    const rows = await db.selectFrom('erasure').select('id').execute();
    const known = new Set(rows.map(({ id }) => id));
    const undone: ErasureReceipt[] = [];
    for (const { receipt, publicKey } of await readReceipts(home.folder)) {
      if (publicKey !== ours || known.has(receipt.id)) continue;
      const records = await personRecords(db, receipt.company, await receiptRecords(db, receipt));
      if (!('unknown' in records) && !isEmptySelection(records)) undone.push(receipt);
    }
    return undone;
  }

  #take(begun: PendingErasure): void {
    this.#begun.set(begun.id, begun);
    this.#inHand.add(begun.id);
  }

  async #erase(
    trx: Transaction,
    company: CompanyId,
    rows: PersonRecords,
    reason: ErasureReceipt['reason'],
    act: AuditContext,
  ): Promise<PendingErasure> {
    const { audit } = this.#source;
    const traces = await residueOf(trx, company, rows);
    const { backups, exports, mentionedIn, sources } = await surroundingsOf(trx, audit, company, rows);
    const leaves = await leavesOf(trx, company, rows);
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
      files: { images: 0, bucket: null, keys: 0, journalLines: 0, copies: [] },
      proof: null,
      unreached: [
        ...backups.map(({ sequence }) => ({ what: 'backup' as const, which: `entry ${sequence}` })),
        ...exports.map(({ sequence }) => ({ what: 'export' as const, which: `entry ${sequence}` })),
        ...sources.map(({ installation, list }) => ({
          what: 'source' as const,
          which: `list "${list}" of the installation "${installation}"`,
        })),
        ...mentionedIn.map((validation) => ({ what: 'mention' as const, which: `validation ${validation}` })),
        ...[...new Set(rows.caseEntries.map((entry) => entry.folder_id))].map((folder) => ({
          what: 'caseFolder' as const,
          which: `case folder ${folder}`,
        })),
        ...(rows.photos.length > 0
          ? [{ what: 'originals' as const, which: `photos: ${rows.photos.length}` }]
          : []),
      ],
    };
    const place = { company_id: company, id };
    await addRows(trx, 'erasure', {
      ...place,
      at: act.at.getTime(),
      receipt: JSON.stringify(receipt),
      images: JSON.stringify(rows.images.map((image) => image.id)),
      keys: leaves.length > 0 ? cellsOf(trx).seal('erasure', 'keys', place, Buffer.concat(leaves)) : null,
    });
    audit.append(trx, act, {
      company,
      action: 'person.erased',
      object: `erasure:${id}`,
      details: {
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

  /**
   * Files, journals, copies, the database's log and pages; then the receipts are signed. Can be done again.
   * @throws {RowDamaged} the keys of an erasure were changed on the server: it is not finished, and the others are
   */
  finish(begun: readonly PendingErasure[], copies: CopyPolicy, now: () => Date): Promise<void> {
    const mine = this.#line
      .then(() => this.#finishing.finish(begun, copies, now))
      .then(({ finished, damaged }) => {
        for (const id of finished) this.#begun.delete(id);
        if (damaged !== undefined) throw damaged;
      })
      .finally(() => {
        for (const { id } of begun) this.#inHand.delete(id);
      });
    this.#line = mine.catch(() => undefined);
    return mine;
  }

  /** Brings the file of the receipts in step with the database: at start, for a file that was lost or put back. */
  keepAll(): Promise<void> {
    return this.#finishing.keepAll();
  }

  /** The erasures that a crash interrupted, in all companies. */
  async unfinished(): Promise<PendingErasure[]> {
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

  /** Newest first. */
  async list(company: CompanyId): Promise<ErasureSummary[]> {
    const rows = await rowsWith(this.#source.db, 'erasure', { company_id: company })
      .select(['company_id', 'id', 'receipt', 'signature', 'images'])
      .orderBy('at', 'desc')
      .limit(1000)
      .execute();
    const key = await this.#source.audit.publicKey();
    const cells = cellsOf(this.#source.db);
    return rows.map(({ receipt: text, signature, images, ...row }) => {
      const receipt = erasureReceipt.parse(JSON.parse(text));
      const { id, at, reason, by, erased, proof, unreached } = receipt;
      return {
        id,
        at,
        reason,
        by,
        finished: images === null,
        validations: erased.validations.length,
        faces: erased.faces.length + erased.goneFaces.length,
        photos: erased.photos.length,
        comparisons: erased.comparisons.length,
        found: proof?.found ?? null,
        unreached: unreached.length,
        verified:
          signature === null
            ? null
            : ed25519Verifies(
                key,
                Buffer.from(receiptMessage(receipt)),
                cells.opened('erasure', 'signature', { ...row, signature }) ?? new Uint8Array(),
              ),
      };
    });
  }

  /** undefined while it is not finished, or when there is none. */
  receipt(company: CompanyId, id: string): Promise<SignedReceipt | undefined> {
    return readReceipt(this.#source, company, id);
  }

  /** Whether this very installation signed it. */
  async isOurs({ receipt, signature, publicKey }: SignedReceipt): Promise<boolean> {
    const ours = Buffer.from(await this.#source.audit.publicKey());
    if (!ours.equals(Buffer.from(publicKey, 'hex'))) return false;
    return ed25519Verifies(ours, Buffer.from(receiptMessage(receipt)), Buffer.from(signature, 'hex'));
  }

  /** How many would go now. */
  dueCounts(company: CompanyId, rules: RetentionRules, now: Date): Promise<RetentionCounts> {
    return dueCounts(this.#source.db, company, rules, now);
  }
}

/** The rules of the company as the transaction sees them. */
async function rulesOf(trx: Transaction, company: CompanyId): Promise<RetentionRules> {
  return (await settingsOf(trx, company)).retention;
}

function typedTexts(shown: Parameters<typeof textsOf>[0]): string[] {
  return Object.values(textsOf(shown)).map((text) => text ?? '');
}
