/** The rows that are older than the days of the retention rules. */
import { sql } from 'kysely';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS, type TrustValidationStatus } from '../../contracts/codes.ts';
import { ERASED_NAME, type ErasureChoice } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { RetentionCounts, RetentionRules } from '../../contracts/retention.ts';
import type { DueRecords, RetentionCheck } from '../../domain/ports/erasure.ts';
import { type Database, writing } from '../engine/database.ts';
import { listed, listedTexts } from '../engine/dialect.ts';
import { Rows, countOf, rowsWith } from '../engine/rows.ts';
import { examinedPhotos } from '../persons/examinations.ts';

export class RetentionChecks extends Rows {
  /** undefined: no person has confirmed rules of this company. */
  async find(company: CompanyId): Promise<RetentionCheck | undefined> {
    const row = await rowsWith(this.db, 'retention_check', { company_id: company })
      .selectAll()
      .executeTakeFirst();
    return row && { at: new Date(row.at), boot: row.boot, uptime: row.uptime, confirmed: row.confirmed };
  }

  async save(company: CompanyId, { at, boot, uptime, confirmed }: RetentionCheck): Promise<void> {
    const row = { at: at.getTime(), boot, uptime, confirmed };
    await writing(this.db, company, (trx) =>
      trx
        .insertInto('retention_check')
        .values({ company_id: company, ...row })
        .onConflict((conflict) => conflict.column('company_id').doUpdateSet(row))
        .execute(),
    );
  }
}

const DAY = 24 * 60 * 60 * 1000;
const { Verified, Rejected, ReviewNeeded, Incomplete, InProgress, Created } = TRUST_VALIDATION_STATUS;

/** An enrolled photo and a finished verification have the same status; where they came from tells them apart. */
interface ValidationKind {
  statuses: readonly TrustValidationStatus[];
  source?: 'enrolment' | 'verification';
}

const VALIDATION_KINDS = {
  enrolled: { statuses: [Verified], source: 'enrolment' },
  verified: { statuses: [Verified], source: 'verification' },
  rejected: { statuses: [Rejected] },
  reviewNeeded: { statuses: [ReviewNeeded] },
  incomplete: { statuses: [Incomplete, InProgress, Created] },
} satisfies Partial<Record<keyof RetentionRules, ValidationKind>>;

/** The moment before which things of a kind go; null: they stay. */
function before(days: number | null, now: Date): number | null {
  return days === null ? null : now.getTime() - days * DAY;
}

function validationsDue(
  db: Database,
  company: CompanyId,
  kind: keyof typeof VALIDATION_KINDS,
  until: number,
) {
  const { statuses, source }: ValidationKind = VALIDATION_KINDS[kind];
  return rowsWith(db, 'trust_validation', { company_id: company })
    .where('status', 'in', statuses)
    .$if(source !== undefined, (query) => query.where('source', '=', source!))
    .where((eb) => eb(eb.fn.coalesce('finalized_at', 'created_at'), '<', until));
}

function facesDue(db: Database, company: CompanyId, until: number) {
  return rowsWith(db, 'face', { company_id: company, kind: 'blacklist' }).where('enrolled_at', '<', until);
}

function photosDue(db: Database, company: CompanyId, until: number) {
  return rowsWith(db, 'upload_item', { company_id: company, status: ITEM_STATUS.Failed })
    .where('file_name', '!=', ERASED_NAME)
    .where('processed_at', '<', until);
}

function comparisonsDue(db: Database, company: CompanyId, until: number) {
  return rowsWith(db, 'comparison', { company_id: company }).where('compared_at', '<', until);
}

/** Photos of examinations go with the comparisons: both were given to be compared. */
function examinedDue(db: Database, company: CompanyId, until: number) {
  return examinedPhotos(db, company).where('enrolled_at', '<', until);
}

export async function dueCounts(
  db: Database,
  company: CompanyId,
  rules: RetentionRules,
  now: Date,
): Promise<RetentionCounts> {
  const counted = async (days: number | null, due: (until: number) => Parameters<typeof countOf>[0]) => {
    const until = before(days, now);
    return until === null ? 0 : countOf(due(until));
  };
  const ofStatus = (kind: keyof typeof VALIDATION_KINDS) =>
    counted(rules[kind], (until) => validationsDue(db, company, kind, until));
  return {
    enrolled: await ofStatus('enrolled'),
    verified: await ofStatus('verified'),
    rejected: await ofStatus('rejected'),
    reviewNeeded: await ofStatus('reviewNeeded'),
    incomplete: await ofStatus('incomplete'),
    blacklistFaces: await counted(rules.blacklistFaces, (until) => facesDue(db, company, until)),
    failedPhotos: await counted(rules.failedPhotos, (until) => photosDue(db, company, until)),
    comparisons:
      (await counted(rules.comparisons, (until) => comparisonsDue(db, company, until))) +
      (await counted(rules.comparisons, (until) => examinedDue(db, company, until))),
  };
}

/** The oldest of each kind, up to a limit over all. */
export async function dueChoice(
  db: Database,
  company: CompanyId,
  { rules, now, limit, except }: DueRecords,
): Promise<ErasureChoice> {
  const choice: ErasureChoice = { validations: [], faces: [], photos: [], comparisons: [] };
  let room = limit;
  for (const kind of Object.keys(VALIDATION_KINDS) as (keyof typeof VALIDATION_KINDS)[]) {
    const until = before(rules[kind], now);
    if (until === null) continue;
    const rows = await validationsDue(db, company, kind, until)
      .where('id', 'not in', listed(except.validations))
      .select('id')
      .orderBy('id')
      .limit(room)
      .execute();
    choice.validations.push(...rows.map(({ id }) => id));
    room -= rows.length;
  }
  const faces = before(rules.blacklistFaces, now);
  if (faces !== null) {
    const rows = await facesDue(db, company, faces)
      .where('id', 'not in', listed(except.faces))
      .select('id')
      .orderBy('id')
      .limit(room)
      .execute();
    choice.faces.push(...rows.map(({ id }) => id));
    room -= rows.length;
  }
  const photos = before(rules.failedPhotos, now);
  if (photos !== null) {
    const left = except.photos.map(({ uploadId, index }) => `${uploadId} ${index}`);
    const rows = await photosDue(db, company, photos)
      .where(sql<string>`upload_id || ' ' || position`, 'not in', listedTexts(left))
      .select(['upload_id', 'position'])
      .orderBy('id')
      .limit(room)
      .execute();
    choice.photos.push(...rows.map((row) => ({ uploadId: row.upload_id, index: row.position })));
    room -= rows.length;
  }
  const comparisons = before(rules.comparisons, now);
  if (comparisons !== null) {
    const rows = await comparisonsDue(db, company, comparisons)
      .where('id', 'not in', listed(except.comparisons))
      .select('id')
      .orderBy('id')
      .limit(room)
      .execute();
    choice.comparisons.push(...rows.map(({ id }) => id));
    const examined = await examinedDue(db, company, comparisons)
      .where('id', 'not in', listed(except.faces))
      .select('id')
      .orderBy('id')
      .limit(room - rows.length)
      .execute();
    choice.faces.push(...examined.map(({ id }) => id));
  }
  return choice;
}
