import { problem, type FieldProblems, CodedError, inputInvalid } from '../contracts/errors/problem.ts';
import { fieldErrors } from '../contracts/errors/fieldErrors.ts';
import {
  ADMIN_COMMANDS,
  type AdminCommand,
  type AdminOutput,
  type AdminRequest,
} from '../contracts/admin/commands.ts';
import type { PipelineId } from '../contracts/ids.ts';
import { installZodMessages } from '../contracts/zodMessages.ts';
import { settableLimits } from '../contracts/limits/limitShapes.ts';
import { companySettings } from '../contracts/settings.ts';
import { asLocalAdmin } from '../domain/ports/auditContext.ts';
import { companyNamed } from '../domain/companies/companyNamed.ts';
import type { AdminCommandHandlers } from './handlers.ts';
import { credentialCommands } from './credentials.ts';
import type { AnchorPorts } from '../domain/audit/anchor.ts';
import { auditCommands } from './audit.ts';
import { backupKeyCommands, type BackupKeyPorts } from './backupKey.ts';
import { erasureCommands } from './erasure.ts';
import type { Operators } from '../domain/ports/identity.ts';
import type { Erasures } from '../domain/ports/erasure.ts';
import { blacklistTransferCommands, type BlacklistTransferCommandPorts } from './blacklistTransfer.ts';
import {
  changeCompanyLimits,
  changeInstallationLimits,
  companyLimits,
  installationLimits,
} from '../domain/companies/limits.ts';
import { networkCommands } from './network.ts';
import type { NetworkAccessService } from '../domain/network/service.ts';
import { operatorCommands, type OperatorPorts } from './operators.ts';
import type { Doctor } from '../domain/diagnostics/service.ts';
import type { Companies, Company, Installation } from '../domain/ports/companies.ts';
import type { ApiTokens, HmacKeys } from '../domain/ports/credentials.ts';
import type { Faces, GalleryPort } from '../domain/ports/gallery.ts';
import type { ImageFiles, MovableImages, StorageFolders } from '../domain/ports/images.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { RecognitionPort } from '../domain/ports/recognition.ts';
import type { WorkQueue } from '../domain/ports/uploads.ts';
import { calibrationCommands, type CalibrationCommandPorts } from './calibration.ts';
import { pipelineCommands, type PipelineCommandPorts } from './pipelines.ts';
import { screeningCommands, type ScreeningCommandPorts } from './screening.ts';
import type { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import { searchCommands } from './search.ts';
import type { AccessServices, CompanyServices } from '../domain/services.ts';

interface AdminCommandPorts
  extends
    OperatorPorts,
    AnchorPorts,
    BackupKeyPorts,
    BlacklistTransferCommandPorts,
    ScreeningCommandPorts,
    AccessServices,
    CompanyServices,
    PipelineCommandPorts,
    CalibrationCommandPorts {
  erasures: Erasures;
  operators: Operators;
  offeredFolders: FolderGrants;
  companies: Companies;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  site: Installation;
  queue: WorkQueue;
  faces: Faces;
  vision: RecognitionPort;
  gallery: GalleryPort;
  doctor: Doctor;
  lan: NetworkAccessService;
  clock: Clock;
  images: ImageFiles & MovableImages;
  storageFolders: StorageFolders;
  /** Facts of the running process. */
  process: {
    version: string;
    address(): string | null;
    inProgress(): number;
    /** Of companies that have not chosen one. */
    pipeline(): PipelineId;
  };
  /** The queue was resumed. */
  wake(): void;
}

/** Carries out a command whose input has come from anywhere: it is checked against the command's schema first. */
export type RunAdminCommand = <C extends AdminCommand>(command: C, input: unknown) => Promise<AdminOutput<C>>;

/** Binds the owner's commands to the store. */
export function createAdminCommands(ports: AdminCommandPorts): RunAdminCommand {
  installZodMessages();
  const handlers: AdminCommandHandlers = {
    ...siteCommands(ports),
    ...companyCommands(ports),
    ...searchCommands(ports),
    ...credentialCommands(ports),
    ...operatorCommands(ports),
    ...auditCommands(ports),
    ...backupKeyCommands(ports),
    ...blacklistTransferCommands(ports),
    ...screeningCommands(ports),
    ...erasureCommands(ports),
    ...pipelineCommands(ports),
    ...calibrationCommands(ports),
    ...networkCommands(ports),
    'folder.grant': async ({ session, path }) => ({
      ticket: await ports.offeredFolders.offer(session, path),
    }),
  };
  return async (command, input) => {
    const parsed = ADMIN_COMMANDS[command].input.safeParse(input);
    if (!parsed.success) throw inputInvalid(fieldErrors(parsed.error));
    return handlers[command](parsed.data as AdminRequest<typeof command>);
  };
}

function siteCommands(
  ports: AdminCommandPorts,
): Pick<AdminCommandHandlers, 'status' | 'doctor' | 'queue.pause' | 'queue.resume' | 'installation.limits'> {
  const { site, queue, vision, process } = ports;
  return {
    async status() {
      const head = await ports.audit.head(ports.clock.now());
      return {
        version: process.version,
        address: process.address(),
        pipelineId: process.pipeline(),
        companies: await ports.desk.serving(),
        workers: vision.workers,
        paused: (await site.settings()).paused,
        waiting: await queue.waiting(),
        inProgress: process.inProgress(),
        auditEntries: head?.sequence ?? 0,
        auditHead: head?.hash ?? null,
      };
    },
    doctor: () => ports.doctor.report({ fresh: true }),
    async 'queue.pause'() {
      const { paused } = await site.update({ paused: true }, asLocalAdmin(ports.clock));
      return { paused };
    },
    async 'queue.resume'() {
      const { paused } = await site.update({ paused: false }, asLocalAdmin(ports.clock));
      ports.wake();
      return { paused };
    },
    async 'installation.limits'({ change }) {
      if (Object.keys(change).length > 0)
        refuse(await changeInstallationLimits(site, change, asLocalAdmin(ports.clock)));
      return settableLimits('site', installationLimits(await site.settings()));
    },
  };
}

/** @throws {CodedError} when a change was not stored */
function refuse(errors: FieldProblems | undefined): void {
  if (errors !== undefined) throw inputInvalid(errors);
}

function companyCommands(
  ports: AdminCommandPorts,
): Pick<AdminCommandHandlers, 'company.create' | 'company.list' | 'company.update' | 'company.limits'> {
  const { companies, images, storageFolders } = ports;
  return {
    async 'company.create'({ name, storageFolder }) {
      if ((await companies.findByName(name)) !== undefined)
        throw new CodedError(problem('COMPANY_EXISTS', { company: name }));
      if (storageFolder !== undefined) {
        const { problem } = await storageFolders.check(storageFolder);
        if (problem !== null) throw unusable(storageFolder, problem);
      }
      const company = await companies.create(
        { name, ...(storageFolder !== undefined && { storageFolder }), settings: companySettings.parse({}) },
        asLocalAdmin(ports.clock),
      );
      return companyView(company);
    },
    async 'company.list'() {
      return (await companies.list()).map(companyView);
    },
    async 'company.update'({ company: name, storageFolder, ...features }) {
      const company = await companyNamed(ports.companies, name);
      const change =
        Object.keys(features).length === 0
          ? undefined
          : await companies.changeSettings(company.id, features, asLocalAdmin(ports.clock));
      if (change?.kind === 'invalid') refuse(change.errors);
      if (storageFolder !== undefined) {
        const problem = await images.moveTo(company, storageFolder, asLocalAdmin(ports.clock));
        if (problem !== undefined) throw unusable(storageFolder, problem);
      }
      return companyView(await companyNamed(companies, name));
    },
    async 'company.limits'({ company: name, change }) {
      const company = name === undefined ? await onlyCompany(companies) : await companyNamed(companies, name);
      if (Object.keys(change).length === 0) return settableLimits('company', companyLimits(company.settings));
      refuse(await changeCompanyLimits(companies, company, change, asLocalAdmin(ports.clock)));
      return settableLimits('company', companyLimits((await companyNamed(companies, company.name)).settings));
    },
  };
}

/** @throws {CodedError} when there is none, or several */
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
  const { registrationEnabled, blacklistsEnabled } = company.settings;
  return {
    id: company.id,
    name: company.name,
    storageFolder: company.storageFolder,
    registrationEnabled,
    blacklistsEnabled,
  };
}
