/**
 * The catalogue of the limits that an administrator can set: the only place of their defaults and ranges. The schemas of
 * settings.ts, the terminal, the dashboard and docs/reference/settings.md are made from it.
 */

const MIB = 1024 * 1024;
/** Seconds. Accepted signatures are remembered for the longest window, so that widening the window replays none. */
export const LONGEST_SIGNATURE_WINDOW = 3600;
/** Seconds in which a whole request must arrive. A signature over the body can be checked that long after its head. */
export const LONGEST_REQUEST = 15 * 60;
/** Bytes. No image is larger: uploads are bounded by `maxImageBytes`, photos of a package by this. */
export const LARGEST_IMAGE = 64 * MIB;

/** Bytes. No company can allow more contents of a sealed case folder. */
export const LARGEST_CASE_PACKAGE = 1024 * MIB;

/** How a limit is counted. `share`: 0 to 1; `points`: similarity of 0 to 100; `faceWidths`: widths of the face box. */
type LimitUnit =
  | 'images'
  | 'pairs'
  | 'bytes'
  | 'mebibytes'
  | 'pixels'
  | 'degrees'
  | 'share'
  | 'points'
  | 'faceWidths'
  | 'seconds'
  | 'requests';

export interface Limit {
  unit: LimitUnit;
  /** null: no limit. */
  default: number | null;
  least: number;
  most: number;
  /** Only whole numbers are allowed. */
  whole: boolean;
  /** It can be null: no limit. */
  optional?: true;
  /** It takes effect when the service starts again, and not at the next request. */
  restart?: true;
}

/** Per company, by the path of the setting. */
export const COMPANY_LIMITS = {
  maxBatchImages: { unit: 'images', default: 50, least: 1, most: 500, whole: true },
  // The 10 MB of the hosted service are 10 MiB.
  maxImageBytes: { unit: 'bytes', default: 10 * MIB, least: MIB, most: 50 * MIB, whole: true },
  maxCaseFileBytes: { unit: 'bytes', default: 10 * MIB, least: 0, most: 50 * MIB, whole: true },
  // A sealed case folder is in memory at once, for its report.
  maxCasePackageBytes: {
    unit: 'bytes',
    default: 256 * MIB,
    least: MIB,
    most: LARGEST_CASE_PACKAGE,
    whole: true,
  },
  'signatures.match': { unit: 'points', default: 70, least: 0, most: 100, whole: false },
  'signatures.possibleMatch': { unit: 'points', default: 40, least: 0, most: 100, whole: false },
  'duplicates.maxNearPairs': { unit: 'pairs', default: 1_000, least: 10, most: 100_000, whole: true },
  'gate.minInterEyeDistance': { unit: 'pixels', default: 16, least: 0, most: 200, whole: false },
  'gate.maxYaw': { unit: 'degrees', default: 60, least: 5, most: 90, whole: false },
  'gate.maxPitch': { unit: 'degrees', default: 50, least: 5, most: 90, whole: false },
  // A tilted head is turned upright before its template is made, so any angle is usable.
  'gate.maxRoll': { unit: 'degrees', default: 180, least: 5, most: 180, whole: false },
  // 1 in 2,000 press photos is below; photos in focus have 0.38 to 0.57.
  'gate.minSharpness': { unit: 'share', default: 0.2, least: 0, most: 1, whole: false },
  'gate.minBrightness': { unit: 'share', default: 0.08, least: 0, most: 1, whole: false },
  'gate.maxBrightness': { unit: 'share', default: 0.95, least: 0, most: 1, whole: false },
  'gate.maxCovered': { unit: 'share', default: 0.95, least: 0, most: 1, whole: false },
  'gate.minInFrame': { unit: 'share', default: 0.75, least: 0, most: 1, whole: false },
  // A face box that reaches a little beyond the edge does no harm.
  'gate.minBorderDistance': { unit: 'faceWidths', default: -0.3, least: -1, most: 1, whole: false },
} as const satisfies Record<string, Limit>;
export type CompanyLimit = keyof typeof COMPANY_LIMITS;

