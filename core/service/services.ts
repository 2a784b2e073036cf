/**
 * The application services over an open store, which the running service and the commands without a service
 * share. One function makes the services of one capability.
 */
import { EncounterService } from '../domain/abis/encounters.ts';
import { MosipRequests } from '../domain/abis/mosip.ts';
import { UnexpiredGallery } from '../domain/blacklists/unexpiredGallery.ts';
import { BlacklistTransferService } from '../domain/blacklistTransfer/blacklistTransferService.ts';
import { CalibrationRuns } from '../domain/calibration/runs.ts';
import { Doctor } from '../domain/diagnostics/doctor.ts';
import { GroupService } from '../domain/duplicates/groups.ts';
import { DuplicateSearch } from '../domain/duplicates/duplicateSearch.ts';
import { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import { PassphraseHasher } from '../domain/identity/passphrase.ts';
import { NetworkAccessService } from '../domain/network/networkAccessService.ts';
import { PersonService } from '../domain/persons/personService.ts';
import { SpecimenService } from '../domain/persons/specimens.ts';
import { PipelineService } from '../domain/pipelines/pipelineService.ts';
import { TemplateMigration } from '../domain/pipelines/templateMigration.ts';
import type { BackupStream } from '../domain/ports/backup.ts';
import type { Confinement, RunningService } from '../domain/ports/diagnostics.ts';
import type { Metrics } from '../domain/ports/metrics.ts';
import type { IssueCertificate, NetworkSocket } from '../domain/ports/network.ts';
import { Verifications } from '../domain/screening/verifications.ts';
import { createAccessServices, createCompanyServices } from '../domain/services.ts';
import { SignatureCalibrationRuns } from '../domain/signatures/calibrationRuns.ts';
import { BACKUP_KEYS } from '../encryption/backupKey.ts';
import type { Gallery } from '../gallery/index.ts';
import type { DataShares } from '../mosip/dataShare.ts';
import { MosipLinks } from '../mosip/links.ts';
import { argon2id } from '../platform/argon2.ts';
import { BOOT_CLOCK } from './machine.ts';
import { PLATFORM } from '../platform/platform.ts';
import { VERSION } from '../platform/version.ts';
import { photoFolders } from '../storage/index.ts';
import { transferPackages } from '../transfer/transferPackages.ts';
import { CLOCK, hostInspectors, type Foundation } from './foundation.ts';
import { BackupKeyService, BackupService } from '../domain/backups/backupService.ts';

/** Few installations need a certificate: the library that makes it is loaded then. */
const issueWhenAsked: IssueCertificate = async (wanted) =>
  (await import('../platform/certificate.ts')).issueCertificate(wanted);

/** The parts of the running service that the application services use. */
export interface RunningParts {
  /** Every matchable face, with those whose expiry is not followed yet. */
  gallery: Gallery;
  /** Where other machines connect; absent: they cannot. */
  networkSocket?: NetworkSocket;
  /** Images that are being processed. */
  inProgress: () => number;
  /** Starts the processing of the queue. */
  wake: () => void;
  metrics?: Metrics;
  /** Where it listens; null: it does not. */
  address: () => string | null;
  port: number;
  confinement: () => Confinement;
  service: () => Omit<RunningService, 'networkProblem'> | null;
}

/** The application services over an open store, one instance of each. */
export type Services = ReturnType<typeof createServices>;

export function createServices(foundation: Foundation, running: RunningParts) {
  const ports = portsOf(foundation, running);
  const access = createAccessServices({
    ...ports,
    hasher: new PassphraseHasher({ ...PLATFORM, hashing: argon2id() }),
  });
  const packages = transferPackages(foundation.storage);
  const blacklistTransfer = new BlacklistTransferService({ ...ports, packages });
  const company = createCompanyServices({ ...ports, blacklistTransfer });
  const persons = personServices(foundation, running, ports);
  return {
    access,
    company,
    blacklistTransfer,
    packages,
    gallery: ports.gallery,
    verifications: ports.verifications,
    ...recognitionServices(foundation, running, ports),
    ...persons,
    ...abisServices({ ...ports, ...persons, ...company, pictures: foundation.runner }),
    ...machineServices(foundation, running, access),
    ...backupServices(foundation),
  };
}

/** The ports of the services of companies: the store, the platform, and the search of faces. */
type CompanyPorts = ReturnType<typeof portsOf>;

function portsOf({ storage, runner, vision, log }: Foundation, running: RunningParts) {
  const clock = CLOCK;
  const { metrics } = running;
  const gallery = new UnexpiredGallery({ ...storage, gallery: running.gallery, clock, metrics });
  const verifications = new Verifications({ ...storage, vision, gallery, clock, log, metrics });
  return {
    ...storage,
    ...PLATFORM,
    runner,
    vision,
    recognition: vision,
    gallery,
    verifications,
    clock,
    bootClock: BOOT_CLOCK,
    log,
  };
}

/** Pipelines, their change, and the calibration of faces and signatures. */
function recognitionServices({ signatures }: Foundation, running: RunningParts, ports: CompanyPorts) {
  const templateMigration = new TemplateMigration({ ...ports, gallery: running.gallery });
  return {
    templateMigration,
    pipelineService: new PipelineService({ ...ports, templateMigration }),
    calibrationRuns: new CalibrationRuns(ports),
    signatureCalibrationRuns: new SignatureCalibrationRuns({ ...ports, signatures }),
  };
}

/** Searches for duplicates, their groups, and persons with their signatures. */
function personServices({ signatures }: Foundation, running: RunningParts, ports: CompanyPorts) {
  const { gallery, inProgress } = running;
  const duplicateSearch = new DuplicateSearch({ ...ports, gallery, inProgress });
  const groups = new GroupService(ports);
  duplicateSearch.follow(async ({ run, ended }) => {
    if (ended) await groups.refresh(run.company);
  });
  return {
    duplicateSearch,
    groups,
    personService: new PersonService({ ...ports, groups }),
    specimenService: new SpecimenService({ ...ports, signatures }),
  };
}

/** The interfaces of an ABIS for other identity systems. */
function abisServices(ports: CompanyPorts & ConstructorParameters<typeof EncounterService>[0]) {
  const encounterService = new EncounterService(ports);
  // Few installations have a connection to MOSIP: what fetches and reads its records is loaded then.
  let shares: Promise<DataShares> | undefined;
  const recordAt: DataShares['recordAt'] = async (...asked) => {
    shares ??= import('../mosip/dataShare.ts').then((module) => new module.DataShares());
    return (await shares).recordAt(...asked);
  };
  const requests = () => new MosipRequests({ ...ports, encounterService, recordAt });
  return { encounterService, mosipLinks: new MosipLinks({ ...ports, requests }) };
}

/** Folders of this machine, its network access and its diagnostics. */
function machineServices(
  { home, storage, log }: Foundation,
  running: RunningParts,
  { signIn }: ReturnType<typeof createAccessServices>,
) {
  const clock = CLOCK;
  const network = new NetworkAccessService({
    ...storage,
    ...PLATFORM,
    clock,
    log,
    networkSocket: running.networkSocket,
    issueCertificate: issueWhenAsked,
  });
  return {
    folderGrants: new FolderGrants({
      ...PLATFORM,
      clock,
      home: home.folder,
      folders: photoFolders,
      companies: storage.companies,
      signIn,
    }),
    network,
    doctor: createDoctor({ home, storage, log }, running, network),
  };
}

function createDoctor(
  { home, storage, log }: Pick<Foundation, 'home' | 'storage' | 'log'>,
  running: RunningParts,
  network: NetworkAccessService,
): Doctor {
  return new Doctor({
    ...hostInspectors(home),
    log,
    confinement: running.confinement,
    home: storage.homeInspection,
    store: storage,
    port: running.port,
    service: () => {
      const service = running.service();
      return service && { ...service, networkProblem: network.problem };
    },
  });
}

function backupServices({ storage, log }: Pick<Foundation, 'storage' | 'log'>) {
  const backupService = new BackupService({
    ...storage,
    backupKeys: BACKUP_KEYS,
    clock: CLOCK,
    log,
    version: VERSION,
  });
  return {
    backupService,
    backupKeyService: new BackupKeyService({ ...storage, backupKeys: BACKUP_KEYS }),
    /** Writes the backup that an administrator asked for in a terminal. */
    backUp: (): Promise<BackupStream> =>
      backupService.stream('terminal', { by: 'local-admin', at: CLOCK.now() }),
  };
}
