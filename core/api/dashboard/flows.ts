import { flowApi } from '../../contracts/flows.ts';
import type { FastifyInstance } from 'fastify';
import { SEARCH, searchCoverage, withPersons } from '../../domain/search/coverage.ts';
import { rarestRate } from '../../domain/scores/scores.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Trust Flows: the tool's settings are saved as a draft, and count once the flow is saved too. */
export function flowRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { flows, persons, recognition } = ports;
  serve(app, flowApi.list, async ({ companyId }) => ({ items: await flows.list(companyId) }));
  serve(app, flowApi.searched, async ({ companyId }) => {
    const pipeline = recognition.pipelineOf(companyId);
    const calibration = recognition.calibrationOf(companyId, pipeline);
    const { searched } = await searchCoverage(ports, companyId, SEARCH);
    const lists = await withPersons(persons, companyId, pipeline, searched);
    return {
      lists: lists.map(({ id, persons: number }) => ({ id, persons: number })),
      rarestRate: calibration === undefined ? null : rarestRate(calibration),
    };
  });
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
