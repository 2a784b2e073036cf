import { existsSync } from 'node:fs';
import type { Companies, Site } from '../domain/ports/companies.ts';
import type { ApiTokens, HmacKeys, ReplayMemory } from '../domain/ports/credentials.ts';
import type { Faces, GallerySnapshots } from '../domain/ports/gallery.ts';
import type { ImageFiles, MovableImages, StorageFolders } from '../domain/ports/images.ts';
import type { Clock } from '../domain/ports/machine.ts';
import type { FaceComparisons } from '../domain/faceComparison.ts';
import type { SignatureComparisons } from '../domain/ports/signatures.ts';
import type { Uploads, WorkQueue } from '../domain/ports/uploads.ts';
import type { Operators, RecoveryKeys, Sessions, SignInAttempts } from '../domain/access/ports.ts';
import type { Appearances } from '../domain/access/appearances.ts';
import type { AuditAnchors, AuditLog } from '../domain/audit/ports.ts';
import type { HomeInspection, ImageContents, ImageSamples, StoreHealth } from '../domain/doctor/ports.ts';
import type { Backups, SiteKeys } from '../domain/backup/ports.ts';
import type { BundleSpool, ListExchangeStore, TrustedSites } from '../domain/exchange/ports.ts';
import type { LanListeners } from '../domain/lan/ports.ts';
import type { SiteCalibrations } from '../domain/calibration/ports.ts';
import type { PipelineStore } from '../domain/pipelines/ports.ts';
import type { Erasures, RetentionChecks } from '../domain/erasure/ports.ts';
import type { DashboardViews } from '../domain/dashboard/views.ts';
import type { Blacklists, TrustFlows, Validations } from '../domain/screening/ports.ts';
import { BundledBackups } from './backup/backups.ts';
import { finishRestore } from './backup/swap.ts';
import { removeOldSnapshots } from './backup/snapshot.ts';
import { SqliteAppearances } from './appearances.ts';
import { SqliteApiTokens } from './apiTokens.ts';
import { FileAuditAnchors } from './auditAnchors.ts';
import { SqliteAuditLog } from './auditLog.ts';
import { SqliteBlacklists } from './blacklists.ts';
import { SqliteCompanies, SqliteSite } from './companies.ts';
import { SqliteDashboardViews } from './dashboardViews.ts';
import { FileBundleSpool } from './bundleSpool.ts';
import { openDatabase } from './database.ts';
import { SqliteErasures } from './erasure/erasures.ts';
import { SqliteRetentionChecks } from './erasure/retentionChecks.ts';
import { SqliteFaces } from './faces.ts';
import { inspectHome } from './homeInspection.ts';
import { SqliteHmacKeys, SqliteReplayMemory } from './hmacKeys.ts';
import { SqliteGallerySnapshots } from './gallerySnapshots.ts';
import { lockHome, readKeyFile, type Home } from './home.ts';
import { SampledImageContents } from './imageContents.ts';
import { ImageDamage } from './imageDamage.ts';
import { EncryptedImageFiles } from './imageFiles.ts';
import { SqliteImageSamples } from './imageSamples.ts';
import { SqliteListExchange } from './listExchange.ts';
import { SqliteTrustedSites } from './trustedSites.ts';
import { SqliteOperators } from './operators.ts';
import { SqliteRecoveryKeys } from './recoveryKeys.ts';
import { SqliteSessions, SqliteSignInAttempts } from './sessions.ts';
import { FACE_COMPARISONS, SIGNATURE_COMPARISONS, SqliteComparisons } from './comparisons.ts';
import { MarkedFolders } from './storageFolders.ts';
import { SqliteStoreHealth } from './storeHealth.ts';
import { SqliteLanListeners } from './lanListeners.ts';
import { SqliteSiteKeys } from './siteKeys.ts';
import { SqliteSiteCalibrations } from './siteCalibrations.ts';
import { SqlitePipelines } from './pipelines.ts';
import { SqliteTrustFlows } from './trustFlows.ts';
import { SqliteUploads } from './uploads.ts';
import { SqliteValidations } from './validations.ts';
import { SqliteWorkQueue } from './workQueue.ts';

export {
  HomeLocked,
  holdFile,
  homeOf,
  isHome,
  keyIn,
  lockHome,
  openHome,
  writeNewKey,
  type Home,
} from './home.ts';
export { inspectHome } from './homeInspection.ts';
export { lookThrough, openPhoto, photoFolders } from './photoFolders.ts';
export { DatabaseRefused } from './database.ts';
export { BackupRefused } from './backup/format.ts';
export { TRIAL_PREFIX } from './backup/snapshot.ts';
export { DatabaseCopy } from './backup/databaseCopy.ts';
export { isFullDisk, syncFolder, writeAll, writeDurably } from './durable.ts';
export { readBack } from './backup/readBack.ts';
export { restoreBackup, type RestoreQuestions } from './backup/restore.ts';
export type { RevivedCredential } from './backup/withdrawnCredentials.ts';
export type { ErasedBefore } from './erasure/again.ts';

