/** Reports that leave the installation on paper: what was compared, with what, by whom, and what it does not settle. */
import type { REPORT_LANGUAGES } from '../../contracts/dashboard/search.ts';
import type { SignedReceipt } from '../../contracts/erasure.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import type { InkPicture, OfEither, SignatureComparisonRecord } from './signatures.ts';

type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

interface ReportFrame {
  language: ReportLanguage;
  company: string;
  /** Who made the report. */
  operator: string;
  made: Date;
  /** The product's. */
  version: string;
}

interface ReportedCandidate {
  name: string;
  /** The blacklist's name; null: duplicate detection. */
  list: string | null;
  /** The Trust Validation's number, or the Blacklist Face Upload ID. */
  id: number;
  reading: ScoreInterpretation;
  /** Of the stored image; null when it was erased. */
  sha256: string | null;
  /** JPEG of the aligned face, where it is still there. */
  chip: Uint8Array | undefined;
}

export interface SearchReport extends ReportFrame {
  probe: {
    fileName: string;
    sha256: string;
    width: number;
    height: number;
    /** 0 to 100. */
    quality: number;
    /** JPEG of the aligned face. */
    chip: Uint8Array;
    /** Which face of how many, from 1. */
    face: number;
    faces: number;
  };
  pipelineId: string;
  watchlists: readonly { name: string | null; faces: number }[];
  /** Where a match begins, as a false-match rate and as a score. */
  targetFmr: number;
  possibleFrom: number;
  strongFrom: number;
  /** Most similar first. */
  candidates: readonly ReportedCandidate[];
  /** The one that is shown beside the searched face; null: none was chosen, or there is none. */
  chosen: ReportedCandidate | null;
}

export interface SignatureReport extends ReportFrame {
  record: SignatureComparisonRecord;
  /** Who compared: an operator's name, or what the record calls the credential. */
  comparedBy: string;
  /** What the matcher saw, where the very files were given again. */
  pictures: OfEither<InkPicture>;
}

export interface ErasureReport extends ReportFrame {
  signed: SignedReceipt;
  /** Who erased: a name, or what the record calls them. */
  by: string;
  /** Whether the signature was found good when the report was made. */
  ours: boolean;
}

export interface Reports {
  /** @returns a PDF */
  search(report: SearchReport): Promise<Uint8Array>;
  /** @returns a PDF */
  signatures(report: SignatureReport): Promise<Uint8Array>;
  /** @returns a PDF */
  erasure(report: ErasureReport): Promise<Uint8Array>;
}
