/** Calibration of the signature scale on a company's own labelled signatures. Pairs are named as in ISO/IEC 19795-1. */
import { z } from 'zod';
import { KNOWN_ALTERNATIVES } from './knownSignatures.ts';
import { SIGNATURE_FAULTS, SIGNATURE_REASONS } from './signatures.ts';
import { get, post, remove } from './dashboard/operation.ts';

/** Where the bands begin; at a calibrated company too. */
export const FIXED_POINTS = [40, 70] as const;

const share = z.number().min(0).max(1);

/** A measured share of pairs and its 95 % interval. */
export const estimatedShare = z.object({ share, low: share, high: share });
export type EstimatedShare = z.infer<typeof estimatedShare>;

/** Kinds of pairs. A forgery is a signature that another person made after the signature of the writer. */
export const SIGNATURE_PAIR_KINDS = ['genuine', 'forgery', 'differentWriters'] as const;
export type SignaturePairKind = (typeof SIGNATURE_PAIR_KINDS)[number];

/** How often the comparison errs at a fixed point: genuine pairs below it, other pairs at or above it. */
export const signatureErrorRate = z.object({
  score: z.literal(FIXED_POINTS),
  of: z.enum(SIGNATURE_PAIR_KINDS),
  /** On the scale that the matcher ships. */
  shipped: estimatedShare,
  /** On the scale of the company, on writers that the scale was not fitted on; null: nothing can be recommended. */
  own: estimatedShare.nullable(),
});

/** The similarity on the shipped scale that becomes a fixed point. */
export const signatureFixedPoint = z.object({
  score: z.literal(FIXED_POINTS),
  similarity: z.number().min(0).max(100),
  low: z.number(),
  high: z.number(),
  /** `measured`: 30 errors or more are expected; `estimated`: 3 to 30; `shifted`: along with the other point. */
  statement: z.enum(['measured', 'estimated', 'shifted']),
});

const pairs = z.object({
  genuine: z.number().int(),
  forgery: z.number().int(),
  differentWriters: z.number().int(),
});

/** How many signatures are known in the measured sets. */
export const KNOWN_SET_SIZES = [3, 5] as const;

/** How often a finding supports the wrong proposition, by the number of known signatures and the alternative. */
export const knownSetErrorRate = z.object({
  of: z.enum(KNOWN_ALTERNATIVES),
  known: z.literal(KNOWN_SET_SIZES),
  /** Writers that the rates rest on. */
  writers: z.number().int(),
  /** Signatures of the known writer for which the finding supports the alternative. */
  genuine: estimatedShare,
  /** Imitations, or signatures of other writers, for which it supports the known writer. */
  other: estimatedShare,
});

/** The rates apply to this version of the comparison alone. */
export const measuredKnownSets = z.object({ modelVersion: z.string(), rates: z.array(knownSetErrorRate) });
export type MeasuredKnownSets = z.infer<typeof measuredKnownSets>;

/** The part of a measurement that is stored when it is applied: rates, nothing of the signatures. */
export const measuredSignatures = z.object({
  writers: z.number().int(),
  signatures: z.number().int(),
  forgeries: z.number().int(),
  pairs,
  rates: z.array(signatureErrorRate),
  /** Empty when there are too few pairs. */
  fixedPoints: z.array(signatureFixedPoint),
  /** Null: too few writers have enough signatures. */
  knownSets: measuredKnownSets.nullable(),
});
export type MeasuredSignatures = z.infer<typeof measuredSignatures>;

/** The data that a calibration lacks. */
export const TOO_FEW_SIGNATURES = ['WRITERS', 'GENUINE_PAIRS', 'DIFFERENT_WRITERS_PAIRS'] as const;

export const signatureCalibrationReport = measuredSignatures.extend({
  unusable: z.array(
    z.object({
      writer: z.string(),
      file: z.string(),
      code: z.enum([...SIGNATURE_REASONS, ...SIGNATURE_FAULTS]),
    }),
  ),
  tooFew: z.enum(TOO_FEW_SIGNATURES).nullable(),
});
export type SignatureCalibrationReport = z.infer<typeof signatureCalibrationReport>;

/** A measurement in progress. */
export const signatureCalibrationProgress = z.object({
  run: z.string(),
  compared: z.number().int(),
  total: z.number().int(),
  secondsLeft: z.number().int().nullable(),
  /** Null until every pair was compared. */
  report: signatureCalibrationReport.nullable(),
});
export type SignatureCalibrationProgress = z.infer<typeof signatureCalibrationProgress>;

export const signatureCalibrationRun = z.object({ run: z.string().min(1).max(100) });

/** The writer of a signature, and the file that the report names. */
export const labelledSignature = z.object({
  writer: z.string().trim().min(1).max(200),
  file: z.string().min(1).max(500),
  /** Another person made it after the signature of the writer. */
  forgery: z.boolean(),
});
/** The same in the query of an address. */
export const labelledSignatureQuery = labelledSignature.extend({ forgery: z.stringbool() });
export type LabelledSignature = z.infer<typeof labelledSignature>;

/** The reason why a file does not count; null: it counts. */
export const addedSignature = z.object({
  /** An earlier file with the same bytes; under another label one of the labels is wrong. */
  sameAs: z.object({ writer: z.string(), file: z.string(), forgery: z.boolean() }).nullable(),
});
export type AddedSignature = z.infer<typeof addedSignature>;

/** The scale of a company; null: the scale that the matcher ships with. */
export const appliedSignatureCalibration = z.object({
  modelVersion: z.string(),
  appliedAt: z.iso.datetime().nullable(),
  measured: measuredSignatures.nullable(),
  /** Earlier versions of the matcher that were calibrated: what was found does not count for this one. */
  elsewhere: z.array(z.string()),
});
export type AppliedSignatureCalibration = z.infer<typeof appliedSignatureCalibration>;

/** The dashboard's operations. */
export const signatureCalibrationApi = {
  read: get('/signature-calibration', 'signatures:read', { answer: appliedSignatureCalibration }),
  reset: remove('/signature-calibration', 'settings:write', { answer: appliedSignatureCalibration }),
  begin: post('/signature-calibration/runs', 'settings:write', { answer: signatureCalibrationRun }),
  report: get('/signature-calibration/runs/:run', 'settings:write', {
    params: signatureCalibrationRun,
    answer: signatureCalibrationProgress,
  }),
  apply: post('/signature-calibration/runs/:run/apply', 'settings:write', {
    params: signatureCalibrationRun,
    answer: appliedSignatureCalibration,
  }),
  addSignature: post('/signature-calibration/runs/:run/signatures', 'settings:write', {
    params: signatureCalibrationRun,
    query: labelledSignatureQuery,
    answer: addedSignature,
  }),
};
