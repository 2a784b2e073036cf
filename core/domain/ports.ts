/**
 * What the rules need of the world. Storage, vision and gallery implement these; `service.ts` wires them.
 * Conventions: the company comes first; times are `Date`; a promise rejects only for faults of the machine
 * (`UnavailableError` where a retry can help), never for what a caller sent: that comes back as a value.
 */
import type { ImageFacts, ImageFormat, Box, DescribedFace, Quality, Template } from '../contracts/faces.ts';
import type { FailureCode } from '../contracts/failures.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  PipelineId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
  UploadItemId,
} from '../contracts/ids.ts';
import type {
  CompanySettings,
  GateSettings,
  SignatureSettings,
  SiteSettings,
} from '../contracts/settings.ts';
import type { HmacProfileName, ItemStatus, Scope } from '../contracts/codes.ts';
import type { Act, Actor } from './actor.ts';
import type { Calibration } from './scores.ts';
import type { SignatureFault, SignatureReason, Verdict } from '../contracts/signatures.ts';

/** The time, so that tests can hold it still. */
export interface Clock {
  now(): Date;
}

/** Something of the machine is missing for now (disk full, database read-only): nothing happened, a retry can help. */
export class UnavailableError extends Error {
  override name = 'UnavailableError';
}

/** Another pipeline serves the company since a face was described: it is described again by that one. */
export class PipelineChanged extends UnavailableError {
  override name = 'PipelineChanged';

  constructor() {
    super('Another recognition pipeline serves the company since the face was described.');
  }
}

/** Structured log lines; never a secret, a name, an image or a template in them. */
export interface Logger {
  info(facts: object, text: string): void;
  warn(facts: object, text: string): void;
  error(facts: object, text: string): void;
}

// ---------------------------------------------------------------- vision

/** A person waits for `interactive` work; it goes before everything that is queued as `bulk`. */
export type Priority = 'interactive' | 'bulk';

export type EnrolAnalysis =
  | { kind: 'face'; image: ImageFacts; face: DescribedFace }
  | { kind: 'refused'; code: FailureCode; image?: ImageFacts; box?: Box; quality?: Quality };

export type SearchAnalysis =
  | { kind: 'faces'; image: ImageFacts; faces: DescribedFace[] }
  | { kind: 'refused'; code: FailureCode; image?: ImageFacts };

/** Recognition by one pipeline. */
export interface Recogniser {
  readonly pipelineId: PipelineId;
  /** What its distances mean. */
  readonly calibration: Calibration;
  /**
   * Describes the one face of an image, or says why not. A worker that dies or exceeds its time takes nothing with
   * it: the image is tried once more, then refused as ENGINE_ERROR or TIMEOUT. `gate` absent: no quality refusals.
   */
  enrol(image: Uint8Array, options: { gate?: GateSettings; priority: Priority }): Promise<EnrolAnalysis>;
  /** Describes every face of an image, largest first; refuses only what cannot be decoded or holds no face. */
  search(image: Uint8Array, options: { priority: Priority }): Promise<SearchAnalysis>;
  /** Describes the face that was found at `place` before, by another pipeline. */
  describeAgain(image: Uint8Array, place: Box): Promise<SecondDescription>;
}

export type SecondDescription =
  { kind: 'described'; template: Template } | { kind: 'refused'; code: FailureCode };

export interface VisionPort extends Recogniser {
  /** How many images can be in work at once. */
  readonly workers: number;
  /** Ends the workers at once; whatever still waits or is in work rejects with `UnavailableError`. */
  close(): Promise<void>;
}

/** Recognition as each company has it: by the pipeline that serves it at this moment. */
export interface RecognitionPort {
  readonly workers: number;
  /** The pipeline that serves a company, whether it is installed or not. */
  pipelineOf(company: CompanyId): PipelineId;
  /** @throws {UnavailableError} the company's pipeline is not installed (any more) */
  of(company: CompanyId): Recogniser;
  /** What distances of a pipeline mean in a company; undefined when it is not installed (any more). */
  calibrationOf(company: CompanyId, pipeline: PipelineId): Calibration | undefined;
  /** Resolves when the company is not being switched to another pipeline: wait for it before a new face is written. */
  steady(company: CompanyId): Promise<void>;
}

