import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { flowDraft, flowList, flowRow, flowSeen, type FlowRow } from '../../contracts/dashboard/flows.ts';
import { trusted, pathId, type CompanyId } from '../../contracts/ids.ts';
import type { TrustFlowService, FlowOutcome } from '../../domain/trustFlows/service.ts';
import type { GalleryPort } from '../../domain/ports/gallery.ts';
import type { Blacklists, TrustFlow, TrustFlows } from '../../domain/ports/screening.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError, invalidFields } from '../http/errors.ts';

interface FlowPorts {
  flowService: TrustFlowService;
  flows: TrustFlows;
  blacklists: Blacklists;
  gallery: Pick<GalleryPort, 'size'>;
}

/** Trust Flows: the tool's settings are saved as a draft, and count once the flow is saved too. */
export function flowRoutes(
  app: FastifyInstance,
  { flowService, flows, blacklists, gallery }: FlowPorts,
): void {
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
      const rows = await flows.list(companyId);
      return {
        items: await Promise.all(rows.map((row) => rowBody(blacklists, companyId, row))),
        enrolledFaces: await gallery.size(companyId, { kind: 'duplicate' }),
      };
    },
  );
  const written = async (company: CompanyId, outcome: FlowOutcome): Promise<FlowRow> => {
    if (outcome.kind === 'unknown') throw new ApiError('NOT_FOUND');
    if (outcome.kind === 'changed') throw new ApiError('FLOW_CHANGED');
    if (outcome.kind === 'invalid') throw invalidFields(outcome.errors);
    return rowBody(blacklists, company, outcome.flow);
  };
  // The domain validates the name and the settings.
  const named = z.object({ name: z.unknown().optional() });
  routes.post(
    path,
    { config, schema: { hide: true, body: named.extend({ settings: z.unknown().optional() }), response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { name, settings } = request.body;
      return written(companyId, await flowService.create(companyId, name, settings ?? {}, actor));
    },
  );
  routes.patch(`${path}/:id`, { config, schema: { ...schema, body: named } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    const id = request.params.id;
    return written(companyId, await flowService.rename(companyId, id, request.body.name, actor));
  });
  routes.put(`${path}/:id/tool`, { config, schema: { ...schema, body: flowDraft } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    const { settings, revision } = request.body;
    const seen = { id: request.params.id, revision };
    return written(
      companyId,
      settings === null
        ? await flowService.dropDraft(companyId, seen, actor)
        : await flowService.saveTool(companyId, seen, settings, actor),
    );
  });
  routes.post(`${path}/:id/save`, { config, schema: { ...schema, body: flowSeen } }, async (request) => {
    const { companyId, actor } = operatorOf(request);
    const seen = { id: request.params.id, revision: request.body.revision };
    return written(companyId, await flowService.save(companyId, seen, actor));
  });
}

async function rowBody(blacklists: Blacklists, company: CompanyId, flow: TrustFlow): Promise<FlowRow> {
  const { id, name, system, version, draft, revision, updatedAt } = flow;
  const names = { ...version?.blacklistNames };
  for (const list of draft?.blacklistDetection.blacklistIds ?? []) {
    const found = await blacklists.find(company, trusted.blacklist(list));
    if (found !== undefined) names[String(list)] = found.name;
  }
  return {
    id,
    name,
    system,
    saved: version?.settings ?? null,
    version: version?.number ?? null,
    savedAt: updatedAt.toISOString(),
    draft,
    revision,
    blacklistNames: names,
  };
}
