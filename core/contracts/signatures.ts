/** Wire shapes and texts of signature matching. v1 speaks snake_case. */
import { errorDetails } from './errors/body.ts';
import { problem, sentenceOf, type Problem } from './errors/problem.ts';
import { z } from 'zod';
import { IMAGE_LIMITS } from './limits/limits.ts';
import { namesOf } from './namesOf.ts';

export const VERDICTS = ['MATCH', 'POSSIBLE_MATCH', 'NO_MATCH', 'INCONCLUSIVE'] as const;
export type Verdict = (typeof VERDICTS)[number];

interface VerdictRow {
  display: string;
  matchStatus: string;
  verificationStatus: string;
  verificationStatusCode: number;
  message: string;
}

/** One row per verdict; the public interface fixes codes and texts. Similarity only: never "genuine" or "forged". */
export const VERDICT_ROWS: Record<Verdict, VerdictRow> = {
  MATCH: {
    display: 'Match',
    matchStatus: 'matched',
    verificationStatus: 'Verified',
    verificationStatusCode: 3,
    message: 'Signature matching completed successfully.',
  },
  POSSIBLE_MATCH: {
    display: 'Possible Match',
    matchStatus: 'review',
    verificationStatus: 'Review Needed',
    verificationStatusCode: 2,
    message: 'Signature matching completed. The signatures are similar, but not enough to settle it.',
  },
  NO_MATCH: {
    display: 'No Match',
    matchStatus: 'not_matched',
    verificationStatus: 'Rejected',
    verificationStatusCode: 1,
    message: 'Signature matching completed. The signatures are not similar.',
  },
  INCONCLUSIVE: {
    display: 'Inconclusive',
    matchStatus: 'inconclusive',
    verificationStatus: 'Review Needed',
    verificationStatusCode: 2,
    message: 'Signature matching could not reach a result.',
  },
};

/** Why a decodable image holds nothing that can be compared: what happened, then what to do. Each continues "image1: …". */
export const SIGNATURE_REASON_TEXT = {
  BLANK: 'the image is blank. Send a picture that shows the signature.',
  TOO_LITTLE_INK:
    'there is too little ink to compare. Send the entire signature, larger or with more contrast.',
  NOT_INK: 'no signature was found, only a photo or a pattern. Send a picture of ink on a plain background.',
  TEXT_PAGE: 'the image looks like a page of text. Crop it to the signature.',
  SEVERAL_SIGNATURES: 'there may be more than one signature. Crop the image to one signature.',
  FOREIGN_INK:
    'a stamp, a watermark, print or a frame cannot be told from the signature. Send a picture without it, or crop it away.',
  PRINT: 'only printed letters were found. Send a picture of the handwritten signature.',
  STAMP: 'only a stamp, a code or a frame was found. Send a picture of the handwritten signature.',
  THUMBPRINT: 'the image shows a fingerprint. Send a picture of the handwritten signature.',
  TOO_SIMPLE:
    'the mark is too simple to tell people apart. Send a full signature, or identify the person in another way.',
  INK_TOO_SMALL: 'the signature is too small to compare. Scan it at 150 dpi or more.',
  IMAGE_TOO_LARGE: 'the image takes too much memory to process. Save it with fewer pixels and retry.',
  ENGINE_ERROR: 'the image could not be processed. Save it again as PNG and retry.',
  TIMEOUT: 'the image took too long to process. Save it with fewer pixels and retry.',
};
export type SignatureReason = keyof typeof SIGNATURE_REASON_TEXT;
export const SIGNATURE_REASONS = namesOf(SIGNATURE_REASON_TEXT);

