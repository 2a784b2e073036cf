import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  searchAnswer,
  searchHistory,
  searchReportRequest,
  type SearchAnswer,
} from '../../contracts/dashboard/search.ts';
import { bestBand, searchView, type SearchView } from '../../contracts/dashboard/searchView.ts';
import { SCORE_BANDS } from '../../contracts/codes.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { KeptSearches, type KeptSearch } from '../../domain/search/keptSearches.ts';
import { searchImage } from '../../domain/search/search.ts';
import { SEARCH, searchCoverage } from '../../domain/search/coverage.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { imageBodyOf, imageOfAtMost, takeImage } from '../http/imageBody.ts';
import { ApiError } from '../http/errors.ts';
import { answerOf, CANDIDATES } from './searchAnswer.ts';
import { reportOf } from './searchReport.ts';
import { operatorNames } from './actorNames.ts';
import { sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const PATH = `${DASHBOARD}/search`;
/** Expired results leave the memory within this time, milliseconds. */
const FORGET_EVERY = 60_000;

/** An investigator's search: the body is the image itself, which is stored nowhere. Enrols no face. */
export async function searchRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const kept = new KeptSearches();
  const forgetting = setInterval(() => kept.forgetExpired(ports.clock.now()), FORGET_EVERY).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(forgetting);
    done();
  });
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      PATH,
      {
        config: requirePermission('search:run'),
        schema: { hide: true, querystring: searchView, response: { 200: searchAnswer } },
        ...imageOfAtMost(MAX_BYTES),
      },
      async (request) => {
        const operator = operatorOf(request);
        const found = await search(ports, operator, imageBodyOf(request), request.query);
        if (found.picture !== undefined) kept.keep(operator, { ...found, picture: found.picture });
        return found.answer;
      },
    );
    done();
  });
  resultRoutes(app, ports, kept);
}

/** Routes for a result after its search, and for the history of searches. */
function resultRoutes(app: FastifyInstance, ports: DashboardRoutePorts, kept: KeptSearches): void {
  const { audit, clock } = ports;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const params = z.object({ id: z.uuid() });
  const resultOf = (operator: SignedIn, id: string): KeptSearch => {
    const found = kept.find(operator, id, clock.now());
    if (found === undefined) throw new ApiError('SEARCH_EXPIRED');
    return found;
  };
  routes.put(
    `${PATH}/:id/view`,
    { config: requirePermission('search:run'), schema: { hide: true, params, body: searchView } },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { answer } = resultOf(operator, request.params.id);
      await audit.record(
        { by: operator.actor, at: clock.now() },
        {
          company: operator.companyId,
          action: 'search.changed',
          object: `search:${answer.id}`,
          details: { ...request.body },
        },
      );
      return reply.code(204).send();
    },
  );
  routes.post(
    `${PATH}/:id/report`,
    {
      config: requirePermission('exports:create'),
      schema: { hide: true, params, body: searchReportRequest },
    },
    async (request, reply) => {
      const operator = operatorOf(request);
      const result = resultOf(operator, request.params.id);
      const pdf = await reportOf(ports, operator, result, request.body);
      return sendPdf(reply, pdf);
    },
  );
  routes.get(
    `${PATH}/history`,
    { config: requirePermission('search:run'), schema: { hide: true, response: { 200: searchHistory } } },
    (request) => historyOf(ports, operatorOf(request)),
  );
}

/** Largest size of a searched photo; bytes. */
export const MAX_BYTES = 20 * 1024 * 1024;

async function search(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  image: Uint8Array,
  view: SearchView,
): Promise<{ answer: SearchAnswer; picture: Uint8Array | undefined }> {
  const { companyId } = operator;
  const coverage = await searchCoverage(ports, companyId, SEARCH);
  const [watchlist, ...blacklists] = coverage.watchlists;
  const result = await searchImage(ports, companyId, image, {
    // A large watchlist must not displace a face of a blacklist.
    groups: [watchlist === undefined ? [] : [watchlist], blacklists],
    limit: CANDIDATES,
  });
  const answer = await answerOf(ports, operator, image, { coverage, result });
  await ports.audit.record(
    { by: operator.actor, at: ports.clock.now() },
    {
      company: companyId,
      action: 'search.run',
      object: `search:${answer.id}`,
      details: {
        watchlists: coverage.watchlists.length,
        faces: coverage.faces,
        found: answer.faces.length,
        band: bestOf(answer, view),
        ...view,
      },
    },
  );
  return { answer, picture: result.kind === 'refused' ? undefined : result.picture };
}

function bestOf(answer: SearchAnswer, view: SearchView): (typeof SCORE_BANDS)[number] {
  const bands = answer.faces.map((face) => bestBand(answer, face, view));
  return bands.includes('strong') ? 'strong' : bands.includes('possible') ? 'possible' : 'none';
}

/** Searches that the history lists. */
const MAX_SEARCHES = 200;
/** The facts that the audit log keeps of a search; a search in the terminal has fewer. */
const recorded = z.object({
  watchlists: z.number().int(),
  faces: z.number().int(),
  found: z.number().int().nullable().default(null),
  band: z.enum(SCORE_BANDS).nullable().default(null),
  oneIn: z.number().int().nullable().default(null),
});

/** The company's searches for a role that may read the audit log, else those of the operator. */
async function historyOf(
  { audit, operators }: DashboardRoutePorts,
  { companyId, role, actor }: SignedIn,
): Promise<z.infer<typeof searchHistory>> {
  const names = await operatorNames(operators, companyId);
  const entries = await audit.list(companyId, {
    filter: { action: 'search.run', ...(!mayRole(role, 'audit:read') && { actor }) },
    limit: MAX_SEARCHES,
  });
  return {
    items: entries.map(({ sequence, at, actor: by, details }) => {
      const { faces, ...rest } = recorded.parse(JSON.parse(details));
      return {
        sequence,
        at: new Date(at).toISOString(),
        operator: names.get(by) ?? null,
        compared: faces,
        ...rest,
      };
    }),
  };
}
