/** The company and the limits of the mock API server, as they are after an installation. */
import { companyPatch, companyProfile } from '../../core/contracts/dashboard/company.ts';
import { limitPatch, limitState } from '../../core/contracts/limits/limitShapes.ts';
import { companySettings, installationSettings } from '../../core/contracts/settings.ts';
import { problem } from '../../core/contracts/errors/problem.ts';
import { companyLimits, installationLimits } from '../../core/domain/settings/changeSettings.ts';
import { at, SESSION } from './fixtures.ts';

const INSTALLATION = installationLimits(installationSettings.parse({}));
const COMPANY = companyLimits(companySettings.parse({}));

const PROFILE = companyProfile.parse({
  name: SESSION.company.name,
  createdAt: at(-400_000),
  features: SESSION.company.features,
  secondOperator: false,
  osia: false,
  signatureSpecimens: { stored: true, count: 12 },
  storageFolder: '/srv/vouch/storage',
});

/** Answers a change without keeping it, so that every picture begins with the same values. */
export function answerSettings(route: string, body: Buffer): [status: number, body: unknown] | undefined {
  if (route === 'GET /company') return [200, PROFILE];
  if (route === 'PATCH /company') {
    const patch = companyPatch.parse(JSON.parse(body.toString()));
    const {
      name = PROFILE.name,
      features,
      secondOperator = false,
      signatureSpecimens: stored = true,
      eraseSpecimens,
    } = patch;
    if (!stored && eraseSpecimens !== PROFILE.signatureSpecimens.count)
      return [409, problem('SPECIMENS_ERASURE_UNCONFIRMED', { specimens: 12 })];
    const changed = {
      name,
      features: { ...PROFILE.features, ...features },
      secondOperator,
      signatureSpecimens: { stored, count: stored ? 12 : 0 },
    };
    return [200, companyProfile.parse({ ...PROFILE, ...changed })];
  }
  if (route === 'GET /settings')
    return [200, limitState.parse({ company: COMPANY, installation: INSTALLATION })];
  if (route !== 'PATCH /settings') return undefined;
  const { change } = limitPatch.parse(JSON.parse(body.toString()));
  return [200, limitState.parse({ company: { ...COMPANY, ...change }, installation: INSTALLATION })];
}
