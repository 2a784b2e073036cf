import {
  duplicateApi,
  DUPLICATE_RUN_CHANGES,
  type DuplicateRun as DuplicateRunBody,
} from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import type { DuplicateRun } from '../../domain/ports/duplicates.ts';
import { requireBlacklists, runBody } from '../http/duplicateRunBody.ts';
import { ApiError, existing } from '../http/errors.ts';
import { cursorAfter } from '../http/paging.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Runs per page by default. */
const PAGE = 20;

/** Duplicate searches: what one would do, its start, its progress, and its end. */
export function duplicateRunRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { duplicateRuns, duplicateSearch } = ports;
  serve(app, duplicateApi.runs, async ({ companyId, query: { cursor, limit = PAGE } }) => {
    const [found, current, newFaces] = await Promise.all([
      duplicateRuns.list(companyId, { limit, before: cursor }),
      duplicateRuns.unfinished(companyId),
      duplicateSearch.newFaces(companyId),
    ]);
    const bodyOf = await bodies(ports, companyId, current === undefined ? found : [...found, current]);
    return {
      items: found.map(bodyOf),
      nextCursor: cursorAfter(found, limit, ({ id }) => String(id)),
      newFaces,
      current: current === undefined ? null : bodyOf(current),
    };
  });
  serve(app, duplicateApi.plan, async ({ companyId, body }) => {
    await requireBlacklists(ports.blacklists, companyId, body.blacklists);
    const { counts, comparisons, tail, chance, seconds } = await duplicateSearch.plan(companyId, body);
    const { oneIn } = body;
    return {
      faces: counts.pending,
      allFaces: counts.total,
      comparisons,
      oneIn,
      falseAlarms: counts.total / oneIn,
      expected: chance,
      measuredPairs: tail?.pairs ?? 0,
      seconds,
    };
  });
  serve(app, duplicateApi.startRun, async ({ companyId, act, body }) => {
    await requireBlacklists(ports.blacklists, companyId, body.blacklists);
    const run = await duplicateSearch.begin(companyId, body, act);
    return (await bodies(ports, companyId, [run]))(run);
  });
  for (const change of DUPLICATE_RUN_CHANGES)
    serve(app, duplicateApi.changeRun(change), async ({ companyId, act, params: { id } }) => {
      const changed = await duplicateSearch.change(companyId, id, change, act);
      const run = existing(await duplicateRuns.find(companyId, id));
      if (!changed) throw new ApiError('DUPLICATE_SEARCH_STATE');
      return (await bodies(ports, companyId, [run]))(run);
    });
}

/** Prepares the bodies of some runs: reads the names that they show. */
async function bodies(
  ports: DashboardRoutePorts,
  company: CompanyId,
  runs: readonly DuplicateRun[],
): Promise<(run: DuplicateRun) => DuplicateRunBody> {
  const names = await actorNames(ports, company);
  const lists = new Map<BlacklistId, string>();
  for (const id of new Set(runs.flatMap(({ blacklists }) => blacklists))) {
    const blacklist = await ports.blacklists.find(company, id);
    if (blacklist !== undefined) lists.set(id, blacklist.name);
  }
  return (run) => ({
    ...runBody(ports, run),
    blacklists: run.blacklists.flatMap((list) => {
      const name = lists.get(list);
      return name === undefined ? [] : { id: list, name };
    }),
    startedByName: names.get(run.startedBy) ?? null,
  });
}
