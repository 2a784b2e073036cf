/** The list of Trust Validations: filtered, sorted by any of its columns, in pages that stay where they are. */
import { sql, type RawBuilder } from 'kysely';
import { TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import {
  referenceOf,
  type ValidationQuery,
  type ValidationSort,
} from '../../contracts/dashboard/validations.ts';
import type { CompanyId, PersonId, TrustFlowId, TrustValidationId } from '../../contracts/ids.ts';
import { isoTime } from '../../domain/values/time.ts';
import type { Database } from '../engine/database.ts';
import { exactness, isNamed } from '../engine/nameSearch.ts';
import { countOf, rowsWith } from '../engine/rows.ts';

export interface ValidationFilter extends Pick<
  ValidationQuery,
  'source' | 'hit' | 'band' | 'text' | 'person'
> {
  status?: TrustValidationStatus | undefined;
  flow?: TrustFlowId | undefined;
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
  /** These alone, as far as the other filters leave them. */
  ids?: readonly TrustValidationId[] | undefined;
}

/** Where a page ended: the value that it is sorted by, and the row. */
export interface ValidationPosition {
  value: string | number;
  id: TrustValidationId;
}

/** The value that rows are sorted by; equal values follow by number. Each has an index (company, value, id). */
const VALUES: Readonly<Record<ValidationSort, RawBuilder<string | number>>> = {
  created: sql`trust_validation.id`,
  name: sql`lower(trust_validation.name)`,
  status: sql`trust_validation.status`,
  score: sql`trust_validation.best_score`,
  finalized: sql`coalesce(trust_validation.finalized_at, 0)`,
};

/** One page of the rows that the filter leaves, as a query. */
export function selectValidations(
  db: Database,
  company: CompanyId,
  filter: ValidationFilter,
  page: {
    sort: ValidationSort;
    descending: boolean;
    /** The last row of the page before, in the same order. */
    after?: ValidationPosition | undefined;
    limit: number;
  },
) {
  const { sort, descending, after, limit } = page;
  const text = filter.text?.trim() ?? '';
  const byId = sort === 'created' && text === '';
  // A record whose field is the text as a whole comes first.
  const first = sql<number>`(${exactness('trust_validation', text)} * ${sql.raw(descending ? '1' : '-1')})`;
  const value = sort === 'created' && text !== '' ? first : VALUES[sort];
  const direction = descending ? 'desc' : 'asc';
  let rows = filteredValidations(db, company, filter)
    .innerJoin('trust_flow', 'trust_flow.id', 'trust_validation.trust_flow_id')
    .leftJoin('face', (join) =>
      join.onRef('face.trust_validation_id', '=', 'trust_validation.id').on('face.superseded', '=', 0),
    )
    .leftJoin('screening_match as best', (join) => join.on(isBestMatch))
    .leftJoin('face as best_face', 'best_face.id', 'best.face_id')
    .selectAll('trust_validation')
    .select([
      'trust_flow.name as flow_name',
      'face.id as face_id',
      'best.score',
      'best.band',
      'best.full_name',
      'best.blacklist_name',
      'best.severity',
      'best.matched_trust_validation_id',
      'best_face.id as best_face_id',
      value.as('position'),
    ]);
  if (after !== undefined) {
    const beyond = sql.raw(descending ? '<' : '>');
    rows = rows.where(
      byId
        ? sql<boolean>`trust_validation.id ${beyond} ${after.id}`
        : // The first term alone lets SQLite begin at this place of the index.
          sql<boolean>`(${value} ${beyond}= ${after.value}
            and (${value} ${beyond} ${after.value} or trust_validation.id ${beyond} ${after.id}))`,
    );
  }
  if (!byId) rows = rows.orderBy(value, direction);
  return rows.orderBy('trust_validation.id', direction).limit(limit);
}

export type ListedValidation = Awaited<ReturnType<typeof readValidations>>[number];

/** @returns one page of the rows that the filter leaves; the best match is that of the highest score, and its face may be erased */
export async function readValidations(...query: Parameters<typeof selectValidations>) {
  const found = await selectValidations(...query).execute();
  return found.map((row) => ({
    id: row.id,
    status: row.status,
    source: row.source,
    trustFlowId: row.trust_flow_id,
    trustFlowName: row.flow_name,
    name: row.name,
    reference: row.metadata === null ? null : referenceOf(JSON.parse(row.metadata)),
    faceId: row.face_id,
    duplicateDetected: row.duplicate_detected === 1,
    blacklistDetected: row.blacklist_detected === 1,
    incompleteReason: row.status === TRUST_VALIDATION_STATUS.Incomplete ? row.incomplete_reason : null,
    bestMatch:
      row.score === null || row.band === null || row.full_name === null
        ? null
        : {
            score: row.score,
            band: row.band,
            name: row.full_name,
            blacklistName: row.blacklist_name,
            severity: row.severity,
            trustValidationId: row.matched_trust_validation_id,
            faceId: row.best_face_id,
          },
    createdAt: isoTime(row.created_at),
    finalizedAt: isoTime(row.finalized_at),
    position: { value: row.position, id: row.id },
  }));
}

/** Looked up for the rows of the page alone. */
const isBestMatch = sql<boolean>`best.id = ${ofBestMatch('id')}`;

/** A column of the match of the highest score. */
function ofBestMatch(column: 'id' | 'band') {
  return sql`(
    select ${sql.ref(column)} from screening_match
    where screening_match.trust_validation_id = trust_validation.id
      and screening_match.company_id = trust_validation.company_id
    order by score desc, id limit 1)`;
}

/** @returns how many rows the filter leaves, and how many of them need review */
export async function countValidations(
  db: Database,
  company: CompanyId,
  filter: ValidationFilter,
): Promise<{ total: number; needReview: number }> {
  // Grouped by the index on the status, all rows would be walked to count the few that are named so: a sum keeps it out.
  const status =
    (filter.text ?? '').trim() === ''
      ? sql<number>`trust_validation.status`
      : sql<number>`(trust_validation.status + 0)`;
  const rows = await filteredValidations(db, company, filter)
    .select((eb) => [status.as('status'), eb.fn.countAll<number>().as('count')])
    .groupBy(status)
    .execute();
  const total = rows.reduce((sum, { count }) => sum + count, 0);
  const needReview = rows.find((row) => row.status === TRUST_VALIDATION_STATUS.ReviewNeeded)?.count ?? 0;
  return { total, needReview };
}

/** @returns how many matches the validations have that the filter leaves */
export function countMatches(db: Database, company: CompanyId, filter: ValidationFilter): Promise<number> {
  return countOf(
    rowsWith(db, 'screening_match', { company_id: company }).where(
      'trust_validation_id',
      'in',
      filteredValidations(db, company, filter).select('trust_validation.id'),
    ),
  );
}

function filteredValidations(db: Database, company: CompanyId, filter: ValidationFilter) {
  let rows = db.selectFrom('trust_validation').where('trust_validation.company_id', '=', company);
  if (filter.ids !== undefined) rows = rows.where('trust_validation.id', 'in', filter.ids);
  if (filter.status !== undefined) rows = rows.where('trust_validation.status', '=', filter.status);
  if (filter.source !== undefined) rows = rows.where('trust_validation.source', '=', filter.source);
  if (filter.flow !== undefined) rows = rows.where('trust_validation.trust_flow_id', '=', filter.flow);
  if (filter.from !== undefined)
    rows = rows.where('trust_validation.created_at', '>=', filter.from.getTime());
  if (filter.until !== undefined)
    rows = rows.where('trust_validation.created_at', '<', filter.until.getTime());
  if (filter.hit === 'duplicate') rows = rows.where('trust_validation.duplicate_detected', '=', 1);
  if (filter.hit === 'blacklist') rows = rows.where('trust_validation.blacklist_detected', '=', 1);
  if (filter.hit === 'none')
    rows = rows
      .where('trust_validation.duplicate_detected', '=', 0)
      .where('trust_validation.blacklist_detected', '=', 0);
  // A score of 0 is that of a row without matches. Its index leaves those rows out.
  if (filter.band !== undefined)
    rows = rows
      .where('trust_validation.best_score', '>', 0)
      .where(sql<boolean>`${ofBestMatch('band')} = ${filter.band}`);
  if (filter.person !== undefined)
    rows = rows.where(
      'trust_validation.id',
      'in',
      validationsOfPerson(db, company, filter.person, filter.hit),
    );
  const text = filter.text?.trim() ?? '';
  if (text === '') return rows;
  return rows.where(isNamed('trust_validation', text, /^\d{1,15}$/.test(text) ? Number(text) : undefined));
}

/** Validations of the faces of a person, and those in which one of these faces was found. @param hit where it was found; absent: anywhere */
function validationsOfPerson(
  db: Database,
  company: CompanyId,
  person: PersonId,
  hit: ValidationFilter['hit'],
) {
  const faces = db
    .selectFrom('person_face')
    .innerJoin('face', 'face.id', 'person_face.face_id')
    .where('person_face.company_id', '=', company)
    .where('person_face.person_id', '=', person);
  const own = faces
    .where('face.trust_validation_id', 'is not', null)
    .select('face.trust_validation_id as id');
  const matches = rowsWith(db, 'screening_match', { company_id: company }).$if(
    hit === 'duplicate' || hit === 'blacklist',
    (rows) => rows.where('screening_match.kind', '=', hit === 'blacklist' ? 'blacklist' : 'duplicate'),
  );
  return own
    .union(
      matches
        .where('screening_match.matched_trust_validation_id', 'in', own)
        .select('screening_match.trust_validation_id as id'),
    )
    .union(
      matches
        .where('screening_match.matched_trust_validation_id', 'is', null)
        .where('screening_match.face_id', 'in', faces.select('face.id'))
        .select('screening_match.trust_validation_id as id'),
    );
}
