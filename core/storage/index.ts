import { existsSync } from 'node:fs';
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
import type { NetworkListeners } from '../domain/ports/network.ts';
import type { DuplicateRuns } from '../domain/ports/duplicates.ts';
import type { DuplicateGroups, Persons } from '../domain/ports/persons.ts';
import type { FaceListings } from '../domain/ports/faceListings.ts';
import type { CompanyCalibrations } from '../domain/ports/calibration.ts';
import type { PipelineStore } from '../domain/ports/pipelines.ts';
import type { Erasures, RetentionChecks } from '../domain/ports/erasure.ts';
import type { EnrolmentRuns } from '../domain/ports/enrolmentRuns.ts';
import type { DashboardQueries } from '../domain/ports/dashboard.ts';
import type { Blacklists, TrustFlows, Validations } from '../domain/ports/screening.ts';
import { ArchivedBackups } from './backup/backups.ts';
import { FileBackupPlaces } from './backup/places.ts';
import { SqliteBackupRuns } from './backup/runs.ts';
import { finishRestore } from './backup/activateRestore.ts';
import { removeOldSnapshots } from './snapshot/snapshot.ts';
import { SqliteAppearances } from './identity/appearances.ts';
import { SqliteApiTokens } from './credentials/apiTokens.ts';
import { FileAuditAnchors } from './audit/auditAnchors.ts';
import { SqliteAuditLog } from './audit/auditLog.ts';
import { SqliteBlacklists } from './screening/blacklists.ts';
import { SqliteCompanies, SqliteInstallation } from './settings/companies.ts';
import { SqliteEnrolmentRuns } from './dashboard/enrolmentRuns.ts';
import { SqliteDashboardQueries } from './dashboard/dashboardQueries.ts';
import { FilePackageSpool } from './blacklistTransfer/spool.ts';
import { changesOf, type Database } from './engine/database.ts';
import { openDatabase } from './engine/sqliteFile.ts';
import { keepAddress, keptAddress } from './engine/postgres/keptAddress.ts';
import { ServerGalleryFeed } from './engine/postgres/galleryFeed.ts';
import { nodeName, ServerNodes } from './engine/postgres/nodes.ts';
import { isPrepared, openPostgres } from './engine/postgres/open.ts';
import { ColumnSeal } from './engine/postgres/sealing.ts';
import { SqliteDuplicateRuns } from './duplicates/runs.ts';
import { SqliteDuplicateGroups } from './persons/groups.ts';
import { SqlitePersons } from './persons/persons.ts';
import { SqliteFaceListings } from './screening/faceListings.ts';
import { SqliteErasures } from './erasure/erasures.ts';
import { SqliteRetentionChecks } from './erasure/retentionChecks.ts';
import { SqliteFaces } from './faces/faces.ts';
import { inspectHome } from './home/homeInspection.ts';
import { SqliteHmacKeys, SqliteReplayGuard } from './credentials/hmacKeys.ts';
import { ServerRequestCounts } from './credentials/requestCounts.ts';
import { SqliteGallerySnapshots } from './faces/gallerySnapshots.ts';
import { keyIn, lockHome, readKeyFile, type Home } from './engine/home.ts';
import { SampledImageContents } from './images/imageContents.ts';
import { ImageDamage } from './images/imageDamage.ts';
import { EncryptedImageFiles } from './images/imageFiles.ts';
import { SqliteImageSamples } from './diagnostics/imageSamples.ts';
import { SqliteBlacklistTransfer } from './blacklistTransfer/store.ts';
import { SqliteTrustedInstallations } from './blacklistTransfer/trustedInstallations.ts';
import { SqliteOperators } from './identity/operators.ts';
import { SqliteRecoveryCodes } from './identity/recoveryCodes.ts';
import { SqliteSessions, SqliteSignInAttempts } from './identity/sessions.ts';
import { FACE_COMPARISONS, SIGNATURE_COMPARISONS, SqliteComparisons } from './screening/comparisons.ts';
import { SqliteSignatureCalibrations } from './screening/signatureCalibrations.ts';
import { keepImages, keptImages } from './images/keptImages.ts';
import { ImagePlaces } from './images/places/imagePlaces.ts';
import { MarkedFolders } from './images/storageFolders.ts';
import { ServerHealth } from './diagnostics/serverHealth.ts';
import { SqliteStoreHealth } from './diagnostics/storeHealth.ts';
import { SqliteNetworkListeners } from './settings/networkListeners.ts';
import { SqliteInstallationKeys } from './home/installationKeys.ts';
import { SqliteCompanyCalibrations } from './faces/companyCalibrations.ts';
import { SqlitePipelines } from './faces/pipelines.ts';
import { SqliteTrustFlows } from './screening/trustFlows.ts';
import { SqliteUploads } from './enrolment/uploads.ts';
import { SqliteValidations } from './screening/validations.ts';
import { SqliteWorkQueue } from './enrolment/workQueue.ts';

export { holdFile, homeOf, keyIn, lockHome, openHome, type Home } from './engine/home.ts';
export { inspectHome } from './home/homeInspection.ts';
export { photoFolders } from './images/photoFolders.ts';
export { BackupRefused, HomeLocked } from './engine/refusals.ts';
export { TRIAL_PREFIX } from './snapshot/snapshot.ts';
export { DatabaseCopy } from './backup/databaseCopy.ts';
export { isFullDisk, syncFolder, writeDurably } from './engine/fsync.ts';
export { readBack } from './backup/verifyBackup.ts';
export { restoreBackup, type RestoreQuestions } from './backup/restore.ts';
export type { RevivedCredential } from './backup/withdrawnCredentials.ts';
export type { ErasedBefore } from './erasure/replayErasures.ts';