// ---------------------------------------------------------------- signatures

/** The cleaned ink of one image as a PNG: dark strokes on white, what the matcher saw. */
export interface InkPicture {
  png: Uint8Array;
  width: number;
  height: number;
}

/** Maps pixels (x, y) of the second ink picture onto the first: x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type InkAlignment = readonly [a: number, b: number, c: number, d: number, e: number, f: number];

/** Per image of the pair; a key is absent where there is nothing to say. */
export interface OfEither<T> {
  image1?: T;
  image2?: T;
}

export type SignatureComparison =
  | {
      kind: 'compared';
      /** 0 to 100 in steps of 0.01; the same to the last bit when the images change places. */
      similarity: number;
      modelVersion: string;
      alignment: InkAlignment;
      pictures?: { image1: InkPicture; image2: InkPicture };
    }
  | {
      kind: 'inconclusive';
      reasons: OfEither<SignatureReason>;
      modelVersion: string;
      pictures?: OfEither<InkPicture>;
    }
  | { kind: 'refused'; faults: OfEither<SignatureFault> };

export interface SignaturePort {
  /** Names cleaning, features and calibration: similarities compare only within one. */
  readonly modelVersion: string;
  /**
   * Compares two encoded images (JPEG or PNG, at most 10 MB each; the caller has checked that). An image that kills
   * its worker or exceeds its time is inconclusive, never an error; rejects with UnavailableError when too many
   * comparisons wait already. `pictures`: also draw what the matcher saw, for a person to look at.
   */
  compare(
    image1: Uint8Array,
    image2: Uint8Array,
    options: { pictures: boolean },
  ): Promise<SignatureComparison>;
  close(): Promise<void>;
}

/** A comparison that was made; never the images. */
export interface NewSignatureComparison {
  /** The caller's own grouping and reference. */
  templateId: string;
  verificationId: string;
  credential: Actor;
  at: Date;
  /** Null when it was inconclusive. */
  similarity: number | null;
  verdict: Verdict;
  reasons: OfEither<SignatureReason>;
  /** The company's at that time. */
  thresholds: SignatureSettings;
  modelVersion: string;
  /** Lowercase hex of both files, so that whoever has them can show what was compared. */
  sha256: { image1: string; image2: string };
}

export interface SignatureComparisonRecord extends Omit<NewSignatureComparison, 'sha256' | 'credential'> {
  id: number;
  credential: string;
  /** Null in records that were made before hashes were kept. */
  sha256: { image1: string | null; image2: string | null };
}

export interface ComparisonFilter {
  templateId?: string;
  verificationId?: string;
  verdict?: Verdict;
  from?: Date;
  /** Not included. */
  until?: Date;
}

export interface SignatureComparisons {
  /** One transaction with its entry in the audit log. @returns the record's id */
  record(company: CompanyId, comparison: NewSignatureComparison): Promise<number>;
  find(company: CompanyId, id: number): Promise<SignatureComparisonRecord | undefined>;
  /** Newest first; `after` is the last one of the page before. */
  list(
    company: CompanyId,
    page: { after?: number; limit: number; filter?: ComparisonFilter },
  ): Promise<SignatureComparisonRecord[]>;
  count(company: CompanyId, filter: ComparisonFilter): Promise<number>;
}

// ---------------------------------------------------------------- gallery

export type Watchlist = { kind: 'duplicate' } | { kind: 'blacklist'; blacklistId: BlacklistId };

/** Says which templates are of one person; any number that the caller keeps to, e.g. a person's record id. */
export type SubjectKey = number;

export interface GalleryEntry {
  faceId: FaceId;
  watchlist: Watchlist;
  template: Template;
  /** Absent: the template is the only one of its person. */
  subject?: SubjectKey;
}

