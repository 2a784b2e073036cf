/** The company and the limits of the made-up core, as they are after an installation. */
import { companyPatch, companyProfile } from '../../core/contracts/dashboard/company.ts';
import { limitPatch, limitState } from '../../core/contracts/limits/limitShapes.ts';
import { companySettings, installationSettings } from '../../core/contracts/settings.ts';
import { companyLimits, installationLimits } from '../../core/domain/companies/limits.ts';
import { at, SESSION } from './fixtures.ts';

const SITE = installationLimits(installationSettings.parse({}));
const COMPANY = companyLimits(companySettings.parse({}));

const PROFILE = companyProfile.parse({
  name: SESSION.company.name,
  createdAt: at(-400_000),
  features: SESSION.company.features,
  secondOperator: false,
  storageFolder: '/srv/vouch/storage',
});

/** Answers a change without keeping it, so that every picture begins with the same values. */
export function answerSettings(route: string, body: Buffer): [status: number, body: unknown] | undefined {
  if (route === 'GET /company') return [200, PROFILE];
  if (route === 'PATCH /company') {
    const { features, secondOperator = false } = companyPatch.parse(JSON.parse(body.toString()));
    const changed = { features: { ...PROFILE.features, ...features }, secondOperator };
    return [200, companyProfile.parse({ ...PROFILE, ...changed })];
  }
  if (route === 'GET /settings') return [200, limitState.parse({ company: COMPANY, site: SITE })];
  if (route !== 'PATCH /settings') return undefined;
  const { change } = limitPatch.parse(JSON.parse(body.toString()));
  return [200, limitState.parse({ company: { ...COMPANY, ...change }, site: SITE })];
}
