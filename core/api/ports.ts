/** Parts that routes use: the store, the platform, and one instance of each service. */
import type { SystemState } from '../contracts/dashboard/system.ts';
import type { CompanyId, PipelineId } from '../contracts/ids.ts';
import type { Readiness } from '../contracts/nodes.ts';
import type { BlacklistTransferService } from '../domain/blacklistTransfer/blacklistTransferService.ts';
import type { CalibrationRuns } from '../domain/calibration/runs.ts';
import type { Doctor } from '../domain/diagnostics/doctor.ts';
import type { GroupService } from '../domain/duplicates/groups.ts';
import type { EncounterService } from '../domain/abis/encounters.ts';
import type { DuplicateSearch } from '../domain/duplicates/duplicateSearch.ts';
import type { FolderGrants } from '../domain/enrolment/folderGrants.ts';
import type { UploadIntake } from '../domain/enrolment/intake.ts';
import type { NetworkAccessService } from '../domain/network/networkAccessService.ts';
import type { PersonService } from '../domain/persons/personService.ts';
import type { SpecimenService } from '../domain/persons/specimens.ts';
import type { PipelineService } from '../domain/pipelines/pipelineService.ts';
import type { BackupStream, BackupKeys } from '../domain/ports/backup.ts';
import type { ModelFile } from '../domain/ports/diagnostics.ts';
import type { GalleryPort } from '../domain/ports/gallery.ts';
import type { Metrics, MetricsText } from '../domain/ports/metrics.ts';
import type { TransferPackages } from '../domain/ports/blacklistTransfer.ts';
import type { PictureConverter, RecognitionPort } from '../domain/ports/recognition.ts';
import type { Reports } from '../domain/ports/reports.ts';
import type { Verifications } from '../domain/screening/verifications.ts';
import type { AccessServices, CompanyServices } from '../domain/services.ts';
import type { SignatureCalibrationRuns } from '../domain/signatures/calibrationRuns.ts';
import type { Storage } from '../storage/index.ts';
import type { Bounds } from './http/bounds.ts';
import type { Parts } from '../domain/serviceParts.ts';
import type { NetworkListenerServer } from './http/networkListener.ts';
import type { BackupKeyService, BackupService } from '../domain/backups/backupService.ts';

interface CommonPorts extends Omit<Parts, 'gallery' | 'timer'> {
  /** The same as `vision` with the distances of each pipeline. */
  recognition: Pick<RecognitionPort, 'pipelineOf' | 'calibrationOf'>;
  converter: PictureConverter;
  verifications: Verifications;
  duplicateSearch: DuplicateSearch;
  groups: GroupService;
  personService: PersonService;
  encounterService: EncounterService;
  /** An upload was queued: wakes the dispatcher. */
  accepted: () => void;
}

/** Of operators, credentials, exports and the audit log. */
export interface AccessPorts extends CommonPorts, AccessServices {}

/** Of the interface for programs, and of the sign-in to the dashboard. */
export interface ApiPorts extends AccessPorts {
  /** Whether requests should be sent to this service. */
  readiness: () => Promise<Readiness>;
  /** Absent: nothing is counted, and there is no route for a monitoring system. */
  metrics?: (Metrics & MetricsText) | undefined;
  /** Absent: the interface alone, without pages for people. */
  dashboard?: DashboardPorts;
  /** Where other machines come in; absent: they do not. */
  networkListener?: NetworkListenerServer;
  /** Other bounds than the product's own, so that a test need not reach those. */
  bounds?: Partial<Bounds>;
}

export interface PublicPorts extends ApiPorts {
  intake: UploadIntake;
}

/** Of the dashboard. */
export interface DashboardPorts extends CommonPorts, CompanyServices {
  timer: Parts['timer'];
  gallery: GalleryPort;
  signatureCalibrationRuns: SignatureCalibrationRuns;
  pipelineService: PipelineService;
  calibrationRuns: CalibrationRuns;
  specimenService: SpecimenService;
  exchange: BlacklistTransferService;
  packages: TransferPackages;
  backupService: BackupService;
  backupKeyService: BackupKeyService;
  folderGrants: FolderGrants;
  network: NetworkAccessService;
  reports: Reports;
  doctor: Doctor;
  models: () => Promise<ModelFile[]>;
  /** Images that are being processed. */
  inProgress: () => number;
  /** Facts of the running process. */
  process: {
    version: string;
    startedAt: Date;
    perMinute(): number | null;
    workers(): SystemState['workers'];
  };
  /** Where the built pages are. */
  pagesFolder: string;
}

export interface DashboardRoutePorts extends DashboardPorts, AccessServices {
  intake: UploadIntake;
  bounds: Bounds;
}

/** Of the local socket: the routes of the dashboard, and those of the local administrator alone. */
export interface LocalPorts extends DashboardRoutePorts {
  images: Storage['images'];
  backupKeys: BackupKeys;
  /** The connections to MOSIP: whether one is open, and that they were changed. */
  mosipLinks: { isConnected(company: CompanyId): boolean; follow(): Promise<void> };
  /** A backup of the installation for the terminal. */
  backUp(): Promise<BackupStream>;
  process: DashboardPorts['process'] & {
    /** null: it does not listen. */
    address(): string | null;
    /** The pipeline of companies that have not chosen one. */
    pipeline(): PipelineId;
  };
}
