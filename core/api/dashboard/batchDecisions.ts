import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import type { z } from 'zod';
import { batchDecision, batchResult } from '../../contracts/dashboard/lists.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { DECIDED, type Verifications } from '../../domain/screening/verifications.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';

interface BatchPorts {
  verifications: Verifications;
  companies: Companies;
  audit: AuditLog;
  clock: Clock;
}

/** One decision on several validations. */
export function batchDecisionRoutes(app: FastifyInstance, ports: BatchPorts): void {
  app.withTypeProvider<ZodTypeProvider>().post(
    `${DASHBOARD}/validations/decisions`,
    {
      config: requirePermission('validations:decide'),
      schema: { hide: true, body: batchDecision, response: { 200: batchResult } },
    },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { validations, ...decision } = request.body;
      const company = await ports.companies.find(companyId);
      if (company === undefined) throw new Error(`Company ${companyId} of an operator is gone.`);
      // Before the first decision: after a crash the log shows that the decisions belong to one batch.
      await ports.audit.record(
        { by: actor, at: ports.clock.now() },
        {
          company: companyId,
          action: 'validation.batch-decided',
          object: null,
          details: { to: DECIDED[decision.decision].status, validations: validations.length },
        },
      );
      const results: z.infer<typeof batchResult>['results'] = [];
      for (const { id, seenStatus } of validations) {
        const outcome = await ports.verifications.decide(company, id, { ...decision, seenStatus }, actor);
        results.push({ id, outcome });
      }
      return { results };
    },
  );
}
