import { erasureApi, receiptReportRequest } from '../../contracts/erasure.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { serve } from './access/guard.ts';
import { ApiError, existing } from '../http/errors.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { beginReport, sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Everything of a person, planned and erased, with its receipts; and how long things are kept at all. */
export function erasureRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { erasureService } = ports;
  serve(app, erasureApi.plan, ({ companyId, body: { choice } }) => erasureService.plan(companyId, choice));
  serve(app, erasureApi.erase, async ({ companyId, act, body }) => {
    const { id, receipt } = await erasureService.run(companyId, body, act);
    return { id, signed: receipt };
  });
  receiptRoutes(app, ports);
  retentionRoutes(app, ports);
}

/** Receipts name no person: everyone who may read the audit log may read and check them. */
function receiptRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { erasures } = ports;
  serve(app, erasureApi.list, async ({ companyId }) => {
    const names = await actorNames(ports, companyId);
    const rows = await erasures.list(companyId);
    return { items: rows.map((row) => ({ ...row, byName: names.get(row.by) ?? null })) };
  });
  serve(app, erasureApi.receipt, async ({ companyId, params: { id } }) =>
    existing(await erasures.receipt(companyId, id)),
  );
  serve(app, erasureApi.verify, async ({ body }) => ({ ours: await erasures.isOurs(body) }));
  serve(app, erasureApi.report, async ({ operator, params: { id }, body: { language }, reply }) => {
    const pdf = await receiptReport(ports, operator, id, language);
    return sendPdf(reply, pdf);
  });
}

async function receiptReport(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: string,
  language: z.infer<typeof receiptReportRequest>['language'],
): Promise<Uint8Array> {
  const { erasures } = ports;
  const { companyId } = operator;
  const names = await actorNames(ports, companyId);
  const { frame, shown: signed } = await beginReport(ports, operator, language, async () => {
    const shown = existing(await erasures.receipt(companyId, id));
    return { exported: { kind: 'erasureReceipt', object: `erasure:${id}`, rows: 1 }, shown };
  });
  const { by } = signed.receipt;
  return ports.reports.erasure({
    ...frame,
    signed,
    by: names.get(by) ?? by,
    ours: await erasures.isOurs(signed),
  });
}

function retentionRoutes(app: FastifyInstance, { retention, companies }: DashboardRoutePorts): void {
  serve(app, erasureApi.retention, async ({ operator }) => {
    const company = await callingCompany(companies, operator);
    return retention.preview(company, company.settings.retention);
  });
  serve(app, erasureApi.previewRetention, async ({ operator, body: { rules } }) =>
    retention.preview(await callingCompany(companies, operator), rules),
  );
  serve(app, erasureApi.setRetention, async ({ companyId, act, body: { rules, code } }) => {
    const company = await callingCompany(companies, { companyId });
    if (!(await retention.set(company, rules, code, act))) throw new ApiError('PLAN_CHANGED');
    return retention.preview(await callingCompany(companies, { companyId }), rules);
  });
}