export interface GalleryQuery {
  probe: Template;
  watchlists: readonly Watchlist[];
  /** At most this many candidates over all the watchlists together, nearest first. */
  limit: number;
  /** Candidates further away than this Euclidean distance (0 to 2) are left out. */
  maxDistance: number;
  /** These faces are left out, e.g. the probe's own. */
  except?: ReadonlySet<FaceId>;
  /** Only faces that were enrolled before this one (their ids are smaller). */
  before?: FaceId;
  /** `subject`: only the nearest template of each person, and `limit` counts persons. Default `template`. */
  per?: 'template' | 'subject';
}

/** Distance: Euclidean between unit vectors, 0 (same) to 2. Ties are ordered by face id. */
export interface Candidate {
  faceId: FaceId;
  watchlist: Watchlist;
  distance: number;
}

/** 1:N search in memory, exact. Everything in it is also in the store; it holds nothing of its own. */
export interface GalleryPort {
  /** Adds faces; idempotent per face id. Entries of a foreign pipeline are refused with an Error. */
  append(company: CompanyId, entries: readonly GalleryEntry[]): void;
  remove(company: CompanyId, faces: readonly FaceId[]): void;
  search(company: CompanyId, query: GalleryQuery): Promise<Candidate[]>;
  /** How many faces can be matched in a watchlist. */
  size(company: CompanyId, watchlist: Watchlist): number;
}

// ---------------------------------------------------------------- storage

export interface Company {
  id: CompanyId;
  name: string;
  /** Absolute folder of the company's encrypted images; null: storage is not configured. */
  storageFolder: string | null;
  settings: CompanySettings;
  createdAt: Date;
}

export interface Companies {
  create(
    company: {
      name: string;
      storageFolder: string | null;
      settings: CompanySettings;
    },
    act: Act,
  ): Promise<Company>;
  find(id: CompanyId): Promise<Company | undefined>;
  findByName(name: string): Promise<Company | undefined>;
  list(): Promise<Company[]>;
  update(
    id: CompanyId,
    change: { storageFolder?: string | null; settings?: CompanySettings },
    act: Act,
  ): Promise<void>;
  /** Whether any image is kept in the company's storage folder: then the folder cannot simply be another one. */
  holdsImages(id: CompanyId): Promise<boolean>;
  /** The internal Trust Flow of mass enrolment; one per company, made with it. */
  systemTrustFlow(id: CompanyId): Promise<TrustFlowId>;
}

export interface Site {
  settings(): Promise<SiteSettings>;
  update(change: Partial<SiteSettings>, act: Act): Promise<SiteSettings>;
}

