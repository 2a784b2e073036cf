/** The limits of the made-up core, as they are after an installation. */
import { limitPatch, limitState } from '../../core/contracts/limits/limitShapes.ts';
import { companySettings, installationSettings } from '../../core/contracts/settings.ts';
import { companyLimits, installationLimits } from '../../core/domain/companies/limits.ts';

const SITE = installationLimits(installationSettings.parse({}));
const COMPANY = companyLimits(companySettings.parse({}));

/** Answers a change without keeping it, so that every picture begins with the same values. */
export function answerSettings(route: string, body: Buffer): [status: number, body: unknown] | undefined {
  if (route === 'GET /settings') return [200, limitState.parse({ company: COMPANY, site: SITE })];
  if (route !== 'PATCH /settings') return undefined;
  const { change } = limitPatch.parse(JSON.parse(body.toString()));
  return [200, limitState.parse({ company: { ...COMPANY, ...change }, site: SITE })];
}
