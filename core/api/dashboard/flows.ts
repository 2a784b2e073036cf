import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pathId } from '../../contracts/ids.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { flowDraft, flowList, flowRow, flowSeen } from '../../contracts/flows.ts';

/** Trust Flows: the tool's settings are saved as a draft, and count once the flow is saved too. */
export function flowRoutes(app: FastifyInstance, { flows, gallery }: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/flows`;
  const params = z.object({ id: pathId.trustFlow });
  const config = requirePermission('flows:write');
  const response = { 200: flowRow };
  const schema = { hide: true, params, response };

  routes.get(
    path,
    { config: requirePermission('flows:read'), schema: { hide: true, response: { 200: flowList } } },
    async (request) => {
      const { companyId } = operatorOf(request);
      return {
        items: await flows.list(companyId),
        enrolledFaces: await gallery.size(companyId, { kind: 'duplicate' }),
      };
    },
  );
  // The store validates the name and the settings.
  const named = z.object({ name: z.unknown().optional() });
  routes.post(
    path,
    {
      config,
      schema: {
        hide: true,
        body: named.extend({ settings: z.unknown().optional(), draft: z.boolean().default(false) }),
        response,
      },
    },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { name, settings, draft } = request.body;
      return flows.create(companyId, name, settings ?? {}, actor, draft);
    },
  );
  routes.patch(`${path}/:id`, { config, schema: { ...schema, body: named } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    return flows.rename(companyId, request.params.id, request.body.name, actor);
  });
  routes.put(`${path}/:id/tool`, { config, schema: { ...schema, body: flowDraft } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    const { settings, revision } = request.body;
    return flows.setDraft(companyId, { id: request.params.id, revision }, settings, actor);
  });
  routes.post(`${path}/:id/save`, { config, schema: { ...schema, body: flowSeen } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    return flows.save(companyId, { id: request.params.id, revision: request.body.revision }, actor);
  });
}
