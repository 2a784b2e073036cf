import type { Clock } from '../domain/ports/machine.ts';
import { Backups } from './backup/backups.ts';
import { BackupPlaces } from './backup/places.ts';
import { BackupRuns } from './backup/runs.ts';
import { finishRestore } from './backup/restore.ts';
import { removeOldSnapshots } from './snapshot/snapshot.ts';
import { ApiTokens, HmacKeys, ReplayGuard } from './credentials/credentialRows.ts';
import { AuditAnchors } from './audit/auditAnchors.ts';
import { AuditLog } from './audit/auditLog.ts';
import { RowTotals } from './audit/rowTotals.ts';
import { Blacklists } from './screening/blacklists.ts';
import { Companies, Installation, NetworkListeners } from './settings/companies.ts';
import { MosipAnswers, MosipConnections } from './settings/mosip.ts';
import { EnrolmentRuns } from './dashboard/enrolmentRuns.ts';
import { DashboardQueries } from './dashboard/dashboardQueries.ts';
import { PackageSpool } from './blacklistTransfer/spool.ts';
import { cellsOf } from './engine/cells.ts';
import { changesOf, sharedStateOf, type Database } from './engine/database.ts';
import { keepAddress, keptAddress } from './engine/postgres/address.ts';
import { setAside } from './migration/migrateStore.ts';
import { DuplicateRuns } from './duplicates/runs.ts';
import { DuplicateGroups } from './persons/groups.ts';
import { Persons } from './persons/persons.ts';
import { RequestDigests, InstallationKeys } from './home/installationKeys.ts';
import { SignatureSpecimens } from './persons/specimens.ts';
import { FaceListings } from './screening/faceListings.ts';
import { KeyFile, type KeyUse } from './erasure/keyFile.ts';
import { isPostgres } from './engine/dialect.ts';
import { Erasures } from './erasure/erasures.ts';
import { RetentionChecks } from './erasure/retentionDue.ts';
import { Faces } from './faces/faces.ts';
import { inspectHome } from './home/homeInspection.ts';
import { keyIn, lockHome, readKeyFile, type Home } from './engine/home.ts';
import { ImageContents } from './images/imageContents.ts';
import { ImageDamage, EncryptedImageFiles } from './images/imageFiles.ts';
import { ImageSamples } from './diagnostics/imageSamples.ts';
import { BlacklistTransferStore } from './blacklistTransfer/store.ts';
import { TrustedInstallations } from './blacklistTransfer/trustedInstallations.ts';
import { Operators, Appearances, RecoveryCodes } from './identity/operators.ts';
import { Sessions, SignInAttempts } from './identity/sessions.ts';
import { Examinations } from './persons/examinations.ts';
import { CaseFolders } from './persons/caseFolders.ts';
import { FACE_COMPARISONS, SIGNATURE_COMPARISONS, Comparisons } from './screening/comparisons.ts';
import { SignatureCalibrations } from './screening/signatureCalibrations.ts';
import { keepImages, keptImages, ImagePlaces } from './images/places/imagePlaces.ts';
import { StorageFolders } from './images/storageFolders.ts';
import { CompanyCalibrations } from './faces/companyCalibrations.ts';
import { PipelineStore } from './faces/pipelines.ts';
import { Encounters } from './screening/encounters.ts';
import { TrustFlows } from './screening/trustFlows.ts';
import { Uploads } from './enrolment/uploads.ts';
import { Validations } from './screening/validations.ts';
import { WorkQueue } from './enrolment/workQueue.ts';
import { hasRows, openEngine, type Engine } from './openEngine.ts';

export { holdFile, homeOf, keyIn, lockHome, openHome, type Home } from './engine/home.ts';
export { inspectHome } from './home/homeInspection.ts';
export { photoFolders } from './images/photoFolders.ts';
export { BackupRefused, HomeLocked } from './engine/refusals.ts';
export { TRIAL_PREFIX } from './snapshot/snapshot.ts';
export { DatabaseCopy } from './backup/databaseCopy.ts';
export { isFullDisk, syncFolder, writeDurably } from './engine/fsync.ts';
export { readBack } from './backup/format.ts';
export { migrateStore, type MigrationPlan } from './migration/migrateStore.ts';
export type { SearchedStore } from './migration/migrateStore.ts';
export { restoreBackup, type RestoreQuestions } from './backup/restore.ts';
export type { RevivedCredential } from './backup/withdrawnCredentials.ts';
export { readReceipts } from './erasure/receiptRecords.ts';
export type { ErasedBefore } from './erasure/replayErasures.ts';

const HOUR = 60 * 60_000;

/** Everything that is kept. */
export type Storage = Awaited<ReturnType<typeof storageOver>>;

/** Parts of the store outside the data directory. Absent: the place in the data directory's settings, else the directory itself. */
export interface StoredElsewhere {
  /** The address of the PostgreSQL database of a new installation. */
  database?: string | undefined;
  /** The folder or the S3 address in which companies have their default places. */
  images?: string | undefined;
  /** The opener of the store; absent: a service. */
  use?: KeyUse | undefined;
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
        use: elsewhere.use ?? 'service',
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
  use: KeyUse;
  /** Releases the lock of the home. */
  release: () => void;
}

