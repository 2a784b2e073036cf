import type { ChangeFeed } from '../domain/ports/changes.ts';
import type { Companies, Installation } from '../domain/ports/companies.ts';
import type { ApiTokens, HmacKeys, ReplayGuard, RequestCounts } from '../domain/ports/credentials.ts';
import type { Faces, GalleryFeed, GallerySnapshots } from '../domain/ports/gallery.ts';
import type { ImageFiles, MovableImages, StorageFolders } from '../domain/ports/images.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { FaceComparisons } from '../domain/search/faceComparison.ts';
import type { SignatureCalibrations, SignatureComparisons } from '../domain/ports/signatures.ts';
import type { Uploads, WorkQueue } from '../domain/ports/uploads.ts';
import type { Operators, RecoveryCodes, Sessions, SignInAttempts } from '../domain/ports/identity.ts';
import type { Appearances } from '../domain/ports/appearances.ts';
import type { AuditAnchors, AuditLog } from '../domain/ports/audit.ts';
import type {
  HomeInspection,
  ImageContents,
  ImageSamples,
  StoreHealth,
} from '../domain/ports/diagnostics.ts';
import type { Backups, InstallationKeys } from '../domain/ports/backup.ts';
import type { BackupPlaces, BackupRuns } from '../domain/ports/backupRuns.ts';
import type {
  PackageSpool,
  BlacklistTransferStore,
  TrustedInstallations,
} from '../domain/ports/blacklistTransfer.ts';
import type { Nodes } from '../domain/ports/nodes.ts';
import type { RequestTurns } from '../domain/ports/requestTurns.ts';
import type { NetworkListeners } from '../domain/ports/network.ts';
import type { DuplicateRuns } from '../domain/ports/duplicates.ts';
import type { DuplicateGroups, Persons } from '../domain/ports/persons.ts';
import type { SignatureSpecimens } from '../domain/ports/specimens.ts';
import type { FaceListings } from '../domain/ports/faceListings.ts';
import type { CompanyCalibrations } from '../domain/ports/calibration.ts';
import type { PipelineStore } from '../domain/ports/pipelines.ts';
import type { Erasures, RetentionChecks } from '../domain/ports/erasure.ts';
import type { EnrolmentRuns } from '../domain/ports/enrolmentRuns.ts';
import type { DashboardQueries } from '../domain/ports/dashboard.ts';
import type { Blacklists, Validations } from '../domain/ports/screening.ts';
import { ArchivedBackups } from './backup/backups.ts';
import { FileBackupPlaces } from './backup/places.ts';
import { SqlBackupRuns } from './backup/runs.ts';
import { finishRestore } from './backup/activateRestore.ts';
import { removeOldSnapshots } from './snapshot/snapshot.ts';
import { SqlAppearances } from './identity/appearances.ts';
import { SqlApiTokens } from './credentials/apiTokens.ts';
import { FileAuditAnchors } from './audit/auditAnchors.ts';
import { SqlAuditLog } from './audit/auditLog.ts';
import { SqlBlacklists } from './screening/blacklists.ts';
import { SqlCompanies, SqlInstallation } from './settings/companies.ts';
import { SqlEnrolmentRuns } from './dashboard/enrolmentRuns.ts';
import { SqlDashboardQueries } from './dashboard/dashboardQueries.ts';
import { FilePackageSpool } from './blacklistTransfer/spool.ts';
import { changesOf, sharedStateOf, type Database } from './engine/database.ts';
import { keepAddress, keptAddress } from './engine/postgres/keptAddress.ts';
import { setAside } from './migration/formerStore.ts';
import { SqlDuplicateRuns } from './duplicates/runs.ts';
import { SqlDuplicateGroups } from './persons/groups.ts';
import { SqlPersons } from './persons/persons.ts';
import { RequestDigests } from './home/requestDigests.ts';
import { SqlSignatureSpecimens } from './persons/specimens.ts';
import { SqlFaceListings } from './screening/faceListings.ts';
import { SqlErasures } from './erasure/erasures.ts';
import { SqlRetentionChecks } from './erasure/retentionChecks.ts';
import { SqlFaces } from './faces/faces.ts';
import { inspectHome } from './home/homeInspection.ts';
import { SqlHmacKeys, SqlReplayGuard } from './credentials/hmacKeys.ts';
import { keyIn, lockHome, readKeyFile, type Home } from './engine/home.ts';
import { SampledImageContents } from './images/imageContents.ts';
import { ImageDamage } from './images/imageDamage.ts';
import { EncryptedImageFiles } from './images/imageFiles.ts';
import { SqlImageSamples } from './diagnostics/imageSamples.ts';
import { SqlBlacklistTransfer } from './blacklistTransfer/store.ts';
import { SqlTrustedInstallations } from './blacklistTransfer/trustedInstallations.ts';
import { SqlOperators } from './identity/operators.ts';
import { SqlRecoveryCodes } from './identity/recoveryCodes.ts';
import { SqlSessions, SqlSignInAttempts } from './identity/sessions.ts';
import { FACE_COMPARISONS, SIGNATURE_COMPARISONS, SqlComparisons } from './screening/comparisons.ts';
import { SqlSignatureCalibrations } from './screening/signatureCalibrations.ts';
import { keepImages, keptImages } from './images/keptImages.ts';
import { ImagePlaces } from './images/places/imagePlaces.ts';
import { MarkedFolders } from './images/storageFolders.ts';
import { SqlNetworkListeners } from './settings/networkListeners.ts';
import { SqlInstallationKeys } from './home/installationKeys.ts';
import { SqlCompanyCalibrations } from './faces/companyCalibrations.ts';
import { SqlPipelines } from './faces/pipelines.ts';
import { TrustFlows } from './screening/trustFlows.ts';
import { SqlUploads } from './enrolment/uploads.ts';
import { SqlValidations } from './screening/validations.ts';
import { SqlWorkQueue } from './enrolment/workQueue.ts';
import { hasRows, openEngine, type Engine } from './openEngine.ts';

