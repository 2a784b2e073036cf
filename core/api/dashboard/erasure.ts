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
} from '../../contracts/dashboard/erasure.ts';
import { erasurePlan, signedReceipt } from '../../contracts/erasure.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { retentionPreview } from '../../contracts/retention.ts';
import type { ErasureService } from '../../domain/erasure/service.ts';
import type { Retention } from '../../domain/erasure/retention.ts';
import type { Companies, Company } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { Reports } from '../../domain/ports/reports.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import { recordExport } from './access/export.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { operatorNames } from './actorNames.ts';

interface ErasureRoutePorts {
  erasureService: ErasureService;
  retention: Retention;
  companies: Companies;
  operators: Operators;
  audit: AuditLog;
  reports: Reports;
  process: { version: string };
  clock: Clock;
}

/** Everything of a person, planned and erased, with its receipts; and how long things are kept at all. */
export function erasureRoutes(app: FastifyInstance, ports: ErasureRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/erasures`;
  const config = requirePermission('persons:erase');
  const { erasureService, clock } = ports;

  routes.post(
    `${path}/plan`,
    { config, schema: { hide: true, body: erasurePlanRequest, response: { 200: erasurePlan } } },
    async (request) => {
      const plan = await erasureService.plan(operatorOf(request).companyId, request.body.choice);
      if (plan.kind === 'unknown') throw new ApiError('NOT_FOUND');
      return plan;
    },
  );
  routes.post(
    path,
    { config, schema: { hide: true, body: erasureRequest, response: { 200: erasureAnswer } } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const outcome = await erasureService.run(companyId, request.body, { by: actor, at: clock.now() });
      if (outcome.kind === 'unknown') throw new ApiError('NOT_FOUND');
      if (outcome.kind === 'changed') throw new ApiError('PLAN_CHANGED');
      return { id: outcome.id, signed: outcome.receipt };
    },
  );
  receiptRoutes(app, ports);
  retentionRoutes(app, ports);
}

/** Receipts name no person: everyone who may read the audit log may read and check them. */
function receiptRoutes(app: FastifyInstance, ports: ErasureRoutePorts): void {
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
      return reply.type('application/pdf').send(Buffer.from(pdf));
    },
  );
}

async function receiptReport(
  { erasureService, companies, operators, reports, audit, process, clock }: ErasureRoutePorts,
  operator: SignedIn,
  id: string,
  language: z.infer<typeof receiptReportRequest>['language'],
): Promise<Uint8Array> {
  const { companyId, name } = operator;
  const signed = await erasureService.receipt(companyId, id);
  if (signed === undefined) throw new ApiError('NOT_FOUND');
  const company = await companyOf(companies, companyId);
  const { by } = signed.receipt;
  const names = await operatorNames(operators, companyId);
  await recordExport({ audit, clock }, operator, {
    kind: 'erasureReceipt',
    object: `erasure:${id}`,
    rows: 1,
  });
  return reports.erasure({
    ...{ language, company: company.name, operator: name, made: clock.now(), version: process.version },
    signed,
    by: names.get(by) ?? by,
    ours: await erasureService.isOurs(signed),
  });
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
      const company = await companyOf(companies, operatorOf(request).companyId);
      return retention.preview(company, company.settings.retention);
    },
  );
  routes.post(
    `${path}/preview`,
    { config: write, schema: { hide: true, body: retentionPreviewRequest, response } },
    async (request) =>
      retention.preview(await companyOf(companies, operatorOf(request).companyId), request.body.rules),
  );
  routes.put(
    path,
    { config: write, schema: { hide: true, body: retentionRequest, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { rules, code } = request.body;
      const company = await companyOf(companies, companyId);
      if (!(await retention.set(company, rules, code, { by: actor, at: clock.now() })))
        throw new ApiError('PLAN_CHANGED');
      return retention.preview(await companyOf(companies, companyId), rules);
    },
  );
}

async function companyOf(companies: Companies, id: CompanyId): Promise<Company> {
  const company = await companies.find(id);
  if (company === undefined) throw new Error(`Company ${id} of an operator is gone.`);
  return company;
}
