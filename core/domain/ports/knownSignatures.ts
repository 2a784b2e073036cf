/** One questioned signature compared with several known ones of one writer. */
import type {
  ComplexityClass,
  KnownAlternative,
  KnownWarning,
  Support,
} from '../../contracts/knownSignatures.ts';
import type { SignatureFault, SignatureReason } from '../../contracts/signatures.ts';
import type { Doubts, InkAlignment, InkPicture } from './signatures.ts';

/** The images of one comparison, encoded as JPEG or PNG. */
export interface KnownSet {
  questioned: Uint8Array;
  /** Two to ten; their order does not matter, and the same image twice counts once. */
  known: readonly Uint8Array[];
  /** The caller states that not all of them were written on one medium (paper, tablet, photo). */
  acrossMedia?: boolean;
}

/** Something about each image, as far as it applies. */
export interface OfEach<T> {
  questioned?: T;
  /** By index into `known`. */
  known: ReadonlyMap<number, T>;
}

/** One likelihood ratio: the writer of the known signatures against one alternative. */
export interface LikelihoodRatio {
  /** Positive: the likeness is more probable if the writer of the known signatures wrote the questioned one. */
  log10: number;
  /** The farthest values that the validation data can support; `log10` lies between them. */
  bounds: { lowest: number; highest: number };
  support: Support;
}

export type LikelihoodRatios = Record<KnownAlternative, LikelihoodRatio>;

/** How one known signature compares with the questioned one and with the other known ones. */
export interface KnownSpecimen {
  /** To the questioned signature, 0 to 100 on the scale of two images. */
  similarity: number;
  /** Maps the questioned signature's picture onto this one's. */
  alignment: InkAlignment;
  /** Mean similarity to the other known signatures; null where all others are the same picture. */
  toOthers: number | null;
  complexity: ComplexityClass;
}

export interface ComparedKnownSet {
  kind: 'compared';
  modelVersion: string;
  /** 0 to 100: the mean likeness to the known signatures on the scale of two images. */
  similarity: number;
  /** Null where the known signatures form two groups: then they are not the signatures of one style. */
  ratios: LikelihoodRatios | null;
  /**
   * How many of the known signatures are closer to the other known ones than the questioned one is: 0 to `of`. Null with
   * fewer than three.
   */
  typicality: { closer: number; of: number } | null;
  agreement: {
    /** Mean similarity of the known signatures to one another, 0 to 100; null with one of them only. */
    similarity: number | null;
    /** The known signature that differs from the others, and the result without it; from four on. */
    differing: { index: number; ratiosWithout: LikelihoodRatios } | null;
    /** Indices of two groups of known signatures that do not resemble each other; from four on. */
    groups: readonly [readonly number[], readonly number[]] | null;
  };
  /** In the order in which the known signatures were given. */
  known: readonly KnownSpecimen[];
  /** Indices of the known signatures that are most and least like the questioned one. */
  nearest: number;
  farthest: number;
  /** Of the questioned signature. */
  complexity: ComplexityClass;
  warnings: readonly KnownWarning[];
  doubts: readonly Doubts<OfEach<SignatureReason>>[];
  pictures?: { questioned: InkPicture; known: readonly InkPicture[] };
}

export type KnownSetComparison =
  | ComparedKnownSet
  | {
      kind: 'inconclusive';
      modelVersion: string;
      reasons: OfEach<SignatureReason>;
      pictures?: OfEach<InkPicture>;
    }
  | { kind: 'refused'; faults: OfEach<SignatureFault> };
