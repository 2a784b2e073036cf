/** Two images compared, of signatures or of faces, and the record of it. */
import type { Verdict } from '../../contracts/signatures.ts';
import type { Actor } from './auditContext.ts';

export type ComparisonSubject = 'signature' | 'face';

/** Per image of the pair; a key is absent where there is nothing to say. */
export interface OfEither<T> {
  image1?: T;
  image2?: T;
}

/** Two images to compare. */
export interface ImagePair {
  /** JPEG or PNG by their content; the caller has checked that. */
  image1: Uint8Array;
  image2: Uint8Array;
  /** The caller's own grouping and reference, kept with the record. */
  templateId: string;
  verificationId: string;
}

/** The recorded fields of every comparison, of two images or of more. */
export interface ComparisonFacts {
  /** The caller's own grouping and reference. */
  templateId: string;
  verificationId: string;
  credential: Actor;
  at: Date;
  /** Null when it was inconclusive. */
  similarity: number | null;
  verdict: Verdict;
  /** Where the bands began at that time, as similarities. */
  thresholds: { match: number; possibleMatch: number };
  /** The matcher of signatures, or the pipeline that described the faces. */
  modelVersion: string;
}

/** Two images that were compared; never the images. */
export interface NewComparison<Reason extends string> extends ComparisonFacts {
  reasons: OfEither<Reason>;
  /** Lowercase hex of both files, so that the holder of the files can show what was compared. */
  sha256: { image1: string; image2: string };
}

/** A kept comparison of any of the kinds `New`. */
export type Recorded<New extends ComparisonFacts> = New extends unknown
  ? Omit<New, 'credential'> & { id: number; credential: string }
  : never;
export type ComparisonRecord<Reason extends string> = Recorded<NewComparison<Reason>>;

export interface ComparisonFilter {
  templateId?: string | undefined;
  verificationId?: string | undefined;
  verdict?: Verdict | undefined;
  /** The operator or program that compared: `operator:3`, `token:7`. */
  credential?: Actor | undefined;
  from?: Date | undefined;
  /** Not included. */
  until?: Date | undefined;
}
