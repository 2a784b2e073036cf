import type { Selectable } from 'kysely';
import { TRUST_VALIDATION_STATUS, TRUST_VALIDATION_STATUS_LABEL } from '../../contracts/codes.ts';
import { incompleteReasonOf } from '../../contracts/incomplete.ts';
import { trusted, type CompanyId, type TrustValidationId } from '../../contracts/ids.ts';
import {
  screeningFacts,
  type BlacklistEntry,
  type DuplicateEntry,
  type HistoryEntry,
  type ValidationDetail,
  type ValidationQuery,
  type ValidationSummary,
} from '../../contracts/validations.ts';
import { cellsOf } from '../engine/cells.ts';
import type { Database } from '../engine/database.ts';
import { isNamed } from '../engine/nameSearch.ts';
import { personMatchOf } from './validationRows.ts';
import type { Schema } from '../engine/schema.ts';
import { rowsWith } from '../engine/rows.ts';

type MatchRow = Selectable<Schema['screening_match']>;

/** A page of the list, newest first. */
export async function readList(
  db: Database,
  company: CompanyId,
  query: ValidationQuery & { offset?: number },
): Promise<ValidationSummary[]> {
  let rows = withFlow(db, company);
  if (query.status !== undefined) rows = rows.where('trust_validation.status', '=', query.status);
  if (query.trustFlowId !== undefined)
    rows = rows.where('trust_validation.trust_flow_id', '=', trusted.trustFlow(query.trustFlowId));
  if (query.from !== undefined)
    rows = rows.where('trust_validation.created_at', '>=', new Date(query.from).getTime());
  if (query.to !== undefined)
    rows = rows.where('trust_validation.created_at', '<', new Date(query.to).getTime());
  if (query.after !== undefined)
    rows = rows.where('trust_validation.id', '<', trusted.trustValidation(query.after));
  if (query.text !== undefined && query.text !== '')
    rows = rows.where(isNamed('trust_validation', query.text));
  switch (query.hit) {
    case 'duplicate':
      rows = rows.where('trust_validation.duplicate_detected', '=', 1);
      break;
    case 'blacklist':
      rows = rows.where('trust_validation.blacklist_detected', '=', 1);
      break;
    case 'any':
      rows = rows.where((eb) =>
        eb.or([
          eb('trust_validation.duplicate_detected', '=', 1),
          eb('trust_validation.blacklist_detected', '=', 1),
        ]),
      );
      break;
    case 'none':
      rows = rows
        .where('trust_validation.duplicate_detected', '=', 0)
        .where('trust_validation.blacklist_detected', '=', 0);
      break;
    case undefined:
      break;
  }
  const page = await rows
    .orderBy('trust_validation.id', 'desc')
    .limit(query.limit)
    .offset(query.offset ?? 0)
    .execute();
  return page.map(toSummary);
}

/** One validation with its entries and its history. */
export async function readDetail(
  db: Database,
  company: CompanyId,
  id: TrustValidationId,
): Promise<ValidationDetail | undefined> {
  const row = await withFlow(db, company).where('trust_validation.id', '=', id).executeTakeFirst();
  if (row === undefined) return undefined;
  const matches = await rowsWith(db, 'screening_match', { company_id: company, trust_validation_id: id })
    .selectAll()
    .orderBy('id')
    .execute();
  const screening = await rowsWith(db, 'screening', { company_id: company, trust_validation_id: id })
    .select('facts')
    .executeTakeFirst();
  return {
    ...toSummary(row),
    metadata: row.metadata === null ? null : (JSON.parse(row.metadata) as unknown),
    duplicates: matches.filter(({ kind }) => kind === 'duplicate').map(toDuplicate),
    blacklistMatches: groupByBlacklist(matches.filter(({ kind }) => kind === 'blacklist')),
    screening: screening === undefined ? null : screeningFacts.parse(JSON.parse(screening.facts)),
    history: await readHistory(db, company, id),
  };
}

async function readHistory(db: Database, company: CompanyId, id: TrustValidationId): Promise<HistoryEntry[]> {
  const rows = await rowsWith(db, 'validation_history', { company_id: company, trust_validation_id: id })
    .selectAll()
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    at: new Date(row.at).toISOString(),
    actor: row.actor,
    action: row.action,
    fromStatus: row.from_status,
    toStatus: row.to_status,
    note: cellsOf(db).shownText('validation_history', 'note', row),
    failureCode: row.failure_code,
  }));
}

function withFlow(db: Database, company: CompanyId) {
  return db
    .selectFrom('trust_validation')
    .innerJoin('trust_flow', 'trust_flow.id', 'trust_validation.trust_flow_id')
    .selectAll('trust_validation')
    .select('trust_flow.name as flow_name')
    .where('trust_validation.company_id', '=', company);
}

function toSummary(row: Selectable<Schema['trust_validation']> & { flow_name: string }): ValidationSummary {
  return {
    id: row.id,
    trustFlowId: row.trust_flow_id,
    trustFlowName: row.flow_name,
    name: row.name,
    source: row.source,
    status: row.status,
    statusLabel: TRUST_VALIDATION_STATUS_LABEL[row.status],
    duplicateDetected: row.duplicate_detected === 1,
    blacklistDetected: row.blacklist_detected === 1,
    incompleteReason: reasonOf(row),
    createdAt: new Date(row.created_at).toISOString(),
    finalizedAt: row.finalized_at === null ? null : new Date(row.finalized_at).toISOString(),
  };
}

/** The stored reason while the status is Incomplete. A refused selfie alone does not make a verification Incomplete. */
function reasonOf(row: Selectable<Schema['trust_validation']>): ValidationSummary['incompleteReason'] {
  const { status, incomplete_reason: code } = row;
  return status === TRUST_VALIDATION_STATUS.Incomplete && code !== null ? incompleteReasonOf(code) : null;
}

function toDuplicate(row: MatchRow): DuplicateEntry {
  if (row.matched_trust_validation_id === null)
    throw new Error(`Duplicate entry ${row.id} names no Trust Validation.`);
  return {
    trustValidationId: row.matched_trust_validation_id,
    similarityScore: row.score,
    enrolledAt: new Date(row.enrolled_at).toISOString(),
    band: row.band,
    person: personMatchOf(row),
  };
}

/** Rows come nearest first within a list, so the first of each is its entry's best match. */
function groupByBlacklist(rows: readonly MatchRow[]): BlacklistEntry[] {
  const entries = new Map<number, BlacklistEntry>();
  for (const row of rows) {
    if (row.blacklist_id === null || row.blacklist_name === null)
      throw new Error(`Blacklist entry ${row.id} names no blacklist.`);
    const match = {
      fullName: row.full_name,
      similarityScore: row.score,
      blacklistFaceUploadId: row.face_id,
      enrolledAt: new Date(row.enrolled_at).toISOString(),
      band: row.band,
      person: personMatchOf(row),
    };
    const entry = entries.get(row.blacklist_id) ?? {
      ...match,
      blacklistId: row.blacklist_id,
      blacklistName: row.blacklist_name,
      matches: [],
    };
    entry.matches.push(match);
    entries.set(row.blacklist_id, entry);
  }
  return [...entries.values()];
}
