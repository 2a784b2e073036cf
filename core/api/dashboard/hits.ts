import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { newHits, newHitsQuery } from '../../contracts/dashboard/alerts.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardQueries } from '../../storage/dashboard/dashboardQueries.ts';

/** Hits that are new to an open page. The page asks by itself after each change, so this keeps no session alive. */
export function hitRoutes(app: FastifyInstance, { views }: { views: DashboardQueries }): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    `${DASHBOARD}/hits`,
    {
      config: requirePermission('validations:read', { background: true }),
      schema: { hide: true, querystring: newHitsQuery, response: { 200: newHits } },
    },
    (request) => views.newHits(operatorOf(request).companyId, request.query.after),
  );
}
