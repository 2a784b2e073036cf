import { flowApi } from '../../contracts/flows.ts';
import type { FastifyInstance } from 'fastify';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Trust Flows: the tool's settings are saved as a draft, and count once the flow is saved too. */
export function flowRoutes(app: FastifyInstance, { flows, gallery }: DashboardRoutePorts): void {
  serve(app, flowApi.list, async ({ companyId }) => ({
    items: await flows.list(companyId),
    enrolledFaces: await gallery.size(companyId, { kind: 'duplicate' }),
  }));
  // The store validates the name and the settings.
  serve(app, flowApi.create, ({ companyId, actor, body: { name, settings, draft } }) =>
    flows.create(companyId, name, settings ?? {}, actor, draft),
  );
  serve(app, flowApi.rename, ({ companyId, actor, params: { id }, body: { name } }) =>
    flows.rename(companyId, id, name, actor),
  );
  serve(app, flowApi.setDraft, ({ companyId, actor, params, body: { settings, revision } }) =>
    flows.setDraft(companyId, { id: params.id, revision }, settings, actor),
  );
  serve(app, flowApi.save, ({ companyId, actor, params, body }) =>
    flows.save(companyId, { id: params.id, revision: body.revision }, actor),
  );
}
