import { CodedError, sentenceOf, InvalidInput, problem } from '../contracts/errors/problem.ts';
import type { AdminCommandHandlers, AdminOutput } from '../contracts/admin/commands.ts';
import { settableLimits } from '../contracts/limits/limitShapes.ts';
import { companySettings } from '../contracts/settings.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import { changeCompanyLimits, companyLimits } from '../domain/companies/limits.ts';
import type { SpecimenService } from '../domain/persons/specimens.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import type { Company } from '../domain/ports/companies.ts';
import type { MovableImages } from '../domain/ports/images.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { StorageFolders } from '../storage/images/storageFolders.ts';
import type { Companies } from '../storage/settings/companies.ts';

export interface CompanyCommandPorts {
  companies: Companies;
  specimenService: SpecimenService;
  images: MovableImages;
  storageFolders: StorageFolders;
  clock: Clock;
}

/** The handlers of `vouch company …`. */
export function companyCommands(
  ports: CompanyCommandPorts,
): Pick<AdminCommandHandlers, 'company.create' | 'company.list' | 'company.update' | 'company.limits'> {
  const { companies, images, specimenService, storageFolders } = ports;
  return {
    async 'company.create'({ name, storageFolder }) {
      if ((await companies.findByName(name)) !== undefined)
        throw new CodedError(problem('COMPANY_EXISTS', { company: name }));
      if (storageFolder !== undefined) {
        const { problem: fault } = await storageFolders.check(storageFolder);
        if (fault !== null) throw unusable(storageFolder, sentenceOf(fault));
      }
      const company = await companies.create(
        { name, storageFolder, settings: companySettings.parse({}) },
        asLocalAdmin(ports.clock),
      );
      return companyView(company);
    },
    async 'company.list'() {
      return (await companies.list()).map(companyView);
    },
    async 'company.update'({ company: name, storageFolder, eraseSpecimens, ...features }) {
      const company = await companyNamed(ports.companies, name);
      const act = asLocalAdmin(ports.clock);
      const change = Object.values(features).some((value) => value !== undefined)
        ? await specimenService.changeSettings(company.id, features, { eraseSpecimens }, act)
        : undefined;
      if (change?.kind === 'unconfirmed')
        throw new CodedError(problem('SPECIMENS_ERASURE_UNCONFIRMED', { specimens: change.specimens }));
      if (change?.kind === 'invalid') throw new InvalidInput(change.errors);
      if (storageFolder !== undefined) {
        const fault = await images.moveTo(company, storageFolder, act);
        if (fault !== undefined) throw unusable(storageFolder, fault);
      }
      return companyView(await companyNamed(companies, name));
    },
    async 'company.limits'({ company: name, change }) {
      const company = name === undefined ? await onlyCompany(companies) : await companyNamed(companies, name);
      if (Object.keys(change).length === 0) return settableLimits('company', companyLimits(company.settings));
      const errors = await changeCompanyLimits(companies, company, change, asLocalAdmin(ports.clock));
      if (errors !== undefined) throw new InvalidInput(errors);
      return settableLimits('company', companyLimits((await companyNamed(companies, company.name)).settings));
    },
  };
}

/** @throws {CodedError} the installation has no company, or several */
async function onlyCompany(companies: Companies): Promise<Company> {
  const [only, ...others] = await companies.list();
  if (only === undefined) throw new CodedError(problem('COMPANY_NONE'));
  if (others.length > 0)
    throw new CodedError(
      problem('COMPANY_NOT_NAMED', { names: [only, ...others].map(({ name }) => `"${name}"`).join(', ') }),
    );
  return only;
}

function unusable(folder: string, reason: string): CodedError {
  return new CodedError(problem('COMPANY_FOLDER_UNUSABLE', { folder, reason }));
}

function companyView(company: Company): AdminOutput<'company.create'> {
  const { registrationEnabled, blacklistsEnabled, secondOperator, signatureSpecimens } = company.settings;
  return {
    id: company.id,
    name: company.name,
    storageFolder: company.storageFolder,
    registrationEnabled,
    blacklistsEnabled,
    secondOperator,
    signatureSpecimens,
  };
}