export { holdFile, homeOf, keyIn, lockHome, openHome, type Home } from './engine/home.ts';
export { inspectHome } from './home/homeInspection.ts';
export { photoFolders } from './images/photoFolders.ts';
export { BackupRefused, HomeLocked } from './engine/refusals.ts';
export { TRIAL_PREFIX } from './snapshot/snapshot.ts';
export { DatabaseCopy } from './backup/databaseCopy.ts';
export { isFullDisk, syncFolder, writeDurably } from './engine/fsync.ts';
export { readBack } from './backup/verifyBackup.ts';
export { migrateStore, type MigrationPlan } from './migration/migrateStore.ts';
export type { SearchedStore } from './migration/searchedStore.ts';
export { restoreBackup, type RestoreQuestions } from './backup/restore.ts';
export type { RevivedCredential } from './backup/withdrawnCredentials.ts';
export { readReceipts } from './erasure/receiptFile.ts';
export type { ErasedBefore } from './erasure/replayErasures.ts';

const HOUR = 60 * 60_000;

/** Everything that is kept, behind the ports of the domain. */
export interface Storage {
  companies: Companies;
  installation: Installation;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  replays: ReplayGuard;
  /** Undefined: this process is the only service, and counts in memory. */
  requestCounts: RequestCounts | undefined;
  /** Undefined: this process is the only service, and its memory is the state. */
  turns: RequestTurns | undefined;
  uploads: Uploads;
  queue: WorkQueue;
  faces: Faces;
  /** Stays empty on PostgreSQL. */
  gallerySnapshots: GallerySnapshots;
  /** Of PostgreSQL, which other services may change. */
  galleryFeed: GalleryFeed | undefined;
  /** Of PostgreSQL, which other services may use. */
  nodes: Nodes | undefined;
  images: ImageFiles & MovableImages;
  storageFolders: StorageFolders;
  imageSamples: ImageSamples;
  imageContents: ImageContents;
  blacklists: Blacklists;
  faceListings: FaceListings;
  flows: TrustFlows;
  validations: Validations;
  pipelines: PipelineStore;
  companyCalibrations: CompanyCalibrations;
  duplicateRuns: DuplicateRuns;
  signatureCalibrations: SignatureCalibrations;
  duplicateGroups: DuplicateGroups;
  persons: Persons;
  signatureSpecimens: SignatureSpecimens;
  views: DashboardQueries;
  runs: EnrolmentRuns;
  changes: ChangeFeed;
  comparisons: SignatureComparisons;
  faceComparisons: FaceComparisons;
  operators: Operators;
  recoveryCodes: RecoveryCodes;
  sessions: Sessions;
  attempts: SignInAttempts;
  appearances: Appearances;
  audit: AuditLog;
  anchors: AuditAnchors;
  storeHealth: StoreHealth;
  homeInspection: HomeInspection;
  installationKeys: InstallationKeys;
  networkListeners: NetworkListeners;
  trustedInstallations: TrustedInstallations;
  transferStore: BlacklistTransferStore;
  packageSpool: PackageSpool;
  backups: Backups;
  backupRuns: BackupRuns;
  backupPlaces: BackupPlaces;
  erasures: Erasures;
  retentionChecks: RetentionChecks;
  /**
   * Removes image files that no company's rows refer to, where the storage folder is in place. Safe while the service
   * works.
   * @param age only files that were last written at least this long ago, milliseconds; default: an hour
   * @returns how many were removed
   */
  sweepOrphans(age?: number): Promise<number>;
  close(): Promise<void>;
}

