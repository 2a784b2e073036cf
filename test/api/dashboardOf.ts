/** The dashboard's routes at a test site: everything real but the machine under it. */
import { problem } from '../../core/contracts/errors/problem.ts';
import { transferPorts } from '../support/transferPorts.ts';
import { join } from 'node:path';
import type { ApiPorts } from '../../core/api/ports.ts';
import type { Clock, Logger } from '../../core/domain/ports/machine.ts';
import { issueCertificate } from '../../core/platform/certificate.ts';
import { NetworkAccessService } from '../../core/domain/network/networkAccessService.ts';
import { BACKUP_KEYS } from '../../core/encryption/backupKey.ts';
import { BlacklistTransferService } from '../../core/domain/blacklistTransfer/blacklistTransferService.ts';
import { UnexpiredGallery } from '../../core/domain/blacklists/unexpiredGallery.ts';
import { EncounterService } from '../../core/domain/abis/encounters.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { PersonService } from '../../core/domain/persons/personService.ts';
import { SpecimenService } from '../../core/domain/persons/specimens.ts';
import { DuplicateSearch } from '../../core/domain/duplicates/duplicateSearch.ts';
import { Doctor } from '../../core/domain/diagnostics/doctor.ts';
import type { Verifications } from '../../core/domain/screening/verifications.ts';
import { createCompanyServices } from '../../core/domain/services.ts';
import { SignatureCalibrationRuns } from '../../core/domain/signatures/calibrationRuns.ts';
import { CalibrationRuns } from '../../core/domain/calibration/runs.ts';
import { PipelineService } from '../../core/domain/pipelines/pipelineService.ts';
import type { PipelineFacts, PipelineRunner } from '../../core/domain/ports/pipelines.ts';
import { PipelineRegistry } from '../../core/domain/recognition/pipelineRegistry.ts';
import { TemplateMigration } from '../../core/domain/pipelines/templateMigration.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import type { Gallery } from '../../core/gallery/index.ts';
import { pdfReports } from '../../core/reports/index.ts';
import { photoFolders, type Storage } from '../../core/storage/index.ts';
import type { SignInService } from '../../core/domain/identity/signInService.ts';
import { FolderGrants } from '../../core/domain/enrolment/folderGrants.ts';
import {
  ScriptedSignatures,
  SILENT_LOG,
  TEST_CALIBRATION,
  type ScriptedVision,
  TestBootClock,
} from '../support/fakes.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import type { SignaturePort } from '../../core/domain/ports/signatures.ts';
import { BackupKeyService, BackupService } from '../../core/domain/backups/backupService.ts';

interface Engine {
  storage: Storage;
  vision: ScriptedVision;
  gallery: Gallery;
  verifications: Verifications;
  signIn: SignInService;
  clock: Clock;
  log: Logger;
  accepted: () => void;
}

export async function dashboardOf(
  folder: string,
  engine: Engine,
): Promise<NonNullable<ApiPorts['dashboard']>> {
  const { storage, clock } = engine;
  const signatures = new ScriptedSignatures();
  const models = () => Promise.resolve([]);
  const exchange = new BlacklistTransferService({ ...transferPorts(storage), ...engine });
  const bootClock = new TestBootClock(clock);
  const gallery = new UnexpiredGallery({ ...storage, gallery: engine.gallery, clock });
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const personService = new PersonService({ ...storage, groups });
  const erasing = { ...storage, ...PLATFORM, ...engine, gallery, bootClock, blacklistTransfer: exchange };
  const company = createCompanyServices(erasing);
  return {
    ...storage,
    ...PLATFORM,
    ...engine,
    gallery,
    signatures,
    ...(await pipelinesOf(engine, signatures)),
    recognition: engine.vision,
    converter: engine.vision,
    groups,
    personService,
    encounterService: new EncounterService({
      ...erasing,
      ...company,
      personService,
      pictures: engine.vision,
    }),
    specimenService: new SpecimenService({ ...storage, signatures, log: SILENT_LOG }),
    duplicateSearch: new DuplicateSearch({
      ...storage,
      ...PLATFORM,
      ...engine,
      recognition: engine.vision,
      inProgress: () => 0,
    }),
    exchange,
    packages: transferPorts(storage).packages,
    backupKeyService: new BackupKeyService({ ...storage, backupKeys: BACKUP_KEYS }),
    backupService: new BackupService({ ...storage, ...engine, backupKeys: BACKUP_KEYS, version: '0.0.0' }),
    ...company,
    folderGrants: new FolderGrants({
      ...PLATFORM,
      folders: photoFolders,
      companies: storage.companies,
      signIn: engine.signIn,
      clock,
      home: folder,
    }),
    reports: pdfReports,
    inProgress: () => 0,
    models,
    network: new NetworkAccessService({ ...storage, ...PLATFORM, ...engine, issueCertificate }),
    doctor: new Doctor({
      ...PLATFORM,
      clock,
      log: { warn: () => undefined },
      confinement: () => 'kernel',
      bootClock,
      models,
      installedPipelines: () => Promise.resolve(new Set([engine.vision.pipelineId])),
      store: storage,
      home: storage.homeInspection,
      processor: () =>
        Promise.resolve({
          model: 'a test',
          cores: 1,
          architecture: 'x64',
          features: null,
          wasmSimd: true,
          memoryBytes: 1,
        }),
      ports: { problemAt: () => Promise.resolve(undefined), isFree: () => Promise.resolve(true) },
      port: 0,
      service: () => null,
    }),
    process: {
      version: '0.0.0',
      startedAt: clock.now(),
      perMinute: () => null,
      workers: () => [SHIPPED_WORKERS],
    },
    pagesFolder: join(folder, 'no pages'),
  };
}

/** The pipeline that the workers were started for is no company's. */
const SHIPPED_WORKERS = { work: 'faces', max: 2, alive: 1, restarts: 0, version: 'shipped/1' } as const;

/** Another pipeline than the one that serves, and a pack that is refused. Nothing is described: see `twoPipelines.ts`. */
async function pipelinesOf({ storage, vision, ...engine }: Engine, signatures: SignaturePort) {
  const facts = (id: PipelineId, name: string): PipelineFacts => ({
    id,
    name,
    title: `The ${name} one`,
    builtIn: true,
    retired: false,
    dimensions: 8,
    licence: 'MIT',
    calibration: TEST_CALIBRATION,
  });
  const standard = facts(vision.pipelineId, 'full');
  const pipelines = [standard, facts('other/1' as PipelineId, 'light')];
  const runner: PipelineRunner & { workers: number } = {
    workers: vision.workers,
    standard,
    using: (id) => (id === standard.id ? vision : undefined),
    successorOf: () => undefined,
    list: () =>
      Promise.resolve({
        pipelines,
        refused: [{ name: 'broken', reason: problem('PACK_FILE_MISSING', { file: 'pipeline.json' }) }],
      }),
    problemWith: () => Promise.resolve(undefined),
  };
  const recognition = await PipelineRegistry.open(runner, storage);
  const ports = { ...storage, ...PLATFORM, ...engine, runner, recognition };
  return {
    pipelineService: new PipelineService({ ...ports, templateMigration: new TemplateMigration(ports) }),
    calibrationRuns: new CalibrationRuns(ports),
    signatureCalibrationRuns: new SignatureCalibrationRuns({ ...ports, signatures }),
  };
}