/** The same in Arabic, for the dashboard and for reports. */
export const SIGNATURE_REASON_TEXT_ARABIC: Record<SignatureReason, string> = {
  BLANK: 'الصورة فارغة. أرسل صورة تُظهر التوقيع.',
  TOO_LITTLE_INK: 'الحبر غير كافٍ للمقارنة. أرسل التوقيع كاملًا بحجم أكبر أو أوضح.',
  NOT_INK: 'لم يُعثر على توقيع. استخدم حبرًا على خلفية سادة.',
  TEXT_PAGE: 'تبدو الصورة صفحة نص. قُصّها إلى التوقيع.',
  SEVERAL_SIGNATURES: 'قد يكون في الصورة أكثر من توقيع. قُصّها إلى توقيع واحد.',
  FOREIGN_INK: 'تعذر فصل ختم أو علامة مائية أو نص مطبوع أو إطار عن التوقيع. أرسل صورة خالية منه، أو قُصّه.',
  PRINT: 'لم يُعثر إلا على حروف مطبوعة. أرسل صورة التوقيع بخط اليد.',
  STAMP: 'لم يُعثر إلا على ختم أو رمز أو إطار. أرسل صورة التوقيع بخط اليد.',
  THUMBPRINT: 'تُظهر الصورة بصمة إصبع. أرسل صورة التوقيع بخط اليد.',
  TOO_SIMPLE: 'العلامة أبسط من أن تميّز بين الأشخاص. أرسل توقيعًا كاملًا، أو تحقق من الشخص بطريقة أخرى.',
  INK_TOO_SMALL: 'التوقيع أصغر من أن يُقارن. امسحه ضوئيًا بدقة 150 نقطة في البوصة أو أكثر.',
  IMAGE_TOO_LARGE: 'تحتاج معالجة الصورة إلى ذاكرة أكثر من الحد. احفظها ببكسلات أقل وأعد المحاولة.',
  ENGINE_ERROR: 'تعذرت معالجة الصورة. احفظها من جديد بصيغة PNG وأعد المحاولة.',
  TIMEOUT: 'استغرقت الصورة وقتًا طويلًا. احفظها ببكسلات أقل وأعد المحاولة.',
};

/** Why an image is refused before anything is compared: 422 on its field. */
export const SIGNATURE_FAULTS = [
  'NOT_A_DATA_URI',
  'WRONG_MEDIA_TYPE',
  'NOT_BASE64',
  'EMPTY',
  'TOO_MANY_BYTES',
  'NOT_AN_IMAGE',
  'UNDECODABLE',
  'UNSUPPORTED_KIND',
  'TOO_SMALL',
  'TOO_MANY_PIXELS',
  'TOO_LARGE',
] as const;
export type SignatureFault = (typeof SIGNATURE_FAULTS)[number];

/** The limits of one signature image. */
export const SIGNATURE_LIMITS = {
  bytes: 10 * 1024 * 1024,
  shortestSide: 64,
  pixels: 25_000_000,
} as const;

/** The v1 validation messages, in the hosted service's manner; `key` is `image1` or `image2`. */
export const SIGNATURE_FAULT_PROBLEMS: Record<SignatureFault, (field: string, bytes?: number) => Problem> = {
  NOT_A_DATA_URI: (field) => problem('SIGNATURE_NOT_A_DATA_URI', { field }),
  WRONG_MEDIA_TYPE: (field) => problem('SIGNATURE_WRONG_MEDIA_TYPE', { field }),
  NOT_BASE64: (field) => problem('SIGNATURE_NOT_BASE64', { field }),
  EMPTY: (field) => problem('SIGNATURE_EMPTY', { field }),
  TOO_MANY_BYTES: (field, bytes = SIGNATURE_LIMITS.bytes) =>
    problem('SIGNATURE_TOO_MANY_BYTES', { field, kilobytes: bytes / 1024 }),
  NOT_AN_IMAGE: (field) => problem('SIGNATURE_NOT_AN_IMAGE', { field }),
  UNDECODABLE: (field) => problem('SIGNATURE_UNDECODABLE', { field }),
  UNSUPPORTED_KIND: (field) => problem('SIGNATURE_UNSUPPORTED_KIND', { field }),
  TOO_SMALL: (field) => problem('SIGNATURE_TOO_SMALL', { field, pixels: SIGNATURE_LIMITS.shortestSide }),
  TOO_MANY_PIXELS: (field) =>
    problem('SIGNATURE_TOO_MANY_PIXELS', { field, megapixels: SIGNATURE_LIMITS.pixels / 1e6 }),
  TOO_LARGE: (field) => problem('SIGNATURE_TOO_LARGE', { field, pixels: IMAGE_LIMITS.side }),
};

/** Why an image takes part in no comparison, as a sentence, as the screen of the dashboard says it. */
export function unusableSignature(code: SignatureReason | SignatureFault): string {
  const reason = SIGNATURE_REASONS.find((each) => each === code);
  if (reason !== undefined) return SIGNATURE_REASON_TEXT[reason];
  return sentenceOf(SIGNATURE_FAULT_PROBLEMS[code as SignatureFault]('image'));
}

const required = (key: string) => `The ${key} field is required.`;

