import { settingsApi, type CompanyProfile } from '../../contracts/dashboard/company.ts';
import type { FastifyInstance } from 'fastify';
import { type LimitState } from '../../contracts/limits/limitShapes.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import {
  changeCompany,
  changeCompanyLimits,
  companyLimits,
  installationLimits,
} from '../../domain/settings/changeSettings.ts';
import { isOperator } from '../../domain/ports/auditContext.ts';
import { serve } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/**
 * The operator's company: its features and its limits. The limits of the installation and the storage folder are shown
 * here and changed at the terminal.
 */
export function settingsRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { companies, installation } = ports;
  const state = async (id: CompanyId): Promise<LimitState> => ({
    company: companyLimits((await callingCompany(companies, { companyId: id })).settings),
    installation: installationLimits(await installation.settings()),
  });
  serve(app, settingsApi.limits, ({ companyId }) => state(companyId));
  serve(app, settingsApi.changeLimits, async ({ companyId, act, body: { change } }) => {
    const company = await callingCompany(companies, { companyId });
    await changeCompanyLimits(companies, company, change, act);
    return state(companyId);
  });
  serve(app, settingsApi.company, ({ companyId }) => profileOf(ports, companyId));
  serve(
    app,
    settingsApi.changeCompany,
    async ({ companyId, actor, act, body: { name, features, eraseSpecimens, ...others } }) => {
      const { registration, blacklists } = features;
      // The rule binds every operator, so that only the local administrator can switch it off.
      if (
        isOperator(actor) &&
        others.secondOperator === false &&
        (await profileOf(ports, companyId)).secondOperator
      )
        throw new ApiError('SECOND_OPERATOR_FIXED');
      await changeCompany(
        ports,
        companyId,
        {
          registrationEnabled: registration,
          blacklistsEnabled: blacklists,
          ...others,
        },
        { name, eraseSpecimens },
        act,
      );
      return profileOf(ports, companyId);
    },
  );
}

async function profileOf(
  { companies, signatureSpecimens }: DashboardRoutePorts,
  id: CompanyId,
): Promise<CompanyProfile> {
  const { name, createdAt, storageFolder, settings } = await callingCompany(companies, { companyId: id });
  return {
    name,
    createdAt: createdAt.toISOString(),
    features: { registration: settings.registrationEnabled, blacklists: settings.blacklistsEnabled },
    secondOperator: settings.secondOperator,
    osia: settings.osia,
    signatureSpecimens: {
      stored: settings.signatureSpecimens,
      count: await signatureSpecimens.count(id),
    },
    storageFolder,
  };
}