const HOUR = 60 * 60_000;

/** Everything that is kept, behind the ports of the domain. */
export interface Storage {
  companies: Companies;
  site: Installation;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  replays: ReplayGuard;
  /** Undefined: this process is the only service, and counts in memory. */
  requestCounts: RequestCounts | undefined;
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

/** What the home need not hold. Absent: what it names, else itself. */
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
  { database, images: imagesAt }: StoredElsewhere = {},
): Promise<Storage> {
  const lock = lockHome(home);
  /** What is open, for a start that ends before the storage is returned. */
  const opened: Database[] = [];
  try {
    await finishRestore(home);
    await removeOldSnapshots(home.folder);
    if (database !== undefined) await keepAddress(home, database);
    if (imagesAt !== undefined) await keepImages(home, imagesAt);
    const address = keptAddress(home);
    const key = storeKey ?? keyIn(home.keyFile) ?? readKeyFile(home.keyFile, await hasRows(home, address));
    const db =
      address === undefined ? await openDatabase(home.database, key) : await openPostgres(address, key);
    opened.push(db);
    const galleryFeed =
      address === undefined ? undefined : new ServerGalleryFeed(address, new ColumnSeal(key));
    const nodes = address === undefined ? undefined : new ServerNodes(db, await nodeName(home));
    const audit = new SqliteAuditLog(db);
    const places = new ImagePlaces(db, keptImages(home) ?? home.storage);
    await places.check();
    const storageFolders = new MarkedFolders(db, home, places);
    const companies = new SqliteCompanies(db, audit, storageFolders);
    const damage = new ImageDamage(db, audit, clock);
    const images = new EncryptedImageFiles(db, companies, storageFolders, damage);
    const site = new SqliteInstallation(db, audit);
    const anchors = new FileAuditAnchors(home.auditAnchors, async () => (await site.settings()).auditWitness);
    const installationKeys = new SqliteInstallationKeys(db, audit);
    const erasures = new SqliteErasures({ home, db, key, files: images, audit });
    await erasures.keepAll();
    return {
      companies,
      site,
      apiTokens: new SqliteApiTokens(db, audit),
      hmacKeys: new SqliteHmacKeys(db, audit),
      replays: new SqliteReplayGuard(db, clock),
      requestCounts: address === undefined ? undefined : new ServerRequestCounts(db),
      uploads: new SqliteUploads(db, images, audit),
      queue: new SqliteWorkQueue(db, audit, nodes?.name),
      faces: new SqliteFaces(db),
      gallerySnapshots: new SqliteGallerySnapshots(db),
      galleryFeed,
      nodes,
      images,
      storageFolders,
      imageSamples: new SqliteImageSamples(db, storageFolders),
      imageContents: new SampledImageContents(db, images),
      blacklists: new SqliteBlacklists(db, audit),
      faceListings: new SqliteFaceListings(db, audit),
      flows: new SqliteTrustFlows(db, audit),
      validations: new SqliteValidations(db, images, audit),
      pipelines: new SqlitePipelines(db, audit),
      companyCalibrations: new SqliteCompanyCalibrations(db, audit),
      duplicateRuns: new SqliteDuplicateRuns(db, audit),
      signatureCalibrations: new SqliteSignatureCalibrations(db, audit),
      duplicateGroups: new SqliteDuplicateGroups(db),
      persons: new SqlitePersons(db, audit),
      operators: new SqliteOperators(db, audit, storageFolders),
      recoveryCodes: new SqliteRecoveryCodes(db, audit),
      sessions: new SqliteSessions(db, audit),
      appearances: new SqliteAppearances(db),
      attempts: new SqliteSignInAttempts(db, audit),
      audit,
      anchors,
      installationKeys,
      networkListeners: new SqliteNetworkListeners(db, audit),
      trustedInstallations: new SqliteTrustedInstallations(db, audit),
      transferStore: new SqliteBlacklistTransfer(db, images, audit),
      packageSpool: await FilePackageSpool.open(home.received),
      backups: new ArchivedBackups({
        home,
        db,
        key,
        audit,
        anchors,
        installationKeys,
        folders: storageFolders,
      }),
      backupRuns: new SqliteBackupRuns(db, audit),
      backupPlaces: new FileBackupPlaces(home.folder),
      erasures,
      retentionChecks: new SqliteRetentionChecks(db),
      views: new SqliteDashboardQueries(db),
      runs: new SqliteEnrolmentRuns(db),
      changes: changesOf(db),
      comparisons: new SqliteComparisons(db, audit, SIGNATURE_COMPARISONS),
      faceComparisons: new SqliteComparisons(db, audit, FACE_COMPARISONS),
      storeHealth:
        address === undefined ? new SqliteStoreHealth(db, home.database, key) : new ServerHealth(db),
      homeInspection: inspectHome(home, { bytes: key, isGiven: storeKey !== undefined }),
      async sweepOrphans(age = HOUR) {
        let removed = 0;
        for (const { id } of await companies.list())
          if ((await storageFolders.present(id)) !== null) removed += await images.sweep(id, age);
        return removed;
      },
      async close() {
        await galleryFeed?.close();
        await places.close();
        await db.destroy();
        lock.release();
      },
    };
  } catch (cause) {
    for (const db of opened) await db.destroy();
    lock.release();
    throw cause;
  }
}

/** Whether there is a database that a new store key could not open. */
function hasRows(home: Home, address: string | undefined): boolean | Promise<boolean> {
  return address === undefined ? existsSync(home.database) : isPrepared(address);
}
