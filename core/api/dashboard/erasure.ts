import type { FastifyInstance } from 'fastify';
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
import { routesOf } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { operatorNames } from './actorNames.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Everything of a person, planned and erased, with its receipts; and how long things are kept at all. */
export function erasureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = routesOf(app);
  const path = '/erasures';
  const { erasureService, clock } = ports;

  routes.post(
    `${path}/plan`,
    { needs: 'persons:erase', body: erasurePlanRequest, answer: erasurePlan },
    async ({ operator: { companyId }, body: { choice } }) => {
      const plan = await erasureService.plan(companyId, choice);
      if (plan.kind === 'unknown') throw unknownRecords(plan.ids);
      return plan;
    },
  );
  routes.post(
    path,
    { needs: 'persons:erase', body: erasureRequest, answer: erasureAnswer },
    async ({ operator: { companyId, actor }, body }) => {
      const outcome = await erasureService.run(companyId, body, { by: actor, at: clock.now() });
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
  const routes = routesOf(app);
  const path = '/erasures';
  const { erasureService, operators } = ports;
  const params = z.object({ id: z.uuid() });
  routes.get(path, { needs: 'audit:read', answer: erasureList }, async ({ operator: { companyId } }) => {
    const names = await operatorNames(operators, companyId);
    const rows = await erasureService.list(companyId);
    return { items: rows.map((row) => ({ ...row, byName: names.get(row.by) ?? null })) };
  });
  routes.get(
    `${path}/:id`,
    { needs: 'audit:read', params, answer: signedReceipt },
    async ({ operator: { companyId }, params: { id } }) => {
      const receipt = await erasureService.receipt(companyId, id);
      if (receipt === undefined) throw new ApiError('NOT_FOUND');
      return receipt;
    },
  );
  routes.post(
    `${path}/verify`,
    { needs: 'audit:read', body: signedReceipt, answer: receiptVerdict },
    async ({ body }) => ({ ours: await erasureService.isOurs(body) }),
  );
  routes.post(
    `${path}/:id/report`,
    { needs: 'audit:read', params, body: receiptReportRequest },
    async ({ operator, params: { id }, body: { language }, reply }) => {
      const pdf = await receiptReport(ports, operator, id, language);
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
  const routes = routesOf(app);
  const path = '/retention';
  routes.get(path, { needs: 'settings:read', answer: retentionPreview }, async ({ operator }) => {
    const company = await callingCompany(companies, operator);
    return retention.preview(company, company.settings.retention);
  });
  routes.post(
    `${path}/preview`,
    { needs: 'settings:write', body: retentionPreviewRequest, answer: retentionPreview },
    async ({ operator, body: { rules } }) =>
      retention.preview(await callingCompany(companies, operator), rules),
  );
  routes.put(
    path,
    { needs: 'settings:write', body: retentionRequest, answer: retentionPreview },
    async ({ operator: { companyId, actor }, body: { rules, code } }) => {
      const company = await callingCompany(companies, { companyId });
      if (!(await retention.set(company, rules, code, { by: actor, at: clock.now() })))
        throw new ApiError('PLAN_CHANGED');
      return retention.preview(await callingCompany(companies, { companyId }), rules);
    },
  );
}
