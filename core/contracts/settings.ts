/** Settings of a company and of the site, with their defaults and limits. */
import { z } from 'zod';
import { retentionRules } from './retention.ts';

const MIB = 1024 * 1024;
/** Seconds. Accepted signatures are remembered for the longest window, so that widening the window replays none. */
export const LONGEST_SIGNATURE_WINDOW = 3600;

/** Thresholds of the quality gate; a face beyond one of them is refused with that reason. */
export const gateSettings = z.object({
  /** Least distance between the pupils, pixels of the original image. */
  minInterEyeDistance: z.number().min(0).max(200).default(16),
  /** Largest |yaw| and |pitch| in degrees. */
  maxYaw: z.number().min(5).max(90).default(60),
  maxPitch: z.number().min(5).max(90).default(50),
  /** Largest |roll| in degrees; a leaning head is turned upright before it is described, so any is good. */
  maxRoll: z.number().min(5).max(180).default(180),
  /** Of press photos 1 in 2,000 is below; in focus they have 0.38 to 0.57. */
  minSharpness: z.number().min(0).max(1).default(0.2),
  minBrightness: z.number().min(0).max(1).default(0.08),
  maxBrightness: z.number().min(0).max(1).default(0.95),
  /** Largest probability that eyes, or nose and mouth, are covered. */
  maxCovered: z.number().min(0).max(1).default(0.95),
  /** Least share of the face inside the image. */
  minInFrame: z.number().min(0).max(1).default(0.75),
  /** Least distance of the face box to an edge, in face widths; a little beyond the edge is no harm. */
  minBorderDistance: z.number().min(-1).max(1).default(-0.3),
});
export type GateSettings = z.infer<typeof gateSettings>;

/** Where the bands of signature matching begin, on its scale of 0 to 100 (contract §6). */
export const signatureSettings = z
  .object({
    match: z.number().min(0).max(100).default(70),
    possibleMatch: z.number().min(0).max(100).default(40),
  })
  .refine((bands) => bands.possibleMatch <= bands.match, {
    message: 'Possible Match must not begin above Match.',
    path: ['possibleMatch'],
  });
export type SignatureSettings = z.infer<typeof signatureSettings>;

/** `strict`: for people who look alike to the network, the same rates at smaller distances (docs/calibration.md). */
export const THRESHOLD_TABLES = ['usual', 'strict'] as const;
export type ThresholdTable = (typeof THRESHOLD_TABLES)[number];

/** The words that settings are chosen from. The audit log holds these, and no other text of a setting. */
export const SETTING_WORDS = [...THRESHOLD_TABLES] as const;
export type SettingWord = (typeof SETTING_WORDS)[number];

export const companySettings = z.object({
  /** Biometrics Registration: without it mass enrolment answers 422. */
  registrationEnabled: z.boolean().default(true),
  /** Internal blacklists: without it their routes answer 422 and the dashboard shows nothing of them. */
  blacklistsEnabled: z.boolean().default(true),
  /** Images per upload. */
  maxBatchImages: z.number().int().min(1).max(50).default(50),
  /** Bytes per image file; the hosted service's 10 MB are mebibytes (contract §4). */
  maxImageBytes: z
    .number()
    .int()
    .min(64 * 1024)
    .max(64 * MIB)
    .default(10 * MIB),
  gate: gateSettings.prefault({}),
  /** Which of its pipeline's tables says what distances mean, where no photos of its own do. */
  thresholds: z.enum(THRESHOLD_TABLES).default('usual'),
  signatures: signatureSettings.prefault({}),
  /** How long things of people are kept. */
  retention: retentionRules.prefault({}),
});
export type CompanySettings = z.infer<typeof companySettings>;

export const siteSettings = z.object({
  /** Images that may wait at once, all companies together; beyond it uploads answer 503. */
  maxWaitingImages: z.number().int().min(50).max(10_000_000).default(20_000),
  /** Enrolment is paused by an operator: nothing is processed and uploads answer 503. */
  paused: z.boolean().default(false),
  /** Least free space in the storage folder, bytes; below it uploads answer 503. */
  minFreeBytes: z
    .number()
    .int()
    .min(0)
    .default(512 * MIB),
  /** A signed request is taken this many seconds before and after its timestamp (contract §5). */
  signatureWindowSeconds: z.number().int().min(30).max(LONGEST_SIGNATURE_WINDOW).default(300),
  /**
   * Mebibytes of exact vectors that the gallery keeps in memory, beside the codes that it always keeps; null: all. Beyond
   * it a search reads the few that it needs from the database. Taken at the next start.
   */
  galleryMemoryMiB: z.number().int().min(0).max(1_048_576).nullable().default(null),
  /** What other sites see on this one's card; null: the beginning of its key. */
  siteName: z.string().trim().min(1).max(100).nullable().default(null),
  /** A file outside the home that receives every anchor of the audit log; null: none. */
  auditWitness: z.string().nullable().default(null),
  /** Requests that one credential may make in a minute; beyond it 429. */
  requestsPerMinute: z.number().int().min(1).max(1_000_000).default(1_200),
});
export type SiteSettings = z.infer<typeof siteSettings>;
