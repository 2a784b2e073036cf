import { imageRow } from '../images/imageFiles.ts';
import { sql } from 'kysely';
import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import { verificationName } from '../../contracts/verifications.ts';
import type { IncompleteCode } from '../../contracts/incomplete.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import {
  trusted,
  type CompanyId,
  type PipelineId,
  type TrustValidationId,
  type TrustFlowId,
  type FaceId,
} from '../../contracts/ids.ts';
import type { ScreeningFacts, HistoryEntry } from '../../contracts/validations.ts';
import { UnavailableError } from '../../domain/ports/machine.ts';
import type { ValidationState, MatchRecord } from '../../domain/ports/screening.ts';
import type { AuditAction } from '../../contracts/audit.ts';
import type { NewAuditEntry } from '../../domain/ports/auditEntry.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { adding, send, writing, type Transaction } from '../engine/database.ts';
import { newIds } from '../engine/dialect.ts';
import { keyOf } from '../engine/searchKeys.ts';
import { insertFace } from '../faces/faces.ts';
import { recordHistory } from '../history/validationHistory.ts';
import { readDetail, readList } from './validationQueries.ts';
import {
  hasSelfies,
  insertMatches,
  setMatchable,
  statusOf,
  supersedeSelfies,
  readCreatedBy,
  readState,
} from './validationRows.ts';
import type { WrittenImage } from '../../domain/ports/images.ts';
import type { ImageFacts, ExtractedFace } from '../../contracts/faces.ts';
import { AuditedRows, changeRows, rowsWith } from '../engine/rows.ts';

const { Created, InProgress, Incomplete } = TRUST_VALIDATION_STATUS;
/** Statuses in which a validation takes a selfie and can be finalised. */
const OPEN: readonly TrustValidationStatus[] = [Created, InProgress];

export class Validations extends AuditedRows {
  /** @returns the validation that a request of an operator created */
  readonly createdBy = readCreatedBy.bind(undefined, this.db);
  readonly detail = readDetail.bind(undefined, this.db);
  /** Newest first; stays right while rows are added, because the cursor is an id. */
  readonly list = readList.bind(undefined, this.db);

