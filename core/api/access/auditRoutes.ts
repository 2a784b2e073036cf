import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { auditPage, auditQuery } from '../../contracts/audit.ts';
import type { AuditLog } from '../../domain/audit/ports.ts';
import { DASHBOARD, operatorOf, requirePermission } from './guard.ts';

/** The company's own record, newest first; nobody can change it from here. */
export function auditRoutes(app: FastifyInstance, { audit }: { audit: AuditLog }): void {
  app.withTypeProvider<ZodTypeProvider>().get(
    `${DASHBOARD}/audit`,
    {
      config: requirePermission('audit:read'),
      schema: { hide: true, querystring: auditQuery, response: { 200: auditPage } },
    },
    async (request) => {
      const { action, before, limit } = request.query;
      const entries = await audit.list(operatorOf(request).companyId, {
        limit,
        ...(action !== undefined && { action }),
        ...(before !== undefined && { before }),
      });
      const items = entries.map(({ company: _company, ...entry }) => ({
        ...entry,
        at: new Date(entry.at).toISOString(),
        facts: JSON.parse(entry.facts) as Record<string, unknown>,
      }));
      return auditPage.parse({ items });
    },
  );
}