/** Of the whole installation, by the name of the setting. */
export const INSTALLATION_LIMITS = {
  requestsPerMinute: { unit: 'requests', default: 1_200, least: 1, most: 1_000_000, whole: true },
  signatureWindowSeconds: {
    unit: 'seconds',
    default: 300,
    least: 30,
    most: LONGEST_SIGNATURE_WINDOW,
    whole: true,
  },
  maxWaitingImages: { unit: 'images', default: 20_000, least: 50, most: 10_000_000, whole: true },
  minFreeBytes: { unit: 'bytes', default: 512 * MIB, least: 0, most: 2 ** 50, whole: true },
  galleryMemoryMiB: {
    unit: 'mebibytes',
    default: null,
    least: 0,
    most: 1_048_576,
    whole: true,
    optional: true,
    restart: true,
  },
} as const satisfies Record<string, Limit>;
export type InstallationLimit = keyof typeof INSTALLATION_LIMITS;

type LastWord<Path extends string> = Path extends `${string}.${infer Word}` ? Word : Path;
/** The last part of a path, by which the texts of a limit are found. */
export type LimitWord = LastWord<CompanyLimit | InstallationLimit>;

/** The last part of the path of a limit. */
export function limitWord(path: CompanyLimit | InstallationLimit): LimitWord {
  return path.slice(path.lastIndexOf('.') + 1) as LimitWord;
}

/** The English texts of each limit: its name, and what it affects. */
export const LIMIT_TEXTS: Record<LimitWord, { readonly label: string; readonly affects: string }> = {
  maxBatchImages: {
    label: 'Images per upload',
    affects: 'An upload with more images is rejected as a whole.',
  },
  maxImageBytes: {
    label: 'Size of an image file',
    affects:
      'An upload with a larger file, or a verification with a larger selfie, is rejected. Folder enrolment skips larger files.',
  },
  maxCaseFileBytes: {
    label: 'Size of a file in a case folder',
    affects:
      'A larger file cannot be added to a case folder; with 0 none can. PDF, JPEG, PNG and plain text are accepted.',
  },
  maxCasePackageBytes: {
    label: 'Size of a sealed case folder',
    affects:
      'A case folder with larger contents is neither exported nor opened. The service has the contents in memory for the time of an export or report.',
  },
  match: {
    label: 'Match from',
    affects: 'Signatures with this similarity or a higher one get the verdict Match.',
  },
  possibleMatch: {
    label: 'Possible Match from',
    affects:
      'Signatures with this similarity or a higher one get the verdict Possible Match, those below it No Match.',
  },
  maxNearPairs: {
    label: 'Near pairs of a face',
    affects:
      'A duplicate search stores at most this many near pairs of a face, the nearest ones, and counts the faces that have more. Raise the limit if one person has more photos than this.',
  },
  minInterEyeDistance: {
    label: 'Smallest distance between the eyes',
    affects: 'A smaller face in the original image is rejected as FACE_TOO_SMALL.',
  },
  maxYaw: {
    label: 'Largest turn to the side',
    affects: 'A face turned further to the left or right is rejected as EXTREME_POSE.',
  },
  maxPitch: {
    label: 'Largest tilt up or down',
    affects: 'A face that looks further up or down is rejected as EXTREME_POSE.',
  },
  maxRoll: {
    label: 'Largest tilt to the shoulder',
    affects: 'A head tilted further to a shoulder is rejected as EXTREME_POSE.',
  },
  minSharpness: {
    label: 'Lowest sharpness',
    affects: 'A face that is more blurred is rejected as LOW_SHARPNESS.',
  },
  minBrightness: { label: 'Lowest brightness', affects: 'A darker face is rejected as TOO_DARK.' },
  maxBrightness: { label: 'Highest brightness', affects: 'A brighter face is rejected as TOO_BRIGHT.' },
  maxCovered: {
    label: 'Highest probability of a covered face',
    affects:
      'A face whose eyes, or nose and mouth, are covered with a higher probability is rejected as FACE_OBSCURED.',
  },
  minInFrame: {
    label: 'Smallest part of the face in the image',
    affects: 'A face of which less is inside the image is rejected as FACE_CROPPED.',
  },
  minBorderDistance: {
    label: 'Smallest distance to the edge',
    affects:
      'A face closer to the edge of the image is rejected as NEAR_BORDER. Negative: the face may reach beyond the edge.',
  },
  requestsPerMinute: {
    label: 'Requests per minute',
    affects: 'Further requests of the same credential within the minute are rejected (429).',
  },
  signatureWindowSeconds: {
    label: 'Window of signed requests',
    affects:
      'A request with an HMAC signature is rejected (401) if its timestamp is further from the clock of this machine, in either direction.',
  },
  maxWaitingImages: {
    label: 'Length of the queue',
    affects:
      'Uploads of all companies are rejected (503) while more images would wait. An upload never has more images than this.',
  },
  minFreeBytes: {
    label: 'Free space to keep',
    affects: 'Uploads are rejected (503) while the storage folder has less free space.',
  },
  galleryMemoryMiB: {
    label: 'Memory for exact templates',
    affects:
      'Templates beyond this are read from the database during a search, which takes longer. A restart of the service applies a new value.',
  },
};

