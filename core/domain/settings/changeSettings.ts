/** Changing settings of a company, and reading and changing the limits of the catalogue in contracts/limits.ts. */
import { InvalidInput, problem } from '../../contracts/errors/problem.ts';
import {
  COMPANY_LIMITS,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type InstallationLimit,
} from '../../contracts/limits/limits.ts';
import type { LimitChange } from '../../contracts/limits/limitShapes.ts';
import type { CompanySettings, InstallationSettings } from '../../contracts/settings.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import { nested, type SettingsPatch } from './change.ts';
import type { Companies, Installation } from '../../storage/settings/companies.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { discardImages } from '../work/writtenImages.ts';
import type { ImageFiles } from '../ports/images.ts';
import type { Platform } from '../ports/machine.ts';
import type { Storage } from '../../storage/index.ts';

type Values<Path extends string, Value> = Record<Path, Value>;

/**
 * Changes settings of a company, and discards the files of the signature specimens that the change erased.
 * @param also as {@link Companies.changeSettings} takes it
 * @throws {CodedError} nothing was changed
 */
export async function changeCompany(
  { companies, images, log }: Pick<Storage, 'companies'> & Pick<Platform, 'log'> & { images: ImageFiles },
  company: CompanyId,
  patch: SettingsPatch<CompanySettings>,
  also: Parameters<Companies['changeSettings']>[3],
  act: AuditContext,
): Promise<void> {
  const erasedImages = await companies.changeSettings(company, patch, act, also);
  await discardImages({ images, log }, company, erasedImages);
}

/** The present limits of a company. */
export function companyLimits(settings: CompanySettings): Values<CompanyLimit, number> {
  return valuesAt(settings, Object.keys(COMPANY_LIMITS)) as Values<CompanyLimit, number>;
}

/** The present limits of the installation. */
export function installationLimits(settings: InstallationSettings): Values<InstallationLimit, number | null> {
  return valuesAt(settings, Object.keys(INSTALLATION_LIMITS)) as Values<InstallationLimit, number | null>;
}

/** Changes limits of a company from the next request on. @throws {InvalidInput} nothing was changed */
export async function changeCompanyLimits(
  companies: Companies,
  { id }: Pick<Company, 'id'>,
  change: LimitChange,
  act: AuditContext,
): Promise<void> {
  requireLimits(COMPANY_LIMITS, change);
  await companies.changeSettings(id, nested(new Map(Object.entries(change))), act);
}

/** Changes limits of the installation from the next request on. @throws {InvalidInput} nothing was changed */
export async function changeInstallationLimits(
  installation: Installation,
  change: LimitChange,
  act: AuditContext,
): Promise<void> {
  requireLimits(INSTALLATION_LIMITS, change);
  await installation.update(nested(new Map(Object.entries(change))), act);
}

/** Settings that are not limits have rules of their own, so they are unknown here. */
function requireLimits(limits: object, change: LimitChange): void {
  const unknown = Object.keys(change).filter((path) => !Object.hasOwn(limits, path));
  if (unknown.length > 0)
    throw new InvalidInput(
      Object.fromEntries(unknown.map((path) => [path, [problem('SETTING_UNKNOWN', { setting: path })]])),
    );
}

function valuesAt(settings: object, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(paths.map((path) => [path, valueAt(settings, path)]));
}

function valueAt(settings: object, path: string): unknown {
  let value: unknown = settings;
  for (const key of path.split('.')) value = new Map<string, unknown>(Object.entries(value ?? {})).get(key);
  return value;
}