/** The store over an open database. */
async function storageOver(
  { db, name, ...engine }: Engine,
  { home, clock, key, isKeyGiven, use, release }: OpenHome,
) {
  const audit = new AuditLog(db);
  const places = new ImagePlaces(db, keptImages(home) ?? home.storage);
  await places.check();
  const keyFile = isPostgres(db) ? await KeyFile.begin(db, places, use) : undefined;
  const storageFolders = new StorageFolders(db, home, places);
  const companies = new Companies(db, audit, storageFolders);
  const images = new EncryptedImageFiles(db, companies, storageFolders, new ImageDamage(db, audit, clock));
  const installation = new Installation(db, audit);
  const anchors = new AuditAnchors(
    home.auditAnchors,
    async () => (await installation.settings()).externalAnchorFile,
  );
  const installationKeys = new InstallationKeys(db, audit);
  const digests = new RequestDigests(db);
  const erasures = new Erasures({ home, db, key, files: images, audit, keyFile });
  await erasures.keepAll();
  const rowTotals = await RowTotals.open(db, audit, home.rowTotals);
  return {
    ...engine,
    /** Undefined: this process is the only service, and its memory is the state. */
    turns: sharedStateOf(db),
    ...accessStores(db, audit, clock),
    ...screeningStores(db, audit, images, digests, clock),
    ...recognitionStores(db, audit),
    companies,
    installation,
    operators: new Operators(db, audit, { folders: storageFolders }),
    uploads: new Uploads(db, audit, { images, digests }),
    queue: new WorkQueue(db, audit, { node: engine.nodes?.name ?? 'local' }),
    images,
    storageFolders,
    imageSamples: new ImageSamples(db, storageFolders),
    imageContents: new ImageContents(db, images),
    audit,
    anchors,
    rowTotals,
    installationKeys,
    networkListeners: new NetworkListeners(db, audit, { service: name }),
    packageSpool: await PackageSpool.open(
      home.received,
      async () => (await installation.settings()).minFreeBytes,
    ),
    backups: new Backups({
      home,
      db,
      key,
      audit,
      anchors,
      installationKeys,
      folders: storageFolders,
    }),
    backupRuns: new BackupRuns(db, audit),
    backupPlaces: new BackupPlaces(home.folder),
    erasures,
    /** Forgets the keys that other services have destroyed. */
    async refreshKeys(): Promise<void> {
      await keyFile?.refresh();
    },
    /** Has the rows reported, each once, of which a text or a record is left out because it was changed on the server. */
    reportDamage(report: (damaged: Error) => void): void {
      cellsOf(db).useReport(report);
    },
    retentionChecks: new RetentionChecks(db),
    views: new DashboardQueries(db),
    runs: new EnrolmentRuns(db, audit),
    changes: changesOf(db),
    homeInspection: inspectHome(home, { bytes: key, isGiven: isKeyGiven }),
    /**
     * Removes image files that no company's rows refer to, where the storage folder is in place. Safe while the service
     * works.
     * @param age only files that were last written at least this long ago, milliseconds; default: an hour
     * @returns how many were removed
     */
    async sweepOrphans(age = HOUR): Promise<number> {
      let removed = 0;
      for (const { id } of await companies.list())
        if ((await storageFolders.present(id)) !== null) removed += await images.sweep(id, age);
      return removed;
    },
    async close() {
      keyFile?.close();
      await engine.galleryFeed?.close();
      await places.close();
      await db.destroy();
      release();
    },
  };
}

/** Credentials of programs and sign-ins of operators. */
function accessStores(db: Database, audit: AuditLog, clock: Clock) {
  return {
    apiTokens: new ApiTokens(db, audit),
    hmacKeys: new HmacKeys(db, audit),
    replays: new ReplayGuard(db, clock),
    recoveryCodes: new RecoveryCodes(db, audit),
    sessions: new Sessions(db, audit),
    appearances: new Appearances(db),
    attempts: new SignInAttempts(db, audit),
  };
}

/** Screening and its results, persons, signatures and the exchange of blacklists. */
function screeningStores(
  db: Database,
  audit: AuditLog,
  images: EncryptedImageFiles,
  digests: RequestDigests,
  clock: Clock,
) {
  return {
    blacklists: new Blacklists(db, audit),
    faceListings: new FaceListings(db, audit),
    flows: new TrustFlows(db, audit, { clock }),
    validations: new Validations(db, audit),
    encounters: new Encounters(db, audit),
    mosipConnections: new MosipConnections(db, audit),
    mosipAnswers: new MosipAnswers(db),
    persons: new Persons(db, audit, { digests }),
    duplicateGroups: new DuplicateGroups(db),
    examinations: new Examinations(db, audit),
    caseFolders: new CaseFolders(db, audit),
    signatureSpecimens: new SignatureSpecimens(db, audit),
    signatureCalibrations: new SignatureCalibrations(db, audit),
    comparisons: new Comparisons(db, audit, SIGNATURE_COMPARISONS),
    faceComparisons: new Comparisons(db, audit, FACE_COMPARISONS),
    trustedInstallations: new TrustedInstallations(db, audit),
    transferStore: new BlacklistTransferStore(db, audit, { images }),
  };
}

/** Faces, their templates by pipeline, and the searches for duplicates among them. */
function recognitionStores(db: Database, audit: AuditLog) {
  return {
    faces: new Faces(db),
    pipelines: new PipelineStore(db, audit),
    companyCalibrations: new CompanyCalibrations(db, audit),
    duplicateRuns: new DuplicateRuns(db, audit),
  };
}
