import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { groupReportRequest } from '../../contracts/dashboard/duplicates.ts';
import { pathId, trusted } from '../../contracts/ids.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { DashboardQueries } from '../../domain/ports/dashboard.ts';
import type { Reports } from '../../domain/ports/reports.ts';
import { ApiError } from '../http/errors.ts';
import { recordExport } from './access/export.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { groupBody, type DuplicateGroupPorts } from './duplicateGroups.ts';

interface GroupReportPorts extends DuplicateGroupPorts {
  companies: Companies;
  views: Pick<DashboardQueries, 'faceImages' | 'thumbnail'>;
  reports: Reports;
  process: { version: string };
}

/** The PDF of a group of possible duplicates. The export is in the audit log before the first byte leaves. */
export function duplicateGroupReportRoutes(app: FastifyInstance, ports: GroupReportPorts): void {
  app.withTypeProvider<ZodTypeProvider>().post(
    `${DASHBOARD}/duplicates/groups/:id/report`,
    {
      config: requirePermission('exports:create'),
      schema: {
        hide: true,
        params: z.object({ id: pathId.duplicateGroup }),
        body: groupReportRequest,
      },
    },
    async (request, reply) => {
      const operator = operatorOf(request);
      const { companyId, name, role } = operator;
      await ports.groups.refresh(companyId);
      const [company, found] = await Promise.all([
        ports.companies.find(companyId),
        ports.duplicateGroups.find(companyId, request.params.id),
      ]);
      if (company === undefined || found === undefined) throw new ApiError('NOT_FOUND');
      const group = await groupBody(ports, operator, found);
      const thumbnails = new Map<number, Uint8Array>();
      if (mayRole(role, 'images:read'))
        for (const { id } of group.faces) {
          const thumbnail = await ports.views.thumbnail(companyId, trusted.face(id));
          if (thumbnail !== undefined) thumbnails.set(id, thumbnail);
        }
      await recordExport(ports, operator, {
        kind: 'duplicateGroupReport',
        object: null,
        rows: group.faces.length,
      });
      const pdf = await ports.reports.duplicateGroup({
        language: request.body.language,
        company: company.name,
        operator: name,
        made: ports.clock.now(),
        version: ports.process.version,
        group,
        thumbnails,
      });
      return reply.type('application/pdf').send(Buffer.from(pdf));
    },
  );
}
