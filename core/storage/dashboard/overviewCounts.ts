import { sql, type RawBuilder } from 'kysely';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { OverviewCounts, UploadFilter } from '../../domain/ports/dashboard.ts';
import type { Database } from '../engine/database.ts';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** The condition on `upload` that a filter is. */
export function uploadsThat({ show, from, until }: UploadFilter): RawBuilder<boolean> {
  const parts = [
    ...(from === undefined ? [] : [sql`upload.created_at >= ${from.getTime()}`]),
    ...(until === undefined ? [] : [sql`upload.created_at < ${until.getTime()}`]),
    ...(show === 'running' ? [sql`upload.completed_at is null`] : []),
    ...(show === 'failed'
      ? [
          sql`exists (select 1 from upload_item
            where upload_item.upload_id = upload.id and upload_item.status = ${ITEM_STATUS.Failed})`,
        ]
      : []),
  ];
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(parts, sql` and `)}`;
}

/** Reads indexes only, but for the validations of the day. */
export async function countOverview(db: Database, company: CompanyId, since: Date): Promise<OverviewCounts> {
  const from = since.getTime();
  const { rows } = await sql<OverviewCounts>`
    with day as (
      select status, duplicate_detected, blacklist_detected
      from trust_validation where company_id = ${company} and created_at >= ${from}
    ), failed as (
      select upload_item.upload_id from upload
      join upload_item on upload_item.upload_id = upload.id and upload_item.status = ${ITEM_STATUS.Failed}
      where upload.company_id = ${company} and upload.created_at >= ${from}
    )
    select
      (select count(*) from trust_validation
        where company_id = ${company} and status = ${ReviewNeeded}) as review,
      (select count(*) from upload where company_id = ${company} and completed_at is null) as runningUploads,
      (select count(*) from upload_item
        where company_id = ${company} and status = ${ITEM_STATUS.Pending}) as waitingImages,
      (select count(distinct upload_id) from failed) as failedUploads,
      (select count(*) from failed) as failedImages,
      (select count(*) from trust_flow
        where company_id = ${company} and system = 0 and draft is not null) as draftFlows,
      (select count(*) from upload where company_id = ${company} and created_at >= ${from}) as uploads,
      (select count(*) from day) as validations,
      (select count(*) from day where status = ${Verified}) as verified,
      (select count(*) from day where status = ${Rejected}) as rejected,
      (select count(*) from day where duplicate_detected = 1) as duplicates,
      (select count(*) from day where blacklist_detected = 1) as blacklisted`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A query without a table answered no row.');
  return counts;
}
