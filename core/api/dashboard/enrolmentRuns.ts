import {
  runApi,
  type FailureQuery,
  type FailureRow,
  type RunRow,
} from '../../contracts/dashboard/enrolmentRuns.ts';
import type { FastifyInstance } from 'fastify';
import { pathId, trusted, type CompanyId, type RunId } from '../../contracts/ids.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { isClearlyMain } from '../../domain/enrolment/mainFace.ts';
import { serve } from './access/guard.ts';
import { ApiError, existing } from '../http/errors.ts';
import { periodOf } from '../http/query.ts';
import { receiveUpload, takeImageForms } from '../http/uploadForm.ts';
import { cursorAfter } from '../http/paging.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type {
  EnrolmentRun,
  EnrolmentRuns,
  FailedPhoto,
  FailureFilter,
  ListedFailure,
} from '../../storage/dashboard/enrolmentRuns.ts';
import type { NamedFix, UploadDestination } from '../../domain/enrolment/intake.ts';

/** Rows per page by default. */
const PAGE = 50;

/** Enrolment runs, the photos that failed, and the way in which an operator corrects one. */
export function enrolmentRunRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { runs, intake, accepted } = ports;
  serve(app, runApi.list, async ({ companyId, query }) => {
    const { show, cursor, limit = PAGE } = query;
    const filter = { show, ...periodOf(query) };
    const after = cursor === undefined ? undefined : readRunCursor(cursor);
    const [found, total, names] = await Promise.all([
      ports.runs.list(companyId, filter, { limit, after }),
      ports.runs.count(companyId, filter),
      actorNames(ports, companyId),
    ]);
    const nextCursor = cursorAfter(found, limit, (last) => `${Date.parse(last.startedAt)}.${last.runId}`);
    return { items: found.map((run) => runBody(run, names)), nextCursor, total };
  });
  serve(app, runApi.read, async ({ companyId, params: { id } }) => {
    const found = existing(await ports.runs.find(companyId, id));
    return runBody(found, await actorNames(ports, companyId));
  });
  serve(app, runApi.setUnfixable, async ({ companyId, act, body }) => {
    await ports.runs.setUnfixable(companyId, body, act);
  });
  serve(app, runApi.failures, async ({ companyId, operator, query }) => {
    const { cursor, limit = PAGE } = query;
    const filter = failureFilter(query);
    // A cursor that this route did not write begins at the first page.
    const before = pathId.uploadItem.safeParse(cursor).data;
    const [found, reasons, names] = await Promise.all([
      ports.runs.failures(companyId, filter, { limit, before }),
      ports.runs.countFailures(companyId, filter),
      actorNames(ports, companyId),
    ]);
    const counts = [...reasons].map(([code, count]) => ({ code, count }));
    return {
      items: found.map((failure) => failureBody(operator, failure, names)),
      nextCursor: cursorAfter(found, limit, ({ id }) => String(id)),
      total: counts
        .filter(({ code }) => filter.reason === undefined || code === filter.reason)
        .reduce((sum, { count }) => sum + count, 0),
      reasons: counts,
    };
  });
  // The service keeps no photo that failed, so the operator's browser sends the corrected photo. It goes through the intake
  // of all photos, under the name and into the list of the failed one.
  serve(
    app,
    { ...runApi.fix, takes: takeImageForms },
    async ({ companyId, actor: by, operator: { role }, params: { id }, query, request }) => {
      const failed = existing(await runs.failure(companyId, id));
      const { face = null, faces } = query;
      const receipt = await receiveUpload(request, intake, destinationOf(failed), {
        companyId,
        by,
        mayName: mayRole(role, 'persons:write'),
        otherFormats: true,
        run: { id: failed.runId, source: 'dashboard', severalFaces: 'refuse' },
        fix: { items: [id], fileName: failed.fileName, face, faces },
      });
      accepted();
      return { uploadId: receipt.id };
    },
  );
}

/** The list of a failed photo, with the severity, the reason and the expiry that its upload was sent with. */
function destinationOf({ target, listing }: FailedPhoto): UploadDestination {
  return target.kind === 'duplicate'
    ? { kind: 'duplicate' }
    : { kind: 'blacklist', blacklistId: target.blacklistId, listing: listing ?? undefined };
}

/**
 * The failed photos that the photos of an upload are sent for once more.
 * @param fixes as {@link retryDeclaration} has it
 * @throws {ApiError} 404: one of them is not a failed photo of the same list
 */
export async function retriedPhotos(
  runs: EnrolmentRuns,
  company: CompanyId,
  destination: UploadDestination,
  fixes: string | undefined,
): Promise<NamedFix | undefined> {
  if (fixes === undefined) return undefined;
  const items = fixes.split(',').map((id) => (Number(id) === 0 ? null : pathId.uploadItem.parse(id)));
  for (const item of items) {
    if (item === null) continue;
    const target = (await runs.failure(company, item))?.target;
    const list = target?.kind === 'blacklist' ? target.blacklistId : null;
    const wanted = destination.kind === 'blacklist' ? destination.blacklistId : null;
    if (target === undefined || list !== wanted) throw new ApiError('NOT_FOUND');
  }
  return { items, face: null, faces: 0 };
}

function failureFilter(query: FailureQuery): FailureFilter {
  const { run, list, reason, text, state } = query;
  return {
    run,
    blacklist: list === 'main' ? null : list,
    reason,
    text,
    state: state === 'all' ? undefined : state,
    ...periodOf(query),
  };
}

/** A cursor that this route did not write begins at the first page. */
function readRunCursor(cursor: string): { startedAt: Date; id: RunId } | undefined {
  const [, at, id] = /^(\d{1,15})\.([\w-]{36})$/.exec(cursor) ?? [];
  return at === undefined || id === undefined
    ? undefined
    : { startedAt: new Date(Number(at)), id: trusted.run(id) };
}

function runBody(run: EnrolmentRun, names: ReadonlyMap<string, string>): RunRow {
  return { ...run, startedByName: names.get(run.startedBy) ?? null };
}

function failureBody(
  { role }: SignedIn,
  failure: ListedFailure,
  names: ReadonlyMap<string, string>,
): FailureRow {
  const { fix, found, unfixable } = failure;
  return {
    ...failure,
    person: mayRole(role, 'persons:read') ? failure.person : null,
    hasMainFace: found !== null && isClearlyMain(found),
    fix: fix && { ...fix, byName: names.get(fix.by) ?? null },
    unfixable: unfixable && { ...unfixable, byName: names.get(unfixable.by) ?? null },
  };
}