/** Parts of the store outside the data directory. Absent: the place in the data directory's settings, else the directory itself. */
export interface StoredElsewhere {
  /** The address of the PostgreSQL database of a new installation. */
  database?: string | undefined;
  /** The folder or the S3 address in which companies have their default places. */
  images?: string | undefined;
}

/**
 * Takes the home's lock and opens its store.
 * @param storeKey 32 bytes from elsewhere (an OS key store); absent: the home's key file.
 * @throws {HomeLocked} another process has the home. @throws {CodedError} the database must not be touched.
 */
export async function openStorage(
  home: Home,
  clock: Clock,
  storeKey?: Uint8Array,
  elsewhere: StoredElsewhere = {},
): Promise<Storage> {
  const lock = lockHome(home);
  try {
    await prepareHome(home, clock.now(), elsewhere);
    const address = keptAddress(home);
    const key = storeKey ?? keyIn(home.keyFile) ?? readKeyFile(home.keyFile, await hasRows(home, address));
    const engine = await openEngine(home, key, address);
    try {
      return await storageOver(engine, {
        home,
        clock,
        key,
        isKeyGiven: storeKey !== undefined,
        release: () => {
          lock.release();
        },
      });
    } catch (cause) {
      await engine.db.destroy();
      throw cause;
    }
  } catch (cause) {
    lock.release();
    throw cause;
  }
}

/** Finishes a restore or a migration that was interrupted, and keeps the places that the caller names. */
async function prepareHome(home: Home, now: Date, { database, images }: StoredElsewhere): Promise<void> {
  await finishRestore(home);
  await removeOldSnapshots(home.folder);
  if (database !== undefined) await keepAddress(home, database);
  await setAside(home, now);
  if (images !== undefined) await keepImages(home, images);
}

interface OpenHome {
  home: Home;
  clock: Clock;
  key: Uint8Array;
  /** Whether the caller gave the key; otherwise it is in the key file of the home. */
  isKeyGiven: boolean;
  /** Releases the lock of the home. */
  release: () => void;
}