function textField(key: string) {
  return z.string({
    error: (issue) => (issue.input == null ? required(key) : `The ${key} must be a string.`),
  });
}

/** An image as text; the domain names what is wrong with its content. */
export const dataUriField = (key: string) => textField(key).describe('data:image/(png|jpeg);base64,…');

/** Kept as it is sent, so nothing that a database would choke on. */
export function nameField(key: string) {
  const text = textField(key)
    .min(1, { error: required(key), abort: true })
    .refine((sent) => sent.trim() !== '', required(key))
    .max(255, `The ${key} must not be greater than 255 characters.`)
    .transform((sent) => sent.toWellFormed());
  return z.preprocess((sent) => (Number.isSafeInteger(sent) ? String(sent) : sent), text);
}

/** Request body. What the data URIs hold is checked by the domain, which names the fault. */
export const signatureMatchRequest = z.object({
  image1: dataUriField('image1'),
  image2: dataUriField('image2'),
  template_id: nameField('template_id').describe(
    "the caller's grouping of requests; a whole number counts as its digits",
  ),
  verification_id: nameField('verification_id').describe(
    "the caller's id of this verification; a whole number counts as its digits",
  ),
});
export type SignatureMatchRequest = z.infer<typeof signatureMatchRequest>;

/** Answer with HTTP 200. `similarity` is 0 in an inconclusive answer: nothing was compared. */
export const signatureMatchResponse = z.object({
  status: z.literal(true),
  message: z.string(),
  result: z.object({
    similarity: z.number().min(0).max(100).describe('0 to 100, two decimals, symmetric'),
    verdict: z.enum(VERDICTS),
    verification_status: z.string(),
    verification_status_code: z.number().int().describe('1 Rejected, 2 Review Needed, 3 Verified'),
    verdict_display: z.string(),
  }),
  match_status: z.string(),
  verification_status: z.string(),
  verification_status_code: z.number().int(),
  verdict: z.string().describe('display form'),
});
export type SignatureMatchResponse = z.infer<typeof signatureMatchResponse>;

/** Every error of the v1 interface. */
export const signatureErrorBody = z.object({
  status: z.literal(false),
  message: z.string(),
  errors: z.record(z.string(), z.array(z.string())).optional(),
  ...errorDetails,
});

/** A share of pairs that was measured, and what it may be with 95 % confidence; all from 0 to 1. */
export interface MeasuredShare {
  share: number;
  from: number;
  to: number;
}
const measured = (share: number, from: number, to: number): MeasuredShare => ({ share, from, to });

/**
 * How often the matcher errs at its default bands, on pairs of real signatures that it had never seen, from
 * docs/explanation/signatures.md (a test compares the two). `genuine`: pairs of one person below the band, the others at or above.
 */
export const MEASURED_SIGNATURE_RATES = {
  paper: {
    match: {
      differentWriters: measured(0, 0, 0.023),
      skilledForgeries: measured(0.092, 0.043, 0.158),
      genuine: measured(0.272, 0.12, 0.411),
    },
    possibleMatch: {
      differentWriters: measured(0.012, 0.002, 0.031),
      skilledForgeries: measured(0.558, 0.412, 0.703),
      genuine: measured(0.045, 0.005, 0.103),
    },
  },
  media: {
    match: {
      differentWriters: measured(0, 0, 0.01),
      skilledForgeries: measured(0.056, 0.042, 0.069),
      genuine: measured(0.619, 0.561, 0.672),
    },
    possibleMatch: {
      differentWriters: measured(0.006, 0.002, 0.011),
      skilledForgeries: measured(0.698, 0.659, 0.735),
      genuine: measured(0.104, 0.069, 0.14),
    },
  },
} as const;
/** Whose signatures they were: writers, who are what such a measurement has too few of. */
export const MEASURED_SIGNATURE_WRITERS = { paper: 12, media: 30 } as const;
/** The bands at which they were measured. */
export const MEASURED_SIGNATURE_BANDS = { match: 70, possibleMatch: 40 } as const;

/** The same as the rows of a table, as the screen and the report show them: the upper band first. */
export function measuredSignatureRates() {
  const { paper, media } = MEASURED_SIGNATURE_RATES;
  return (['match', 'possibleMatch'] as const).flatMap((band) =>
    (['differentWriters', 'skilledForgeries', 'genuine'] as const).map((of) => ({
      of,
      score: MEASURED_SIGNATURE_BANDS[band],
      paper: paper[band][of],
      media: media[band][of],
    })),
  );
}
