import { sql } from 'kysely';
import { ITEM_STATUS, TRUST_VALIDATION_STATUS } from '../../contracts/codes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import type { OverviewCounts } from '../../domain/ports/dashboard.ts';
import { OPEN_FAILURES } from './enrolmentRuns.ts';
import type { Database } from '../engine/database.ts';

const { Rejected, ReviewNeeded, Verified } = TRUST_VALIDATION_STATUS;

/** Reads indexes only, but for the validations of the day. */
export async function countOverview(db: Database, company: CompanyId, since: Date): Promise<OverviewCounts> {
  const from = since.getTime();
  const { rows } = await sql<OverviewCounts>`
    with day as (
      select status, source, duplicate_detected, blacklist_detected
      from trust_validation where company_id = ${company} and created_at >= ${from}
    ), failed as (
      select upload.run_id from enrolment_run
      join upload on upload.company_id = enrolment_run.company_id and upload.run_id = enrolment_run.id
      join upload_item on ${OPEN_FAILURES}
      where enrolment_run.company_id = ${company} and enrolment_run.started_at >= ${from}
    )
    select
      (select count(*) from trust_validation
        where company_id = ${company} and status = ${ReviewNeeded}) as review,
      (select count(distinct run_id) from upload
        where company_id = ${company} and completed_at is null) as "runningUploads",
      (select count(*) from upload_item
        where company_id = ${company} and status = ${ITEM_STATUS.Pending}) as "waitingImages",
      (select count(distinct run_id) from failed) as "failedUploads",
      (select count(*) from failed) as "failedImages",
      (select count(*) from trust_flow
        where company_id = ${company} and system = 0 and draft is not null) as "draftFlows",
      (select count(*) from enrolment_run
        where company_id = ${company} and started_at >= ${from}) as uploads,
      (select count(*) from day) as validations,
      (select count(*) from day where status = ${Verified} and source = 'verification') as verified,
      (select count(*) from day where status = ${Rejected}) as rejected,
      (select count(*) from day where duplicate_detected = 1) as duplicates,
      (select count(*) from day where blacklist_detected = 1) as blacklisted`.execute(db);
  const [counts] = rows;
  if (counts === undefined) throw new Error('A query without a table answered no row.');
  return counts;
}
