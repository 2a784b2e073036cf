import {
  duplicateApi,
  DUPLICATE_RUN_CHANGES,
  type DuplicateRun as DuplicateRunBody,
} from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import type { BlacklistId, CompanyId, PersonDecisionId } from '../../contracts/ids.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import { requireBlacklists, runBody } from '../http/duplicateRunBody.ts';
import { ApiError, existing } from '../http/errors.ts';
import { cursorAfter } from '../http/paging.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { GroupSamples, stateOf, type Sample } from '../../domain/duplicates/samples.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { groupFilterOf } from '../http/personParts.ts';
import { pictureUrl } from './scoreInterpretation.ts';
import { CodedError } from '../../contracts/errors/problem.ts';

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

/** A sample of groups, its answers, the acceptance of all groups that it was drawn from, and the undo of that. */
export function duplicateSampleRoutes(
  app: FastifyInstance,
  ports: DashboardRoutePorts & { crypto: Pick<CryptoPort, 'randomUuid' | 'randomBytes'> },
): void {
  const samples = new GroupSamples(ports);
  const { personService, clock } = ports;
  const ofOperator = ({ companyId: company, actor }: SignedIn) => ({ company, actor, at: clock.now() });
  const find = (operator: SignedIn, id: string): Sample => {
    const found = samples.find(id, ofOperator(operator));
    if (found === undefined) throw new ApiError('SAMPLE_EXPIRED');
    return found;
  };
  serve(app, duplicateApi.drawSample, async ({ operator, body: { filter, certainty, size } }) => {
    const asked = await groupFilterOf(ports.groups, operator.companyId, {
      ...filter,
      certainty,
      state: 'proposed',
    });
    const drawn = await samples.draw(ofOperator(operator), asked, size);
    return {
      id: drawn.id,
      expiresAt: drawn.expires.toISOString(),
      groups: drawn.groups.length,
      pairs: drawn.pairs.map(({ faces: [one, other] }, index) => ({
        index,
        thumbnails: [pictureUrl(operator, one, 'thumbnail'), pictureUrl(operator, other, 'thumbnail')] as [
          string | null,
          string | null,
        ],
      })),
    };
  });
  serve(app, duplicateApi.answerSample, ({ operator, params: { id }, body: { answers } }) => {
    const found = find(operator, id);
    return Promise.resolve(samples.answer(found, answers));
  });
  serve(app, duplicateApi.acceptSample, async ({ operator, act, params: { id } }) => {
    const found = find(operator, id);
    if (found.accepted !== null) throw new ApiError('SAMPLE_ACCEPTED');
    if (stateOf(found).state !== 'clean') throw new ApiError('SAMPLE_NOT_CLEAN');
    const decision = { about: { kind: 'group' }, decision: 'same', reason: null } as const;
    const accepted: PersonDecisionId[] = [];
    // Kept from the start and filled below: an accept that fails half-way can be undone, too.
    samples.accept(found, accepted);
    for (const group of found.groups) {
      const decided = await personService.decide(operator.companyId, group, decision, act).catch(ifRefused);
      if (decided !== undefined) accepted.push(decided.decision);
    }
    return { accepted: accepted.length, changed: found.groups.length - accepted.length };
  });
  serve(app, duplicateApi.undoSample, async ({ operator, act, params: { id } }) => {
    const found = find(operator, id);
    if (found.accepted === null) throw new ApiError('SAMPLE_NOT_ACCEPTED');
    samples.forget(found);
    let undone = 0;
    for (const decision of found.accepted.toReversed())
      if ((await personService.undo(operator.companyId, decision, act).catch(ifRefused)) !== undefined)
        undone += 1;
    return { undone, kept: found.accepted.length - undone };
  });
}

/** A group that has changed in the meantime is left as it is. @throws faults of the machine */
function ifRefused(error: unknown): undefined {
  if (!(error instanceof CodedError)) throw error;
}
