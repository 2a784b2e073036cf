/**
 * The facts that the self-diagnosis checks. A promise that rejects is a finding of its own: the check could not be
 * made.
 */
import type { Problem } from '../../contracts/errors/problem.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { ReadCertificate } from './network.ts';
import type { MissingPorts } from './pipelines.ts';
import type { ImageFiles } from './images.ts';
import type { BootClock, Clock, Logger, Timer } from './machine.ts';
import type { WorkQueue } from '../../storage/enrolment/workQueue.ts';
import type { AuditLog } from '../../storage/audit/auditLog.ts';
import type { AuditAnchors } from '../../storage/audit/auditAnchors.ts';
import type { ImageContents } from '../../storage/images/imageContents.ts';
import type { ImageSamples } from '../../storage/diagnostics/imageSamples.ts';
import type { Erasures } from '../../storage/erasure/erasures.ts';
import type { RetentionChecks } from '../../storage/erasure/retentionDue.ts';
import type { StorageFolders } from '../../storage/images/storageFolders.ts';
import type { Companies, Installation, NetworkListeners } from '../../storage/settings/companies.ts';

export interface ProcessorFacts {
  model: string;
  cores: number;
  /** As Node names it: x64, arm64. */
  architecture: string;
  /** Lower-case names of instruction sets, as Linux lists them; null: this system does not list them. */
  features: ReadonlySet<string> | null;
  /** 128-bit WebAssembly, which the search kernel is made of. */
  wasmSimd: boolean;
}

/**
 * The confinement of a worker process, in case that a hostile image takes it over. `kernel`: Landlock and a filter of system calls, so
 * that it reaches no file, network or process; `calls`: the filter alone, which leaves reading files; `runtime`: Node's
 * permission model alone, which a fault in native code goes round.
 */
export type Confinement = 'kernel' | 'calls' | 'runtime';

/** How the files of a home may be used. */
export interface HomeAccess {
  folder: string;
  /** Files that other accounts may open; null: this system's rights are not read. */
  openToOthers: string[] | null;
  unwritable: string[];
  /** Why no file can be written in it; null: one was. */
  problem: Problem | null;
}

export type KeyFacts = { file: string } & {
  /** `given`: it came from elsewhere at the start; `readable`: it fits, and lies on a disk that is not encrypted. */
  state: 'fits' | 'readable' | 'given' | 'missing' | 'other' | 'unproven' | 'unborn';
};

export interface HomeInspection {
  access(): Promise<HomeAccess>;
  key(): Promise<KeyFacts>;
  freeBytes(): Promise<number>;
  /** @throws why no file can be written in the home */
  tryWriting(): Promise<void>;
}

/** Templates that no search can compare, and the faces that they are of. */
export interface DamagedTemplates {
  read: number;
  damaged: number;
  /** The first of them. `fault` ends a sentence and holds no data of the template. */
  faces: { company: number; face: number; validation: number | null; fault: string }[];
}

/** Images of a company that were drawn at random and read. */
export interface SampledImages {
  sampled: number;
  /** Those that are not as they were stored; the face that each is of, where there is one. */
  damaged: { face: number | null; validation: number | null }[];
}

/** A copy of the database that a standby keeps. */
export interface StandbyFacts {
  name: string;
  isSynchronous: boolean;
  /** Seconds between a COMMIT and its arrival in the copy; null: nothing was written lately. */
  lag: number | null;
}

/** The server of a PostgreSQL database, as the role of the service sees it. */
export interface DatabaseServerFacts {
  version: string;
  role: string;
  /** Settings without which a power cut can lose what was acknowledged, and that are off. */
  unsafeSettings: string[];
  hasChecksums: boolean;
  /** Columns of text without the collation C, as table.column. */
  otherCollations: string[];
  /** Whether names are found by an index. */
  hasNameIndex: boolean;
  /** Seconds by which its clock is ahead of this machine's; negative: behind. */
  clockDifference: number;
  connections: number;
  maxConnections: number;
  /** Seconds that the oldest open transaction has been open. */
  oldestTransaction: number;
  /** `synchronous_standby_names`; empty: it waits for none. */
  awaitedStandbys: string;
  standbys: StandbyFacts[];
  /** Whether the role may see the transactions of others and the standbys. */
  seesActivity: boolean;
  /** Services of the database that have reported lately. */
  services: number;
  /** Whether new photos are kept where every service reaches them. */
  sharesImages: boolean;
  /** Whether the role could remove the triggers that guard the audit log. */
  ownsAuditLog: boolean;
  /** Rows that decide about rights and were changed without the store key: their tables and ids. */
  changedRows: string[];
}

