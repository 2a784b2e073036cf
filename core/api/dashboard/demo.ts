import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { demoState } from '../../contracts/dashboard/demo.ts';
import { ApiError } from '../http/errors.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The demo photos of a company: whether some are enrolled, and their erasure with a receipt. */
export function demoRoutes(app: FastifyInstance, { runs, erasureService, clock }: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/demo`;
  const response = { 200: demoState };
  routes.get(
    path,
    { config: requirePermission('uploads:read', { background: true }), schema: { hide: true, response } },
    async (request) => ({ photos: (await runs.demoRecords(operatorOf(request).companyId)).photos.length }),
  );
  routes.delete(
    path,
    { config: requirePermission('persons:erase'), schema: { hide: true, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const records = await runs.demoRecords(companyId);
      if (records.photos.length === 0) return { photos: 0 };
      const choice = { ...records, faces: [], comparisons: [] };
      const plan = await erasureService.plan(companyId, choice);
      if (plan.kind === 'unknown') throw new ApiError('PLAN_CHANGED');
      const wanted = { choice, code: plan.code, copies: 'keep' as const };
      const outcome = await erasureService.run(companyId, wanted, { by: actor, at: clock.now() });
      if (outcome.kind !== 'erased') throw new ApiError('PLAN_CHANGED');
      return { photos: (await runs.demoRecords(companyId)).photos.length };
    },
  );
}
