import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  erasureAnswer,
  erasureList,
  erasurePlanRequest,
  erasureRequest,
  receiptReportRequest,
  receiptVerdict,
  retentionPreviewRequest,
  retentionRequest,
  erasurePlan,
  signedReceipt,
} from '../../contracts/erasure.ts';
import { retentionPreview } from '../../contracts/retention.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { operatorNames } from './actorNames.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Everything of a person, planned and erased, with its receipts; and how long things are kept at all. */
export function erasureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/erasures`;
  const config = requirePermission('persons:erase');
  const { erasureService, clock } = ports;

  routes.post(
    `${path}/plan`,
    { config, schema: { hide: true, body: erasurePlanRequest, response: { 200: erasurePlan } } },
    async (request) => {
      const plan = await erasureService.plan(operatorOf(request).companyId, request.body.choice);
      if (plan.kind === 'unknown') throw unknownRecords(plan.ids);
      return plan;
    },
  );
  routes.post(
    path,
    { config, schema: { hide: true, body: erasureRequest, response: { 200: erasureAnswer } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const outcome = await erasureService.run(companyId, request.body, { by: actor, at: clock.now() });
      if (outcome.kind === 'unknown') throw unknownRecords(outcome.ids);
      if (outcome.kind === 'changed') throw new ApiError('PLAN_CHANGED');
      return { id: outcome.id, signed: outcome.receipt };
    },
  );
  receiptRoutes(app, ports);
  retentionRoutes(app, ports);
}

function unknownRecords(ids: readonly string[]): ApiError {
  return new ApiError({ code: 'NOT_FOUND', parameters: { ids: ids.join(', ') } });
}

/** Receipts name no person: everyone who may read the audit log may read and check them. */
function receiptRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/erasures`;
  const config = requirePermission('audit:read');
  const { erasureService, operators } = ports;
  const params = z.object({ id: z.uuid() });
  routes.get(path, { config, schema: { hide: true, response: { 200: erasureList } } }, async (request) => {
    const { companyId } = operatorOf(request);
    const names = await operatorNames(operators, companyId);
    const rows = await erasureService.list(companyId);
    return { items: rows.map((row) => ({ ...row, byName: names.get(row.by) ?? null })) };
  });
  routes.get(
    `${path}/:id`,
    { config, schema: { hide: true, params, response: { 200: signedReceipt } } },
    async (request) => {
      const receipt = await erasureService.receipt(operatorOf(request).companyId, request.params.id);
      if (receipt === undefined) throw new ApiError('NOT_FOUND');
      return receipt;
    },
  );
  routes.post(
    `${path}/verify`,
    { config, schema: { hide: true, body: signedReceipt, response: { 200: receiptVerdict } } },
    async (request) => ({ ours: await erasureService.isOurs(request.body) }),
  );
  routes.post(
    `${path}/:id/report`,
    { config, schema: { hide: true, params, body: receiptReportRequest } },
    async (request, reply) => {
      const { language } = request.body;
      const pdf = await receiptReport(ports, operatorOf(request), request.params.id, language);
      return sendPdf(reply, pdf);
    },
  );
}

async function receiptReport(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: string,
  language: z.infer<typeof receiptReportRequest>['language'],
): Promise<Uint8Array> {
  const { erasureService } = ports;
  const { companyId } = operator;
  const names = await operatorNames(ports.operators, companyId);
  const { frame, shown: signed } = await beginReport(ports, operator, language, async () => {
    const shown = await erasureService.receipt(companyId, id);
    if (shown === undefined) throw new ApiError('NOT_FOUND');
    return { exported: { kind: 'erasureReceipt', object: `erasure:${id}`, rows: 1 }, shown };
  });
  const { by } = signed.receipt;
  return ports.reports.erasure({
    ...frame,
    signed,
    by: names.get(by) ?? by,
    ours: await erasureService.isOurs(signed),
  });
}

function retentionRoutes(app: FastifyInstance, { retention, companies, clock }: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/retention`;
  const write = requirePermission('settings:write');
  const response = { 200: retentionPreview };
  routes.get(
    path,
    { config: requirePermission('settings:read'), schema: { hide: true, response } },
    async (request) => {
      const company = await callingCompany(companies, operatorOf(request));
      return retention.preview(company, company.settings.retention);
    },
  );
  routes.post(
    `${path}/preview`,
    { config: write, schema: { hide: true, body: retentionPreviewRequest, response } },
    async (request) =>
      retention.preview(await callingCompany(companies, operatorOf(request)), request.body.rules),
  );
  routes.put(
    path,
    { config: write, schema: { hide: true, body: retentionRequest, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { rules, code } = request.body;
      const company = await callingCompany(companies, { companyId });
      if (!(await retention.set(company, rules, code, { by: actor, at: clock.now() })))
        throw new ApiError('PLAN_CHANGED');
      return retention.preview(await callingCompany(companies, { companyId }), rules);
    },
  );
}
