import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { pathId } from '../../contracts/ids.ts';
import { routesOf } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { flowDraft, flowList, flowRow, flowSeen } from '../../contracts/flows.ts';

/** Trust Flows: the tool's settings are saved as a draft, and count once the flow is saved too. */
export function flowRoutes(app: FastifyInstance, { flows, gallery }: DashboardRoutePorts): void {
  const routes = routesOf(app);
  const path = '/flows';
  const byId = z.object({ id: pathId.trustFlow });

  routes.get(path, { needs: 'flows:read', answer: flowList }, async ({ operator: { companyId } }) => {
    return {
      items: await flows.list(companyId),
      enrolledFaces: await gallery.size(companyId, { kind: 'duplicate' }),
    };
  });
  // The store validates the name and the settings.
  const named = z.object({ name: z.unknown().optional() });
  routes.post(
    path,
    {
      needs: 'flows:write',
      body: named.extend({ settings: z.unknown().optional(), draft: z.boolean().default(false) }),
      answer: flowRow,
    },
    async ({ operator: { companyId, actor }, body: { name, settings, draft } }) => {
      return flows.create(companyId, name, settings ?? {}, actor, draft);
    },
  );
  routes.patch(
    `${path}/:id`,
    { needs: 'flows:write', params: byId, answer: flowRow, body: named },
    async ({ operator: { companyId, actor }, params: { id }, body: { name } }) => {
      return flows.rename(companyId, id, name, actor);
    },
  );
  routes.put(
    `${path}/:id/tool`,
    { needs: 'flows:write', params: byId, answer: flowRow, body: flowDraft },
    async ({ operator: { companyId, actor }, params, body: { settings, revision } }) => {
      return flows.setDraft(companyId, { id: params.id, revision }, settings, actor);
    },
  );
  routes.post(
    `${path}/:id/save`,
    { needs: 'flows:write', params: byId, answer: flowRow, body: flowSeen },
    async ({ operator: { companyId, actor }, params, body }) => {
      return flows.save(companyId, { id: params.id, revision: body.revision }, actor);
    },
  );
}
