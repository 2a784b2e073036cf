/** Two signatures compared, and the record of it. */
import type { CompanyId } from '../../contracts/ids.ts';
import type { MeasuredSignatures } from '../../contracts/signatureCalibration.ts';
import type { KnownSetRecord } from '../../contracts/knownSignatures.ts';
import type { SignatureFault, SignatureReason, Verdict } from '../../contracts/signatures.ts';
import type { KnownSet, KnownSetComparison } from './knownSignatures.ts';
import type { ComparisonFacts, NewComparison, OfEither, Recorded } from './comparisons.ts';
import type { Comparisons } from '../../storage/screening/comparisons.ts';

export type { OfEither } from './comparisons.ts';

export type SignatureComparison =
  | {
      kind: 'compared';
      /** 0 to 100 in steps of 0.01; the same to the last bit when the images change places. */
      similarity: number;
      modelVersion: string;
      alignment: InkAlignment;
      doubts: readonly Doubts<OfEither<SignatureReason>>[];
      pictures?: { image1: InkPicture; image2: InkPicture };
    }
  | {
      kind: 'inconclusive';
      reasons: OfEither<SignatureReason>;
      modelVersion: string;
      pictures?: OfEither<InkPicture>;
    }
  | { kind: 'refused'; faults: OfEither<SignatureFault> };

/** Reasons in the images why some verdicts would say nothing about the writers. */
export interface Doubts<Reasons> {
  verdicts: readonly Verdict[];
  reasons: Reasons;
}

export interface SignatureOptions {
  /** Also draw what the matcher saw, for a person to look at. */
  pictures: boolean;
  /** Whose images they are: a worker process serves one company. */
  company: CompanyId;
}

export interface SignaturePort {
  /** Names cleaning, features and calibration: similarities compare only within one. */
  readonly modelVersion: string;
  /**
   * Compares two encoded images (JPEG or PNG, at most 10 MB each; the caller has checked that). An image that kills
   * its worker or exceeds its time is inconclusive, never an error; rejects with UnavailableError when too many
   * comparisons wait already.
   */
  compare(image1: Uint8Array, image2: Uint8Array, options: SignatureOptions): Promise<SignatureComparison>;
  /**
   * Compares a questioned image with 2 to 10 known ones of one writer. As with two images, one that kills its worker is
   * inconclusive; rejects with UnavailableError when too many comparisons wait already.
   */
  compareKnown(set: KnownSet, options: SignatureOptions): Promise<KnownSetComparison>;
  /** Comparisons for which each image is decoded and cleaned once, however often its very bytes are given. */
  preparingOnce(company: CompanyId): ManyComparisons;
  close(): Promise<void>;
}

/** The comparisons of a {@link SignaturePort}, with the same results, without pictures. */
export interface ManyComparisons {
  compare(image1: Uint8Array, image2: Uint8Array): Promise<SignatureComparison>;
  compareKnown(set: KnownSet): Promise<KnownSetComparison>;
}

export type NewSignatureComparison = NewComparison<SignatureReason>;
export type SignatureComparisonRecord = Recorded<NewSignatureComparison>;
/** A questioned signature that was compared with several known ones; never the images. */
export interface NewKnownSetComparison extends ComparisonFacts {
  known: KnownSetRecord;
}
export type KnownSetComparisonRecord = Recorded<NewKnownSetComparison>;
/** Comparisons of two signatures and of known sets, in one history. */
export type SignatureComparisons = Comparisons<NewSignatureComparison | NewKnownSetComparison>;

/** The rates of similarities of one version of the matcher at one company, measured on its own signatures. */
export interface SignatureCalibration {
  company: CompanyId;
  modelVersion: string;
  measured: MeasuredSignatures;
  appliedAt: Date;
}

// The ink that the signature matcher found in an image.

/** The cleaned ink of one image as a PNG: dark strokes on white, what the matcher saw. */
export interface InkPicture {
  png: Uint8Array;
  width: number;
  height: number;
}

/** Maps pixels (x, y) of the second ink picture onto the first: x' = a·x + b·y + c, y' = d·x + e·y + f. */
export type InkAlignment = readonly [a: number, b: number, c: number, d: number, e: number, f: number];
