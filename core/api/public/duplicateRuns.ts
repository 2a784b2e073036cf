import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { DUPLICATE_RUN_CHANGES, duplicateRunRequest } from '../../contracts/dashboard/duplicates.ts';
import { runsPage, runsQuery, runStarted, runView } from '../../contracts/duplicateGroups.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId } from '../../contracts/ids.ts';
import { envelope } from '../../contracts/uploads.ts';
import type { DuplicateRun } from '../../storage/duplicates/runs.ts';
import { serveProgram } from '../http/program.ts';
import { requireBlacklists, runBody, type RunBodyPorts } from '../http/duplicateRunBody.ts';
import { ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { PERSON_BODY_BYTES } from '../http/personParts.ts';
import { cursorAfter, cursorPageOf, unknownCursor } from '../http/paging.ts';
import type { PublicPorts } from '../ports.ts';

const RUNS = '/api/v3/duplicate-detection/runs';
const TAGS = ['Duplicate detection'];
const RUNNING = { access: 'duplicates:run' } as const;
const READING = { access: ['duplicates:read', 'duplicates:run'] } as const;
const SUMMARIES = {
  pause: 'Pause a run',
  resume: 'Resume a paused run',
  cancel: 'Cancel a run; the groups stay as they are',
} as const;

const RESULTS = { pause: 'paused', resume: 'running', cancel: 'cancelled' } as const;

/** Runs that look for near pairs of faces, for programs: start, progress, pause, resume and cancel. */
export async function duplicateRunRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => PERSON_BODY_BYTES);
    readingRoutes(scope, ports);
    runningRoutes(scope, ports);
    done();
  });
}

function viewOf(ports: RunBodyPorts, run: DuplicateRun): z.infer<typeof runView> {
  const { id, ...body } = runBody(ports, run);
  return { runId: id, blacklistIds: [...run.blacklists], ...body };
}

function readingRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { duplicateRuns } = ports;
  serveProgram(scope, {
    route: `GET ${RUNS}`,
    config: READING,
    operationId: 'listRuns',
    summary: 'Runs of duplicate detection, newest first',
    tags: TAGS,
    querystring: runsQuery,
    answer: runsPage.describe('One page of runs.'),
    message: MESSAGES.runs,
    failures: [422],
    handle: async ({ companyId, query: { cursor, limit }, request }) => {
      const before = cursor === undefined ? undefined : pathId.duplicateRun.safeParse(cursor);
      if (before?.success === false) throw unknownCursor();
      const [found, total] = await Promise.all([
        duplicateRuns.list(companyId, { limit, before: before?.data }),
        duplicateRuns.count(companyId),
      ]);
      const next = cursorAfter(found, limit, ({ id }) => String(id));
      const rows = found.map((run) => viewOf(ports, run));
      return cursorPageOf(request, { limit, total, next, filters: {} }, rows);
    },
  });
  serveProgram(scope, {
    route: `GET ${RUNS}/:runId`,
    config: READING,
    operationId: 'getRun',
    summary: 'One run: its state, its progress and what it has found',
    tags: TAGS,
    params: z.object({ runId: pathId.duplicateRun }),
    answer: envelope(runView).describe('The run.'),
    message: MESSAGES.run,
    failures: [404],
    handle: async ({ companyId, params }) => {
      const run = await duplicateRuns.find(companyId, params.runId);
      if (run === undefined) throw new ApiError('NOT_FOUND');
      return { data: viewOf(ports, run) };
    },
  });
}

function runningRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { duplicateRuns, duplicateSearch, clock } = ports;
  serveProgram(scope, {
    route: `POST ${RUNS}`,
    config: RUNNING,
    operationId: 'startRun',
    summary: 'Look for duplicates among the enrolled faces',
    description:
      'Answers at once; read the run until its state is `done`. A company has one unfinished run at most, so a ' +
      'repetition is refused (409). Enrolment and verification come first.',
    tags: TAGS,
    body: duplicateRunRequest,
    status: 202,
    answer: envelope(runStarted).describe('The run was started.'),
    message: MESSAGES.runStarted,
    failures: [404, 409],
    handle: async ({ companyId, caller, body }) => {
      await requireBlacklists(ports.blacklists, companyId, body.blacklists);
      const run = await duplicateSearch.begin(companyId, body, { by: caller.credential, at: clock.now() });
      const { runId, mode, state, blacklistIds, oneIn, faces, startedAt } = viewOf(ports, run);
      return { data: { runId, mode, state, blacklistIds, oneIn, faces, startedAt } };
    },
  });
  for (const change of DUPLICATE_RUN_CHANGES)
    serveProgram(scope, {
      route: `POST ${RUNS}/:runId/${change}`,
      config: RUNNING,
      operationId: `${change}Run`,
      summary: SUMMARIES[change],
      tags: TAGS,
      params: z.object({ runId: pathId.duplicateRun }),
      answer: envelope(runView).describe('The run.'),
      message: MESSAGES.runChanged,
      failures: [404, 409],
      handle: async ({ companyId, caller, params: { runId } }) => {
        const act = { by: caller.credential, at: clock.now() };
        const changed = await duplicateSearch.change(companyId, runId, change, act);
        const run = await duplicateRuns.find(companyId, runId);
        if (run === undefined) throw new ApiError('NOT_FOUND');
        // A repeated request finds the run in the state that it asks for.
        if (!changed && run.state !== RESULTS[change]) throw new ApiError('DUPLICATE_SEARCH_STATE');
        return { data: viewOf(ports, run) };
      },
    });
}
