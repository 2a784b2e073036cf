/** Settings of a company and of the installation. The defaults and ranges of limits are in limits.ts. */
import { z } from 'zod';
import {
  COMPANY_LIMITS,
  isAllowed,
  limitProblem,
  INSTALLATION_LIMITS,
  type CompanyLimit,
  type Limit,
  type InstallationLimit,
} from './limits/limits.ts';
import { retentionRules } from './retention.ts';

/** The schema of a limit, from the catalogue. */
function limited(path: CompanyLimit | Exclude<InstallationLimit, 'galleryMemoryMiB'>) {
  const limit: Limit & { default: number } = { ...COMPANY_LIMITS, ...INSTALLATION_LIMITS }[path];
  const error = limitProblem(path, limit);
  return z
    .number({ error })
    .refine((value) => isAllowed(limit, value), { error })
    .default(limit.default);
}

/** The rules between two limits. */
export const DARKEST_ABOVE_BRIGHTEST = 'gate.minBrightness must not be above gate.maxBrightness.';
export const POSSIBLE_ABOVE_MATCH = 'signatures.possibleMatch must not be above signatures.match.';

/** Thresholds of the quality gate; a face beyond one of them is refused with that reason. */
export const qualityThresholds = z
  .object({
    /** Least distance between the pupils, pixels of the original image. */
    minInterEyeDistance: limited('gate.minInterEyeDistance'),
    /** Largest |yaw|, |pitch| and |roll|, degrees. */
    maxYaw: limited('gate.maxYaw'),
    maxPitch: limited('gate.maxPitch'),
    maxRoll: limited('gate.maxRoll'),
    minSharpness: limited('gate.minSharpness'),
    minBrightness: limited('gate.minBrightness'),
    maxBrightness: limited('gate.maxBrightness'),
    /** Largest probability that eyes, or nose and mouth, are covered. */
    maxCovered: limited('gate.maxCovered'),
    /** Least share of the face inside the image. */
    minInFrame: limited('gate.minInFrame'),
    /** Least distance of the face box to an edge, in face widths. */
    minBorderDistance: limited('gate.minBorderDistance'),
  })
  .refine((gate) => gate.minBrightness <= gate.maxBrightness, {
    message: DARKEST_ABOVE_BRIGHTEST,
    path: ['minBrightness'],
  });
export type QualityThresholds = z.infer<typeof qualityThresholds>;

/** Where the bands of signature matching begin, on its scale of 0 to 100. */
export const signatureSettings = z
  .object({
    match: limited('signatures.match'),
    possibleMatch: limited('signatures.possibleMatch'),
  })
  .refine((bands) => bands.possibleMatch <= bands.match, {
    message: POSSIBLE_ABOVE_MATCH,
    path: ['possibleMatch'],
  });
export type SignatureSettings = z.infer<typeof signatureSettings>;

/** `strict`: for people who look alike to the network, the same rates at smaller distances (docs/guides/calibrate.md). */
export const THRESHOLD_PROFILES = ['default', 'strict'] as const;
export type ThresholdProfile = (typeof THRESHOLD_PROFILES)[number];

/** The words that settings are chosen from. The audit log holds these, and no other text of a setting. */
export const SETTING_WORDS = [...THRESHOLD_PROFILES] as const;
export type SettingWord = (typeof SETTING_WORDS)[number];

export const companySettings = z.object({
  /** Biometrics Registration: without it bulk enrolment answers 422. */
  registrationEnabled: z.boolean().default(true),
  /** Internal blacklists: without it their routes answer 422 and the dashboard shows nothing of them. */
  blacklistsEnabled: z.boolean().default(true),
  /** A decision that accepts a group of duplicates takes effect when a second operator confirms it. */
  secondOperator: z.boolean().default(false),
  /** Signature specimens of persons may be stored. Turning this off erases those that are stored. */
  signatureSpecimens: z.boolean().default(false),
  /** The ABIS interface of OSIA: without it its routes answer 403. */
  osia: z.boolean().default(false),
  /** Images per upload. */
  maxBatchImages: limited('maxBatchImages'),
  /** Bytes per image file. */
  maxImageBytes: limited('maxImageBytes'),
  /** Bytes per file in a case folder; 0: none. */
  maxCaseFileBytes: limited('maxCaseFileBytes'),
  /** Bytes of the contents of a case folder that is exported or opened. */
  maxCasePackageBytes: limited('maxCasePackageBytes'),
  gate: qualityThresholds.prefault({}),
  /** Which of its pipeline's tables says what distances mean, where no photos of its own do. */
  thresholds: z.enum(THRESHOLD_PROFILES).default('default'),
  signatures: signatureSettings.prefault({}),
  duplicates: z
    .object({
      /** Near pairs that a duplicate search stores of one face. */
      maxNearPairs: limited('duplicates.maxNearPairs'),
    })
    .prefault({}),
  /** How long things of people are kept. */
  retention: retentionRules.prefault({}),
});
export type CompanySettings = z.infer<typeof companySettings>;

export const installationSettings = z.object({
  /** Images that may wait at once, all companies together; beyond it uploads answer 503. */
  maxWaitingImages: limited('maxWaitingImages'),
  /** Enrolment is paused by an operator: nothing is processed and uploads answer 503. */
  paused: z.boolean().default(false),
  /** Least free space in the storage folder, bytes; below it uploads answer 503. */
  minFreeBytes: limited('minFreeBytes'),
  /** A signed request is taken this many seconds before and after its timestamp. */
  signatureWindowSeconds: limited('signatureWindowSeconds'),
  /**
   * Mebibytes of exact vectors that the gallery keeps in memory, beside the codes that it always keeps; null: all. Beyond
   * it a search reads the few that it needs from the database. Taken at the next start.
   */
  galleryMemoryMiB: z
    .number({ error: limitProblem('galleryMemoryMiB', INSTALLATION_LIMITS.galleryMemoryMiB) })
    .refine((value) => isAllowed(INSTALLATION_LIMITS.galleryMemoryMiB, value), {
      error: limitProblem('galleryMemoryMiB', INSTALLATION_LIMITS.galleryMemoryMiB),
    })
    .nullable()
    .default(INSTALLATION_LIMITS.galleryMemoryMiB.default),
  /** The name on this installation's certificate, which other installations see; null: the beginning of its key. */
  installationName: z.string().trim().min(1).max(100).nullable().default(null),
  /** SHA-256 of the bearer token of `GET /metrics`, lowercase hex; null: the service answers no metrics. */
  metricsToken: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .nullable()
    .default(null),
  /** A file outside the home that receives every anchor of the audit log; null: none. */
  externalAnchorFile: z.string().nullable().default(null),
  /** Requests that one credential may make in a minute; beyond it 429. */
  requestsPerMinute: limited('requestsPerMinute'),
});
export type InstallationSettings = z.infer<typeof installationSettings>;