  /** @throws {UnavailableError} a validation of the company has the same `requestId`: another service made it meanwhile */
  async create(
    company: CompanyId,
    validation: {
      trustFlowId: TrustFlowId;
      versionId: number;
      /** absent: the name states the number of the verification */
      name?: string | undefined;
      metadata: unknown;
      requestId?: string | undefined;
    },
    act: AuditContext,
  ): Promise<Pick<ValidationState, 'id' | 'name'>> {
    const { requestId } = validation;
    const create = async (trx: Transaction) => {
      if (requestId !== undefined && (await readCreatedBy(trx, company, requestId)) !== undefined)
        throw new UnavailableError('Another service makes the verification of this request. Try again.');
      const metadata = JSON.stringify(validation.metadata ?? null);
      const [newId] = await newIds(trx, 'trust_validation', 1);
      const id = trusted.trustValidation(newId!);
      const name = validation.name ?? verificationName(id);
      await send(
        trx,
        trx.insertInto('trust_validation').values({
          id,
          company_id: company,
          trust_flow_id: validation.trustFlowId,
          flow_version_id: validation.versionId,
          status: Created,
          source: 'verification',
          name,
          metadata,
          ...keyOf('trust_validation', { name, metadata }),
          request_id: requestId ?? null,
          created_at: act.at.getTime(),
        }),
      );
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action: 'created',
        from: null,
        to: Created,
        note: null,
      });
      this.#record(trx, act, 'validation.created', company, id);
      return { id, name };
    };
    return requestId === undefined ? adding(this.db, create) : writing(this.db, company, create);
  }

  /** @param pipeline of the template that is wanted */
  async state(
    company: CompanyId,
    id: TrustValidationId,
    pipeline: PipelineId,
  ): Promise<ValidationState | undefined> {
    return readState(this.db, { company, id, pipeline });
  }

  /**
   * Keeps the selfie of an open validation. Earlier ones stay, do not match, and are screened at finalisation.
   * @returns the face, and the earlier one whose place it took; undefined when the validation is not open any more
   */
  async setSelfie(
    company: CompanyId,
    id: TrustValidationId,
    selfie: {
      image: WrittenImage;
      facts: ImageFacts;
      face: ExtractedFace;
      /** The photo shows the person more than once. */
      onePerson: boolean;
      name: string;
      /** Others are compared with it from now on, and not only once the validation is Verified. */
      matchable: boolean;
    },
    act: AuditContext,
  ): Promise<{ faceId: FaceId; superseded: FaceId[] } | undefined> {
    return writing(this.db, company, async (trx) => {
      const row = await rowsWith(trx, 'trust_validation', { company_id: company, id })
        .select(['status', 'metadata'])
        .executeTakeFirst();
      if (row === undefined || !OPEN.includes(row.status)) return undefined;
      const { image, facts, face, name } = selfie;
      await send(
        trx,
        changeRows(trx, 'trust_validation', { company_id: company, id }).set({
          status: InProgress,
          name,
          ...keyOf('trust_validation', { name, metadata: row.metadata }),
          incomplete_reason: null,
        }),
      );
      const superseded = await supersedeSelfies(trx, company, id);
      await send(
        trx,
        trx.insertInto('image').values({
          ...imageRow(trx, company, image, act.at.getTime()),
          width: facts.width,
          height: facts.height,
        }),
      );
      const faceId = await insertFace(trx, company, {
        watchlist: { kind: 'duplicate' },
        trustValidationId: id,
        name,
        imageId: image.id,
        face,
        enrolledAt: act.at,
        matchable: selfie.matchable,
        listing: null,
      });
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action: superseded.length > 0 ? 'selfie-replaced' : 'selfie-accepted',
        from: row.status,
        to: InProgress,
        note: null,
      });
      if (selfie.onePerson)
        await recordHistory(trx, company, id, {
          at: act.at,
          actor: act.by,
          action: 'one-person',
          from: InProgress,
          to: InProgress,
          note: null,
        });
      this.#record(trx, act, 'validation.selfie', company, id, { face: faceId });
      return { faceId, superseded };
    });
  }

  /** Writes into the history of an open validation that a selfie could not be used. */
  async refuseSelfie(
    company: CompanyId,
    id: TrustValidationId,
    failureCode: FailureCode,
    act: AuditContext,
  ): Promise<void> {
    await writing(this.db, company, async (trx) => {
      const status = await statusOf(trx, company, id);
      if (status === undefined || !OPEN.includes(status)) return;
      await send(
        trx,
        changeRows(trx, 'trust_validation', { company_id: company, id }).set({
          incomplete_reason: failureCode,
        }),
      );
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action: 'selfie-refused',
        from: status,
        to: status,
        note: null,
        failureCode,
      });
      this.audit.append(trx, act, {
        company,
        action: 'validation.selfie',
        object: `validation:${id}`,
        outcome: 'refused',
      });
    });
  }

  /**
   * One transaction: status, entries, facts, history, and whether the selfie is matchable.
   * @returns `closed`: it was finalised before; `outdated`: the outcome no longer follows from what is stored. Nothing is
   *   written in either case.
   */
  async finalise(
    company: CompanyId,
    id: TrustValidationId,
    outcome: {
      status: TrustValidationStatus;
      matches: readonly MatchRecord[];
      facts: ScreeningFacts | null;
      createdAt: Date;
      /** The selfies that were screened: all of the validation, oldest first. */
      selfies: readonly FaceId[];
      /**
       * Whether the screening would have the same matches now; absent: no other service can have changed that. It runs in
       * the transaction, before which no other of the company can commit, and must not use the store.
       */
      stands?: () => Promise<boolean>;
    },
    act: AuditContext,
  ): Promise<'finalised' | 'closed' | 'outdated'> {
    return writing(this.db, company, async (trx) => {
      const before = await statusOf(trx, company, id);
      if (before === undefined || !OPEN.includes(before)) return 'closed';
      const { status, matches, facts, selfies, createdAt, stands } = outcome;
      if (!(await hasSelfies(trx, company, id, selfies)) || (await stands?.()) === false) return 'outdated';
      await send(
        trx,
        changeRows(trx, 'trust_validation', { company_id: company, id }).set({
          status,
          finalized_at: act.at.getTime(),
          duplicate_detected: matches.some(({ kind }) => kind === 'duplicate') ? 1 : 0,
          blacklist_detected: matches.some(({ kind }) => kind === 'blacklist') ? 1 : 0,
          best_score: Math.max(0, ...matches.map(({ score }) => score)),
          ...(status === Incomplete && {
            incomplete_reason: sql<IncompleteCode>`coalesce(incomplete_reason, 'NO_SELFIE')`,
          }),
        }),
      );
      await insertMatches(trx, company, id, matches);
      if (facts !== null)
        await send(
          trx,
          trx
            .insertInto('screening')
            .values({ trust_validation_id: id, company_id: company, facts: JSON.stringify(facts) }),
        );
      await setMatchable(trx, company, id, status);
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action: 'finalised',
        from: before,
        to: status,
        note: null,
      });
      this.#record(trx, act, 'validation.finalised', company, id, {
        status,
        screened: facts !== null,
        matches: matches.length,
        listed: matches.filter(({ kind }) => kind === 'blacklist').length,
        watchlists: facts === null ? [] : searchedLists(facts),
        took: act.at.getTime() - createdAt.getTime(),
      });
      return 'finalised';
    });
  }

  /**
   * A person's decision, if the status is still the one they saw; the selfie is matchable exactly while it is Verified.
   * `changed`: the validation has another status than the reviewer saw.
   */
  async decide(
    company: CompanyId,
    id: TrustValidationId,
    decision: {
      seen: TrustValidationStatus;
      status: TrustValidationStatus;
      action: HistoryEntry['action'];
      note: string;
    },
    act: AuditContext,
  ): Promise<'decided' | 'changed' | 'unknown'> {
    return writing(this.db, company, async (trx) => {
      const before = await statusOf(trx, company, id);
      if (before === undefined) return 'unknown';
      if (before !== decision.seen) return 'changed';
      await send(
        trx,
        changeRows(trx, 'trust_validation', { company_id: company, id }).set({ status: decision.status }),
      );
      await setMatchable(trx, company, id, decision.status);
      const { action, note } = decision;
      await recordHistory(trx, company, id, {
        at: act.at,
        actor: act.by,
        action,
        from: before,
        to: decision.status,
        note,
      });
      this.#record(trx, act, 'validation.decided', company, id, {
        from: before,
        to: decision.status,
      });
      return 'decided';
    });
  }

  #record(
    trx: Transaction,
    act: AuditContext,
    action: AuditAction,
    company: CompanyId,
    id: TrustValidationId,
    details: NewAuditEntry['details'] = {},
  ): void {
    this.audit.append(trx, act, { company, action, object: `validation:${id}`, details });
  }
}

/** The screened lists as a search records them; null: duplicate detection. */
function searchedLists({ duplicateDetection, blacklists }: ScreeningFacts): (number | null)[] {
  return [...(duplicateDetection ? [null] : []), ...blacklists.map(({ blacklistId }) => blacklistId)];
}