/** The names of the units after a number. */
const UNIT_TEXTS: Record<Exclude<LimitUnit, 'bytes' | 'share' | 'points'>, string> = {
  images: 'images',
  pairs: 'pairs',
  mebibytes: 'MiB',
  pixels: 'pixels',
  degrees: '°',
  faceWidths: 'face widths',
  seconds: 'seconds',
  requests: 'requests',
};

const BYTE_UNITS = [
  ['TiB', 2 ** 40],
  ['GiB', 2 ** 30],
  ['MiB', 2 ** 20],
  ['KiB', 2 ** 10],
  ['bytes', 1],
] as const;

/** A value of a limit with its unit in English, as {@link readLimitValue} reads it. */
export function limitValueText({ unit }: Pick<Limit, 'unit'>, value: number | null): string {
  if (value === null) return 'all';
  if (unit === 'share' || unit === 'points') return String(value);
  if (unit !== 'bytes') return `${value}${unit === 'degrees' ? '' : ' '}${UNIT_TEXTS[unit]}`;
  if (value === 0) return '0 bytes';
  const [name, size] = BYTE_UNITS.find(([, bytes]) => value % bytes === 0) ?? BYTE_UNITS[4];
  return `${value / size} ${name}`;
}

/** The values that a limit allows, in English. */
export function limitRangeText(limit: Limit): string {
  const least = limit.unit === 'bytes' ? limitValueText(limit, limit.least) : String(limit.least);
  const range = `${least} to ${limitValueText(limit, limit.most)}`;
  return limit.optional === true ? `${range}, or all` : range;
}

/** Whether a limit can have this value. */
export function isAllowed({ least, most, whole, optional }: Limit, value: number | null): boolean {
  if (value === null) return optional === true;
  return value >= least && value <= most && (!whole || Number.isInteger(value));
}

/** The sentence for a value that a limit cannot have. */
export function limitProblem(path: string, limit: Limit): string {
  return `${path} must be ${limit.whole ? 'a whole number' : 'a number'} from ${limitRangeText(limit)}.`;
}

/**
 * Reads the value of a limit as people type it: `300`, `0.25`, and sizes as `20 MiB` or `20971520`.
 * @returns null: no limit (`all`); undefined: it is no value of this unit
 */
export function readLimitValue({ unit, optional }: Limit, text: string): number | null | undefined {
  const typed = text.trim().toLowerCase();
  if (optional === true && typed === 'all') return null;
  const [, digits, name] = /^(-?\d+(?:\.\d+)?)\s*([a-z]*)$/.exec(typed) ?? [];
  if (digits === undefined) return undefined;
  if (name === '') return Number(digits);
  if (unit === 'mebibytes') return name === 'mib' ? Number(digits) : undefined;
  const size = unit === 'bytes' ? BYTE_UNITS.find(([each]) => each.toLowerCase() === name)?.[1] : undefined;
  return size === undefined ? undefined : Number(digits) * size;
}

/**
 * The limits of an image and of the process that decodes it, with the reason of each. All but the last are judged from
 * the headers of the file, before a decoder runs.
 */
export const IMAGE_LIMITS = {
  /** More than the largest sensors of phones deliver by default (48 megapixels); decoded to 150 MB of colours. */
  pixels: 50_000_000,
  /**
   * The longest side, pixels. Panoramas of phones end at 16,384. Decoders keep several whole rows, and sampling has
   * positions of 15 bits, so that a row of millions of pixels takes gigabytes although it has few pixels in all.
   */
  side: 20_000,
  /**
   * Bytes that the decoder must hold at once, because the file stores the image in passes: an interlaced PNG its pixels,
   * a progressive JPEG its coefficients. 50 million pixels of three components with 16 bits each.
   */
  heldBytes: 300_000_000,
  /**
   * Samples that the decoder visits, over all scans of a JPEG. A progressive photo of 50 megapixels as encoders write it
   * has at most 14 scans, together 0.75 thousand million samples.
   */
  visitedSamples: 2_000_000_000,
  /** Memory of a worker process, bytes: 250 MB at rest, and an image at every limit above. */
  workerBytes: 700 * 2 ** 20,
} as const;
