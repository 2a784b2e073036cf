import type { FastifyInstance } from 'fastify';
import type { Appearances } from '../../domain/ports/appearances.ts';
import type { Operators } from '../../domain/ports/identity.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { DashboardQueries } from '../../domain/ports/dashboard.ts';
import type { DuplicateRuns } from '../../domain/ports/duplicates.ts';
import type { EnrolmentRuns } from '../../domain/ports/enrolmentRuns.ts';
import type { ChangeFeed } from '../../domain/ports/changes.ts';
import type { Companies, Installation } from '../../domain/ports/companies.ts';
import type { Faces, GalleryPort } from '../../domain/ports/gallery.ts';
import type { ImageFiles } from '../../domain/ports/images.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import type { Clock, Logger } from '../../domain/ports/machine.ts';
import type { RecognitionPort } from '../../domain/ports/recognition.ts';
import type { FaceComparisons } from '../../domain/search/faceComparison.ts';
import type {
  SignatureCalibrations,
  SignatureComparisons,
  SignaturePort,
} from '../../domain/ports/signatures.ts';
import type { ApiTokens, HmacKeys } from '../../domain/ports/credentials.ts';
import type { Uploads, WorkQueue } from '../../domain/ports/uploads.ts';
import type { Reports } from '../../domain/ports/reports.ts';
import type { BackupKeyService } from '../../domain/backups/keys.ts';
import type { BackupService } from '../../domain/backups/service.ts';
import type { BlacklistTransferService } from '../../domain/blacklistTransfer/service.ts';
import type { TrustedInstallations } from '../../domain/ports/blacklistTransfer.ts';
import type { SignatureCalibrationRuns } from '../../domain/signatures/calibrationRuns.ts';
import type { CalibrationRuns } from '../../domain/calibration/runs.ts';
import type { DuplicateSearch } from '../../domain/duplicates/service.ts';
import type { PipelineRegistry } from '../../domain/recognition/pipelineRegistry.ts';
import type { PipelineService } from '../../domain/pipelines/service.ts';
import type { Blacklists, TrustFlows, Validations } from '../../domain/ports/screening.ts';
import type { Verifications } from '../../domain/screening/verifications.ts';
import type { CompanyServices } from '../../domain/services.ts';
import type { FolderGrants } from '../../domain/enrolment/folderGrants.ts';
import type { UploadIntake } from '../../domain/enrolment/intake.ts';
import { appearanceRoutes } from './access/appearance.ts';
import { backupRoutes } from './backups.ts';
import { calibrationRoutes } from './calibration.ts';
import { batchDecisionRoutes } from './batchDecisions.ts';
import { blacklistRoutes } from './blacklists.ts';
import { demoRoutes } from './demo.ts';
import { erasureRoutes } from './erasure.ts';
import { cameraRoutes } from './camera.ts';
import { eventRoutes } from './events.ts';
import { blacklistTransferRoutes } from './blacklistTransfer.ts';
import { folderRoutes } from './folders.ts';
import { faceComparisonRoutes } from './faceComparisons.ts';
import { duplicateRunRoutes } from './duplicateRuns.ts';
import { enrolmentRunRoutes } from './enrolmentRuns.ts';
import { listExportRoutes } from './listExports.ts';
import { findRoutes } from './palette.ts';
import { flowRoutes } from './flows.ts';
import { imageRoutes } from './images.ts';
import { networkRoutes, type NetworkRoutePorts } from './network.ts';
import { hitRoutes } from './hits.ts';
import { overviewRoutes } from './overview.ts';
import { dashboardPages } from './pages.ts';
import { pipelineRoutes } from './pipelines.ts';
import { additionRoutes } from './searchAdditions.ts';
import { searchRoutes } from './search.ts';
import { settingsRoutes } from './settings.ts';
import { signatureCalibrationRoutes } from './signatureCalibration.ts';
import { signatureRoutes } from './signatures.ts';
import { validationRoutes } from './validations.ts';
import { verificationRoutes } from './verifications.ts';
import { systemRoutes, type SystemPorts } from './system.ts';
import { watchedFolderRoutes } from './watchedFolders.ts';
import { workRoutes } from './work.ts';

export interface DashboardPorts extends Omit<SystemPorts, 'log'>, NetworkRoutePorts, CompanyServices {
  views: DashboardQueries;
  runs: EnrolmentRuns;
  changes: ChangeFeed;
  operators: Operators;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  appearances: Appearances;
  companies: Companies;
  site: Installation;
  queue: WorkQueue;
  images: ImageFiles;
  uploads: Uploads;
  faces: Faces;
  blacklists: Blacklists;
  flows: TrustFlows;
  validations: Validations;
  verifications: Verifications;
  vision: RecognitionPort;
  gallery: GalleryPort;
  signatures: SignaturePort;
  signatureCalibrations: SignatureCalibrations;
  signatureCalibrationRuns: SignatureCalibrationRuns;
  comparisons: SignatureComparisons;
  faceComparisons: FaceComparisons;
  pipelineService: PipelineService;
  calibrationRuns: CalibrationRuns;
  duplicateSearch: DuplicateSearch;
  duplicateRuns: DuplicateRuns;
  recognition: Pick<PipelineRegistry, 'pipelineOf' | 'calibrationOf'>;
  exchange: BlacklistTransferService;
  backupService: BackupService;
  backupKeyService: BackupKeyService;
  trustedInstallations: TrustedInstallations;
  folderGrants: FolderGrants;
  reports: Reports;
  audit: AuditLog;
  clock: Clock;
  crypto: CryptoPort;
  log: Logger;
  inProgress: () => number;
  accepted: () => void;
  /** Where the built pages are. */
  pagesFolder: string;
}

/** The dashboard: its pages, and the routes that they ask. Its sign-in is registered before. */
export async function dashboardRoutes(
  app: FastifyInstance,
  ports: DashboardPorts & { intake: UploadIntake },
): Promise<void> {
  dashboardPages(app, ports.pagesFolder);
  imageRoutes(app, ports);
  findRoutes(app, ports);
  validationRoutes(app, ports);
  batchDecisionRoutes(app, ports);
  listExportRoutes(app, ports);
  hitRoutes(app, ports);
  blacklistRoutes(app, ports);
  flowRoutes(app, ports);
  overviewRoutes(app, ports);
  demoRoutes(app, ports);
  eventRoutes(app, ports);
  systemRoutes(app, ports);
  settingsRoutes(app, ports);
  networkRoutes(app, ports);
  backupRoutes(app, ports);
  pipelineRoutes(app, ports);
  duplicateRunRoutes(app, ports);
  erasureRoutes(app, ports);
  appearanceRoutes(app, ports);
  folderRoutes(app, ports);
  watchedFolderRoutes(app, ports);
  await calibrationRoutes(app, ports);
  await blacklistTransferRoutes(app, ports);
  await workRoutes(app, ports);
  await enrolmentRunRoutes(app, ports);
  await searchRoutes(app, ports);
  await additionRoutes(app, ports);
  await signatureRoutes(app, ports);
  await signatureCalibrationRoutes(app, ports);
  await faceComparisonRoutes(app, ports);
  await verificationRoutes(app, ports);
  await cameraRoutes(app, ports);
}
