import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { companyPatch, companyProfile, type CompanyProfile } from '../../contracts/dashboard/company.ts';
import { limitPatch, limitState, type LimitState } from '../../contracts/limits/limitShapes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import {
  changeCompany,
  changeCompanyLimits,
  companyLimits,
  installationLimits,
} from '../../domain/settings/changeSettings.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/**
 * The operator's company: its features and its limits. The limits of the installation and the storage folder are shown
 * here and changed at the terminal.
 */
export function settingsRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { companies, installation, clock } = ports;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${DASHBOARD}/settings`;
  const response = { 200: limitState };
  const state = async (id: CompanyId): Promise<LimitState> => ({
    company: companyLimits((await callingCompany(companies, { companyId: id })).settings),
    installation: installationLimits(await installation.settings()),
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
      const company = await callingCompany(companies, { companyId });
      const { change } = request.body;
      await changeCompanyLimits(companies, company, change, { by: actor, at: clock.now() });
      return state(companyId);
    },
  );
  const company = `${DASHBOARD}/company`;
  const profile = { 200: companyProfile };
  routes.get(
    company,
    { config: requirePermission('settings:read'), schema: { hide: true, response: profile } },
    (request) => profileOf(ports, operatorOf(request).companyId),
  );
  routes.patch(
    company,
    {
      config: requirePermission('settings:write'),
      schema: { hide: true, body: companyPatch, response: profile },
    },
    async (request) => {
      const { companyId, actor } = operatorOf(request);
      const { name, features, secondOperator, signatureSpecimens, eraseSpecimens } = request.body;
      const { registration, blacklists } = features;
      // The rule binds every operator, so that only the local administrator can switch it off.
      if (isOperator(actor) && secondOperator === false && (await profileOf(ports, companyId)).secondOperator)
        throw new ApiError('SECOND_OPERATOR_FIXED');
      await changeCompany(
        ports,
        companyId,
        {
          registrationEnabled: registration,
          blacklistsEnabled: blacklists,
          secondOperator,
          signatureSpecimens,
        },
        { name, eraseSpecimens },
        { by: actor, at: clock.now() },
      );
      return profileOf(ports, companyId);
    },
  );
}

async function profileOf(
  { companies, specimenService }: DashboardRoutePorts,
  id: CompanyId,
): Promise<CompanyProfile> {
  const { name, createdAt, storageFolder, settings } = await callingCompany(companies, { companyId: id });
  return {
    name,
    createdAt: createdAt.toISOString(),
    features: { registration: settings.registrationEnabled, blacklists: settings.blacklistsEnabled },
    secondOperator: settings.secondOperator,
    signatureSpecimens: {
      stored: settings.signatureSpecimens,
      count: await specimenService.count(id),
    },
    storageFolder,
  };
}
