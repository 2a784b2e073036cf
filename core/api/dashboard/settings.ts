import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { limitPatch, limitState, type LimitState } from '../../contracts/limits/limitShapes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { changeCompanyLimits, companyLimits, installationLimits } from '../../domain/companies/limits.ts';
import type { Companies, Company, Installation } from '../../domain/ports/companies.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { invalidFields } from '../http/errors.ts';

interface SettingsPorts {
  companies: Companies;
  site: Installation;
  clock: Clock;
}

/** The limits of the operator's company. Those of the installation are shown here and changed at the terminal. */
export function settingsRoutes(app: FastifyInstance, { companies, site, clock }: SettingsPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/settings`;
  const response = { 200: limitState };
  const state = async (id: CompanyId): Promise<LimitState> => ({
    company: companyLimits((await companyOf(companies, id)).settings),
    site: installationLimits(await site.settings()),
  });
  routes.get(
    path,
    { config: requirePermission('settings:read'), schema: { hide: true, response } },
    (request) => state(operatorOf(request).companyId),
  );
  routes.patch(
    path,
    { config: requirePermission('settings:write'), schema: { hide: true, body: limitPatch, response } },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const company = await companyOf(companies, companyId);
      const { change } = request.body;
      const errors = await changeCompanyLimits(companies, company, change, { by: actor, at: clock.now() });
      if (errors !== undefined) throw invalidFields(errors);
      return state(companyId);
    },
  );
}

async function companyOf(companies: Companies, id: CompanyId): Promise<Company> {
  const company = await companies.find(id);
  if (company === undefined) throw new Error(`Company ${id} of an operator is gone.`);
  return company;
}
