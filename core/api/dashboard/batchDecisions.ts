import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { batchDecision, batchResult } from '../../contracts/dashboard/lists.ts';
import { decideBatch } from '../../domain/screening/batchDecision.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** One decision on several validations. */
export function batchDecisionRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  app.withTypeProvider<ZodTypeProvider>().post(
    `${DASHBOARD}/validations/decisions`,
    {
      config: requirePermission('validations:decide'),
      schema: { hide: true, body: batchDecision, response: { 200: batchResult } },
    },
    async (request) => {
      const { actor } = operatorOf(request);
      const { validations, ...decision } = request.body;
      const company = await callingCompany(ports.companies, operatorOf(request));
      const results = await decideBatch(ports, company, decision, validations, actor);
      return { results };
    },
  );
}
