/** Two signatures compared, and the record of it. */
import type { CompanyId } from '../../contracts/ids.ts';
import type { SignatureSettings } from '../../contracts/settings.ts';
import type { SignatureFault, SignatureReason, Verdict } from '../../contracts/signatures.ts';
import type { Actor } from '../actor.ts';

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
