/** Reading and changing the limits of the catalogue in contracts/limits.ts, for the terminal and the dashboard. */
import { problem, type FieldProblems } from '../../contracts/errors/problem.ts';
import {
  COMPANY_LIMITS,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type InstallationLimit,
} from '../../contracts/limits/limits.ts';
import type { LimitChange } from '../../contracts/limits/limitShapes.ts';
import type { CompanySettings, InstallationSettings } from '../../contracts/settings.ts';
import type { AuditContext } from '../ports/auditContext.ts';
import type { Company } from '../ports/companies.ts';
import { nested } from '../settings/change.ts';
import type { Companies, Installation } from '../../storage/settings/companies.ts';

type Values<Path extends string, Value> = Record<Path, Value>;

/** The faults of a change, by path; undefined: it is stored. */
type LimitErrors = FieldProblems | undefined;

/** The present limits of a company. */
export function companyLimits(settings: CompanySettings): Values<CompanyLimit, number> {
  return valuesAt(settings, Object.keys(COMPANY_LIMITS)) as Values<CompanyLimit, number>;
}

/** The present limits of the installation. */
export function installationLimits(settings: InstallationSettings): Values<InstallationLimit, number | null> {
  return valuesAt(settings, Object.keys(INSTALLATION_LIMITS)) as Values<InstallationLimit, number | null>;
}

/** Changes limits of a company from the next request on. @returns why nothing was changed, if so */
export async function changeCompanyLimits(
  companies: Companies,
  { id }: Pick<Company, 'id'>,
  change: LimitChange,
  act: AuditContext,
): Promise<LimitErrors> {
  const unknown = unknownOf(COMPANY_LIMITS, change);
  if (unknown !== undefined) return unknown;
  const changed = await companies.changeSettings(id, nested(new Map(Object.entries(change))), act);
  return changed.kind === 'invalid' ? changed.errors : undefined;
}

/** Changes limits of the installation from the next request on. @returns why nothing was changed, if so */
export async function changeInstallationLimits(
  installation: Installation,
  change: LimitChange,
  act: AuditContext,
): Promise<LimitErrors> {
  const unknown = unknownOf(INSTALLATION_LIMITS, change);
  if (unknown !== undefined) return unknown;
  const changed = await installation.changeSettings(nested(new Map(Object.entries(change))), act);
  return changed.kind === 'invalid' ? changed.errors : undefined;
}

/** Settings that are not limits have rules of their own, so they are unknown here. */
function unknownOf(limits: object, change: LimitChange): LimitErrors {
  const unknown = Object.keys(change).filter((path) => !Object.hasOwn(limits, path));
  if (unknown.length === 0) return undefined;
  return Object.fromEntries(unknown.map((path) => [path, [problem('SETTING_UNKNOWN', { setting: path })]]));
}

function valuesAt(settings: object, paths: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(paths.map((path) => [path, valueAt(settings, path)]));
}

function valueAt(settings: object, path: string): unknown {
  let value: unknown = settings;
  for (const key of path.split('.')) value = new Map<string, unknown>(Object.entries(value ?? {})).get(key);
  return value;
}