export interface ApiToken {
  id: number;
  companyId: CompanyId;
  name: string;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export interface ApiTokens {
  /** `hash`: SHA-256 of the token; the token itself is never stored. */
  create(
    company: CompanyId,
    token: { name: string; hash: Uint8Array; scopes: readonly Scope[]; expiresAt: Date | null },
    act: Act,
  ): Promise<ApiToken>;
  /** The one query without a company: it finds which company a credential belongs to. */
  findByHash(hash: Uint8Array): Promise<ApiToken | undefined>;
  list(company: CompanyId): Promise<ApiToken[]>;
  revoke(company: CompanyId, id: number, act: Act): Promise<boolean>;
  touch(company: CompanyId, id: number, at: Date): Promise<void>;
}

/** A key with which a program of a company signs its requests (contract §5). */
export interface HmacKey {
  id: number;
  companyId: CompanyId;
  /** What the program sends as X-USER-ID; unique on the installation, never given again. */
  userId: string;
  name: string;
  /** How this program signs. */
  profile: HmacProfileName;
  scopes: readonly Scope[];
  createdAt: Date;
  expiresAt: Date | null;
  revokedAt: Date | null;
  lastUsedAt: Date | null;
}

export interface HmacKeys {
  /** Undefined: another key has this user id. */
  create(
    company: CompanyId,
    key: {
      userId: string;
      name: string;
      secret: string;
      profile: HmacProfileName;
      scopes: readonly Scope[];
      expiresAt: Date | null;
    },
    act: Act,
  ): Promise<HmacKey | undefined>;
  /** The one query without a company: it finds which company a credential belongs to. */
  findByUserId(userId: string): Promise<{ key: HmacKey; secret: string } | undefined>;
  list(company: CompanyId): Promise<HmacKey[]>;
  revoke(company: CompanyId, id: number, act: Act): Promise<boolean>;
  touch(company: CompanyId, id: number, at: Date): Promise<void>;
}

/** Signatures that were accepted; survives a restart. */
export interface ReplayMemory {
  /**
   * Remembers a signature, durably before it resolves.
   * @param until when it may be forgotten: its timestamp can never be in a window again
   * @returns false: it was remembered already
   */
  remember(key: HmacKey, signature: Uint8Array, until: Date): Promise<boolean>;
}

/** An image file that is durable on disk but that nothing refers to yet. Start-up sweeps away what stays so. */
export interface WrittenImage {
  id: ImageId;
  /** AES-256 key of this file alone; kept in the database, so deleting the row makes the file unreadable. */
  key: Uint8Array;
  bytes: number;
  /** Lowercase hex of the plain content. */
  sha256: string;
  format: ImageFormat;
}

export interface ImageFiles {
  /** Encrypts a stream into a new file of the company; the caller has sniffed `format`. Resolves when it is durable. */
  write(company: CompanyId, format: ImageFormat, content: AsyncIterable<Uint8Array>): Promise<WrittenImage>;
  /** Decrypts and authenticates; undefined when there is no such image (or not of this company). */
  read(company: CompanyId, image: ImageId): Promise<{ content: Uint8Array; format: ImageFormat } | undefined>;
  /** Removes files that no row refers to (any more); silent about those already gone. */
  discard(company: CompanyId, images: readonly ImageId[]): Promise<void>;
  /** Free bytes where the company's images are kept. */
  freeBytes(company: CompanyId): Promise<number>;
}

/** Where the images of an upload land. */
export type UploadTarget =
  { kind: 'duplicate'; trustFlowId: TrustFlowId } | { kind: 'blacklist'; blacklistId: BlacklistId };

export function watchlistOf(target: UploadTarget): Watchlist {
  return target.kind === 'duplicate'
    ? { kind: 'duplicate' }
    : { kind: 'blacklist', blacklistId: target.blacklistId };
}

export interface NewUpload {
  id: UploadId;
  target: UploadTarget;
  accepted: Act;
  /** In the order of their index. */
  images: readonly { fileName: string; image: WrittenImage }[];
  idempotency?: { key: string; fingerprint: string };
  /** Where its photo comes from, for the record; absent: its sender has it. */
  from?: 'search';
}

export interface UploadItem {
  index: number;
  fileName: string;
  status: ItemStatus;
  trustValidationId: TrustValidationId | null;
  faceId: FaceId | null;
  failureCode: FailureCode | null;
  processedAt: Date | null;
}

export interface Upload {
  id: UploadId;
  target: UploadTarget;
  createdAt: Date;
  /** When the last image was answered; null while any waits. */
  completedAt: Date | null;
  items: UploadItem[];
}

export interface Uploads {
  /**
   * Writes the upload with all its images in one transaction: before it nothing exists, after it everything.
   * @returns why its blacklist takes nothing (any more), and then nothing is written
   */
  accept(
    company: CompanyId,
    upload: NewUpload,
  ): Promise<'accepted' | 'blacklist gone' | 'blacklist inactive'>;
  find(company: CompanyId, kind: UploadTarget['kind'], id: UploadId): Promise<Upload | undefined>;
  /** The upload accepted under this Idempotency-Key within the last 24 hours. */
  findByIdempotencyKey(
    company: CompanyId,
    key: string,
    now: Date,
  ): Promise<{ id: UploadId; target: UploadTarget; fingerprint: string; numberOfImages: number } | undefined>;
}

/** One image in work. */
export interface LeasedItem {
  id: UploadItemId;
  companyId: CompanyId;
  uploadId: UploadId;
  target: UploadTarget;
  fileName: string;
  imageId: ImageId;
  /** How often work on it has begun, this time included. */
  attempts: number;
}

/** What landing wrote, for the gallery to follow after COMMIT. */
export interface LandedFace {
  faceId: FaceId;
  trustValidationId: TrustValidationId | null;
}

/** The site's one queue, over all companies; the only port besides credentials that works across them. */
export interface WorkQueue {
  /** Images that wait or are in work. */
  waiting(): Promise<number>;
  /** When the oldest upload with such an image was accepted; undefined: none waits. */
  oldest(): Promise<Date | undefined>;
  /** Takes up to `limit` waiting images, companies in turn, oldest first; counts the attempt before it returns. */
  lease(limit: number): Promise<LeasedItem[]>;
  /**
   * One transaction: face, template, trust validation (duplicate detection), item status.
   * @returns undefined, and nothing written, when the image was answered meanwhile (cancelled with its blacklist)
   */
  land(
    item: LeasedItem,
    analysis: { image: ImageFacts; face: DescribedFace },
    at: Date,
  ): Promise<LandedFace | undefined>;
  /** One transaction: item Failed with its reason, image row gone; then the file is erased. An answer given before stands. */
  fail(item: LeasedItem, code: FailureCode, at: Date): Promise<void>;
  /** Gives back what was leased but not answered; not `counted`: as if it had never begun. */
  release(items: readonly LeasedItem[], options: { counted: boolean }): Promise<void>;
}

/** Face ids above `after` and up to `upTo`, this one included. */
export interface FaceRange {
  after: FaceId;
  upTo: FaceId;
}

export interface Faces {
  /** Every matchable face (of a range), to fill the gallery at start; by rising ids. */
  all(company: CompanyId, pipeline: PipelineId, range?: FaceRange): AsyncIterable<readonly GalleryEntry[]>;
  /** Ids of all that {@link Faces.all} gives, rising. */
  matchable(company: CompanyId, pipeline: PipelineId): Promise<FaceId[]>;
  /** The templates of these faces, for what the gallery does not keep in memory; missing ones are left out. */
  vectors(
    company: CompanyId,
    pipeline: PipelineId,
    faces: readonly FaceId[],
  ): Promise<ReadonlyMap<FaceId, Float32Array>>;
  /** What a candidate list shows of these faces, in no particular order; missing ones are left out. */
  summaries(company: CompanyId, faces: readonly FaceId[]): Promise<FaceSummary[]>;
}

/** The matchable faces of a range in the gallery's own form, so that a start need not read and code them again. */
export interface GallerySnapshot extends FaceRange {
  /** Opaque to the store; the gallery seals it with a checksum. */
  content: Uint8Array;
}

/**
 * Snapshots live in the store beside what they copy: any change to a matchable face removes the snapshot of its range
 * in the same transaction, so one that is there agrees with the store, and nothing of an erased face stays in one.
 */
export interface GallerySnapshots {
  /** The ranges that have a snapshot, by rising ids; they do not overlap. */
  ranges(company: CompanyId, pipeline: PipelineId): Promise<FaceRange[]>;
  read(company: CompanyId, pipeline: PipelineId, range: FaceRange): Promise<Uint8Array | undefined>;
  /**
   * Keeps a snapshot in place of all that overlap its range, but only if `faces` (rising) are exactly the matchable
   * ones that the store has there; otherwise nothing happens and it says false.
   */
  keep(
    company: CompanyId,
    pipeline: PipelineId,
    snapshot: GallerySnapshot,
    faces: readonly FaceId[],
  ): Promise<boolean>;
}

export interface FaceSummary {
  faceId: FaceId;
  /** File name without its extension. */
  name: string;
  watchlist: Watchlist;
  trustValidationId: TrustValidationId | null;
  imageId: ImageId;
  enrolledAt: Date;
  quality: number;
}