/** The ports over an open database. */
async function storageOver(
  { db, name, ...engine }: Engine,
  { home, clock, key, isKeyGiven, release }: OpenHome,
): Promise<Storage> {
  const audit = new SqlAuditLog(db);
  const places = new ImagePlaces(db, keptImages(home) ?? home.storage);
  await places.check();
  const storageFolders = new MarkedFolders(db, home, places);
  const companies = new SqlCompanies(db, audit, storageFolders);
  const images = new EncryptedImageFiles(db, companies, storageFolders, new ImageDamage(db, audit, clock));
  const installation = new SqlInstallation(db, audit);
  const anchors = new FileAuditAnchors(
    home.auditAnchors,
    async () => (await installation.settings()).auditWitness,
  );
  const installationKeys = new SqlInstallationKeys(db, audit);
  const digests = new RequestDigests(db);
  const erasures = new SqlErasures({ home, db, key, files: images, audit });
  await erasures.keepAll();
  return {
    ...engine,
    turns: sharedStateOf(db),
    ...accessStores(db, audit, clock),
    ...screeningStores(db, audit, images, digests, clock),
    ...recognitionStores(db, audit),
    companies,
    installation,
    operators: new SqlOperators(db, audit, storageFolders),
    uploads: new SqlUploads(db, images, audit, digests),
    queue: new SqlWorkQueue(db, audit, engine.nodes?.name),
    images,
    storageFolders,
    imageSamples: new SqlImageSamples(db, storageFolders),
    imageContents: new SampledImageContents(db, images),
    audit,
    anchors,
    installationKeys,
    networkListeners: new SqlNetworkListeners(db, audit, name),
    packageSpool: await FilePackageSpool.open(
      home.received,
      async () => (await installation.settings()).minFreeBytes,
    ),
    backups: new ArchivedBackups({
      home,
      db,
      key,
      audit,
      anchors,
      installationKeys,
      folders: storageFolders,
    }),
    backupRuns: new SqlBackupRuns(db, audit),
    backupPlaces: new FileBackupPlaces(home.folder),
    erasures,
    retentionChecks: new SqlRetentionChecks(db),
    views: new SqlDashboardQueries(db),
    runs: new SqlEnrolmentRuns(db),
    changes: changesOf(db),
    homeInspection: inspectHome(home, { bytes: key, isGiven: isKeyGiven }),
    async sweepOrphans(age = HOUR) {
      let removed = 0;
      for (const { id } of await companies.list())
        if ((await storageFolders.present(id)) !== null) removed += await images.sweep(id, age);
      return removed;
    },
    async close() {
      await engine.galleryFeed?.close();
      await places.close();
      await db.destroy();
      release();
    },
  };
}

/** Credentials of programs and sign-ins of operators. */
function accessStores(db: Database, audit: SqlAuditLog, clock: Clock) {
  return {
    apiTokens: new SqlApiTokens(db, audit),
    hmacKeys: new SqlHmacKeys(db, audit),
    replays: new SqlReplayGuard(db, clock),
    recoveryCodes: new SqlRecoveryCodes(db, audit),
    sessions: new SqlSessions(db, audit),
    appearances: new SqlAppearances(db),
    attempts: new SqlSignInAttempts(db, audit),
  };
}

/** Screening and its results, persons, signatures and the exchange of blacklists. */
function screeningStores(
  db: Database,
  audit: SqlAuditLog,
  images: EncryptedImageFiles,
  digests: RequestDigests,
  clock: Clock,
) {
  return {
    blacklists: new SqlBlacklists(db, audit),
    faceListings: new SqlFaceListings(db, audit),
    flows: new TrustFlows(db, audit, clock),
    validations: new SqlValidations(db, images, audit),
    persons: new SqlPersons(db, audit, digests),
    duplicateGroups: new SqlDuplicateGroups(db),
    signatureSpecimens: new SqlSignatureSpecimens(db, images, audit),
    signatureCalibrations: new SqlSignatureCalibrations(db, audit),
    comparisons: new SqlComparisons(db, audit, SIGNATURE_COMPARISONS),
    faceComparisons: new SqlComparisons(db, audit, FACE_COMPARISONS),
    trustedInstallations: new SqlTrustedInstallations(db, audit),
    transferStore: new SqlBlacklistTransfer(db, images, audit),
  };
}

/** Faces, their templates by pipeline, and the searches for duplicates among them. */
function recognitionStores(db: Database, audit: SqlAuditLog) {
  return {
    faces: new SqlFaces(db),
    pipelines: new SqlPipelines(db, audit),
    companyCalibrations: new SqlCompanyCalibrations(db, audit),
    duplicateRuns: new SqlDuplicateRuns(db, audit),
  };
}
