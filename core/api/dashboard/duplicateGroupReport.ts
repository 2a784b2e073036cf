import { existing } from '../http/errors.ts';
import { duplicateApi } from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import { trusted, type DuplicateGroupId } from '../../contracts/ids.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { serve } from './access/guard.ts';
import { groupBody } from './duplicateGroups.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The PDF of a group of possible duplicates. The export is in the audit log before the first byte leaves. */
export function duplicateGroupReportRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, duplicateApi.report, async ({ operator, params: { id }, body: { language }, reply }) => {
    const { frame, shown } = await beginReport(ports, operator, language, async () => {
      const read = await readGroup(ports, operator, id);
      const rows = read.group.faces.length;
      return { exported: { kind: 'duplicateGroupReport', object: null, rows }, shown: read };
    });
    return sendPdf(reply, await ports.reports.duplicateGroup({ ...frame, ...shown }));
  });
}

async function readGroup(ports: DashboardRoutePorts, operator: SignedIn, id: DuplicateGroupId) {
  const { companyId, role } = operator;
  await ports.groups.refresh(companyId);
  const found = existing(await ports.duplicateGroups.find(companyId, id));
  const group = await groupBody(ports, operator, found);
  const thumbnails = new Map<number, Uint8Array>();
  if (mayRole(role, 'images:read'))
    for (const face of group.faces) {
      const thumbnail = await ports.views.thumbnail(companyId, trusted.face(face.id));
      if (thumbnail !== undefined) thumbnails.set(face.id, thumbnail);
    }
  return { group, thumbnails };
}