/** The store as the checks and the System status screen see it. */
export interface StoreHealth {
  /** Reads every page of the database beside the work on it. @returns what is wrong, nothing when it is whole */
  damage(): Promise<string[]>;
  /** Reads every template of a company, or of all, beside the work on the database. */
  damagedTemplates(company?: CompanyId): Promise<DamagedTemplates>;
  databaseBytes(): Promise<number>;
  /** @returns undefined: the database is a file */
  server(): Promise<DatabaseServerFacts | undefined>;
  /** The copies of the database that the role of the service may see; none of a file. */
  standbys(): Promise<StandbyFacts[]>;
  /** The largest time in the audit log; a clock that was set back makes it another one than that of the newest entry. */
  latestTime(): Promise<Date | undefined>;
  /** Images that a company keeps. */
  imageTotals(company: CompanyId): Promise<{ images: number; bytes: number }>;
}

/** The facts for the check of the storage folders. */
export interface StorageCheckPorts {
  companies: Pick<Companies, 'list'>;
  storageFolders: Pick<StorageFolders, 'problem'>;
  imageSamples: ImageSamples;
}

export interface OpenStore extends StorageCheckPorts {
  imageContents: ImageContents;
  storeHealth: StoreHealth;
  companies: Companies;
  images: Pick<ImageFiles, 'freeBytes'>;
  installation: Installation;
  queue: WorkQueue;
  audit: AuditLog;
  anchors: AuditAnchors;
  networkListeners: Pick<NetworkListeners, 'find'>;
  erasures: Pick<Erasures, 'dueCounts'>;
  retentionChecks: Pick<RetentionChecks, 'find'>;
  pipelines: MissingPorts['pipelines'];
}

/** The running service as it is now. */
export interface RunningService {
  address: string;
  startedAt: Date;
  inProgress: number;
  /** When an image was last answered; undefined: none since the start. */
  lastProcessedAt: Date | undefined;
  /** Why other machines are not let in although they should be. */
  networkProblem: Problem | null;
}

export interface PortInspection {
  /** Asks an address of this machine. @returns why it does not answer; undefined when it does */
  problemAt(address: string): Promise<Problem | undefined>;
  isFree(port: number): Promise<boolean>;
}

export interface ModelFile {
  name: string;
  file: string;
  /** Null: it is missing. */
  bytes: number | null;
  sha256: string;
  /** It is there, and has the hash that is pinned. */
  pinned: boolean;
  licence: string;
  source: string;
  origin: string;
}

/** `refused`: why it could not be opened; null: there is none yet. `held`: another program has the home open. */
export interface RefusedStore {
  refused: string | Problem | null;
  held?: boolean;
}

export interface DoctorPorts {
  log: Pick<Logger, 'warn'>;
  clock: Clock;
  timer: Pick<Timer, 'elapsed' | 'after'>;
  bootClock: BootClock;
  readCertificate: ReadCertificate;
  processor: () => Promise<ProcessorFacts>;
  models: () => Promise<ModelFile[]>;
  /** Of the worker process that is confined least; without a service, of those that one would start. */
  confinement: () => Confinement;
  /** Pipelines that can be run here. */
  installedPipelines: () => Promise<ReadonlySet<PipelineId>>;
  home: HomeInspection;
  store: OpenStore | RefusedStore;
  /** Null: none runs on the home. */
  service: () => RunningService | null;
  ports: PortInspection;
  /** Where the service would listen. */
  port: number;
}