const HOUR = 60 * 60_000;

/** Everything that is kept, behind the ports of the domain. */
export interface Storage {
  companies: Companies;
  site: Site;
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  replays: ReplayMemory;
  uploads: Uploads;
  queue: WorkQueue;
  faces: Faces;
  gallerySnapshots: GallerySnapshots;
  images: ImageFiles & MovableImages;
  storageFolders: StorageFolders;
  imageSamples: ImageSamples;
  imageContents: ImageContents;
  blacklists: Blacklists;
  flows: TrustFlows;
  validations: Validations;
  pipelines: PipelineStore;
  siteCalibrations: SiteCalibrations;
  views: DashboardViews;
  comparisons: SignatureComparisons;
  faceComparisons: FaceComparisons;
  operators: Operators;
  recoveryKeys: RecoveryKeys;
  sessions: Sessions;
  attempts: SignInAttempts;
  appearances: Appearances;
  audit: AuditLog;
  anchors: AuditAnchors;
  storeHealth: StoreHealth;
  homeInspection: HomeInspection;
  siteKeys: SiteKeys;
  lanListeners: LanListeners;
  trustedSites: TrustedSites;
  listExchange: ListExchangeStore;
  bundleSpool: BundleSpool;
  backups: Backups;
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

/**
 * Takes the home's lock and opens its store.
 * @param storeKey 32 bytes from elsewhere (an OS key store); absent: the home's key file.
 * @throws {HomeLocked} another process has the home. @throws {DatabaseRefused} the database must not be touched.
 */
export async function openStorage(home: Home, clock: Clock, storeKey?: Uint8Array): Promise<Storage> {
  const lock = lockHome(home);
  try {
    await finishRestore(home);
    await removeOldSnapshots(home.folder);
    const key = storeKey ?? readKeyFile(home.keyFile, existsSync(home.database));
    const db = await openDatabase(home.database, key);
    const audit = new SqliteAuditLog(db);
    const storageFolders = new MarkedFolders(db, home);
    const companies = new SqliteCompanies(db, audit, storageFolders);
    const damage = new ImageDamage(db, audit, clock);
    const images = new EncryptedImageFiles(db, companies, storageFolders, damage);
    const site = new SqliteSite(db, audit);
    const anchors = new FileAuditAnchors(home.auditAnchors, async () => (await site.settings()).auditWitness);
    const siteKeys = new SqliteSiteKeys(db, audit);
    const erasures = new SqliteErasures({ home, db, key, files: images, audit });
    await erasures.keepAll();
    return {
      companies,
      site,
      apiTokens: new SqliteApiTokens(db, audit),
      hmacKeys: new SqliteHmacKeys(db, audit),
      replays: new SqliteReplayMemory(db, clock),
      uploads: new SqliteUploads(db, images, audit),
      queue: new SqliteWorkQueue(db, images, audit),
      faces: new SqliteFaces(db),
      gallerySnapshots: new SqliteGallerySnapshots(db),
      images,
      storageFolders,
      imageSamples: new SqliteImageSamples(db, storageFolders),
      imageContents: new SampledImageContents(db, images),
      blacklists: new SqliteBlacklists(db, audit),
      flows: new SqliteTrustFlows(db, audit),
      validations: new SqliteValidations(db, images, audit),
      pipelines: new SqlitePipelines(db, audit),
      siteCalibrations: new SqliteSiteCalibrations(db, audit),
      operators: new SqliteOperators(db, audit, storageFolders),
      recoveryKeys: new SqliteRecoveryKeys(db, audit),
      sessions: new SqliteSessions(db, audit),
      appearances: new SqliteAppearances(db),
      attempts: new SqliteSignInAttempts(db, audit),
      audit,
      anchors,
      siteKeys,
      lanListeners: new SqliteLanListeners(db, audit),
      trustedSites: new SqliteTrustedSites(db, audit),
      listExchange: new SqliteListExchange(db, images, audit),
      bundleSpool: await FileBundleSpool.open(home.received),
      backups: new BundledBackups({ home, db, key, audit, anchors, siteKeys, folders: storageFolders }),
      erasures,
      retentionChecks: new SqliteRetentionChecks(db),
      views: new SqliteDashboardViews(db),
      comparisons: new SqliteComparisons(db, audit, SIGNATURE_COMPARISONS),
      faceComparisons: new SqliteComparisons(db, audit, FACE_COMPARISONS),
      storeHealth: new SqliteStoreHealth(db, home.database, key),
      homeInspection: inspectHome(home, { bytes: key, isGiven: storeKey !== undefined }),
      async sweepOrphans(age = HOUR) {
        let removed = 0;
        for (const { id } of await companies.list())
          if ((await storageFolders.present(id)) !== null) removed += await images.sweep(id, age);
        return removed;
      },
      async close() {
        await db.destroy();
        lock.release();
      },
    };
  } catch (cause) {
    lock.release();
    throw cause;
  }
}
