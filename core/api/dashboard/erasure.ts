import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  erasureAnswer,
  erasureList,
  erasurePlanRequest,
  erasureRequest,
  retentionPreviewRequest,
  retentionRequest,
} from '../../contracts/dashboard/erasure.ts';
import { erasurePlan, signedReceipt } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { MESSAGES } from '../../contracts/messages.ts';
import { retentionPreview } from '../../contracts/retention.ts';
import type { ErasureDesk } from '../../domain/erasure/desk.ts';
import type { Retention } from '../../domain/erasure/retention.ts';
import type { Companies, Company } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { DASHBOARD, operatorOf, requirePermission } from '../access/guard.ts';
import { ApiError } from '../errors.ts';

interface ErasureRoutePorts {
  erasureDesk: ErasureDesk;
  retention: Retention;
  companies: Companies;
  clock: Clock;
}

/** Everything of a person, planned and erased, with its receipts; and how long things are kept at all. */
export function erasureRoutes(app: FastifyInstance, ports: ErasureRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/erasures`;
  const config = requirePermission('persons:erase');
  const { erasureDesk: desk, clock } = ports;

  routes.get(path, { config, schema: { hide: true, response: { 200: erasureList } } }, async (request) => ({
    items: await desk.list(operatorOf(request).companyId),
  }));
  routes.post(
    `${path}/plan`,
    { config, schema: { hide: true, body: erasurePlanRequest, response: { 200: erasurePlan } } },
    async (request) => {
      const plan = await desk.plan(operatorOf(request).companyId, request.body.choice);
      if ('unknown' in plan) throw new ApiError('NOT_FOUND');
      return plan;
    },
  );
  routes.post(
    path,
    { config, schema: { hide: true, body: erasureRequest, response: { 200: erasureAnswer } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const outcome = await desk.run(companyId, request.body, { by: actor, at: clock.now() });
      if (outcome.kind === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome.kind === 'changed')
        throw new ApiError('DECIDED_MEANWHILE', { message: MESSAGES.planChanged });
      return { id: outcome.id, signed: outcome.receipt };
    },
  );
  const params = z.object({ id: z.uuid() });
  routes.get(
    `${path}/:id`,
    { config, schema: { hide: true, params, response: { 200: signedReceipt } } },
    async (request) => {
      const receipt = await desk.receipt(operatorOf(request).companyId, request.params.id);
      if (receipt === undefined) throw new ApiError('NOT_FOUND');
      return receipt;
    },
  );
  retentionRoutes(app, ports);
}

function retentionRoutes(app: FastifyInstance, { retention, companies, clock }: ErasureRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/retention`;
  const write = requirePermission('settings:write');
  const response = { 200: retentionPreview };
  routes.get(
    path,
    { config: requirePermission('settings:read'), schema: { hide: true, response } },
    async (request) => {
      const { id, settings } = await companyOf(companies, operatorOf(request).companyId);
      return retention.preview(id, settings.retention);
    },
  );
  routes.post(
    `${path}/preview`,
    { config: write, schema: { hide: true, body: retentionPreviewRequest, response } },
    (request) => retention.preview(operatorOf(request).companyId, request.body.rules),
  );
  routes.put(
    path,
    { config: write, schema: { hide: true, body: retentionRequest, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { rules, code } = request.body;
      const company = await companyOf(companies, companyId);
      if (!(await retention.set(company, rules, code, { by: actor, at: clock.now() })))
        throw new ApiError('DECIDED_MEANWHILE', { message: MESSAGES.planChanged });
      return retention.preview(companyId, rules);
    },
  );
}

async function companyOf(companies: Companies, id: CompanyId): Promise<Company> {
  const company = await companies.find(id);
  if (company === undefined) throw new Error(`Company ${id} of an operator is gone.`);
  return company;
}
