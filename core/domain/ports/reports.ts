/** Reports that leave the installation on paper. Each states its sources, its author and its limits. */
import type { GroupRates, SiteRates } from '../../contracts/calibration.ts';
import type { MeasuredKnownSets, MeasuredSignatures } from '../../contracts/signatureCalibration.ts';
import type { FaceCertainty, KeptThreshold } from '../../contracts/certainty.ts';
import type { TrustValidationStatus, SCORE_BANDS } from '../../contracts/codes.ts';
import type { FaceListing } from '../../contracts/faceListing.ts';
import type { HistoryEntry } from '../../contracts/validations.ts';
import type { CaseFolder } from '../../contracts/dashboard/caseFolders.ts';
import type { Examination } from '../../contracts/dashboard/examinations.ts';
import type { GroupDetail } from '../../contracts/dashboard/duplicates.ts';
import type { REPORT_LANGUAGES } from '../../contracts/dashboard/search.ts';
import type { ValidationSource } from '../../contracts/dashboard/validations.ts';
import type { SearchView } from '../../contracts/dashboard/searchView.ts';
import type { Box } from '../../contracts/faces.ts';
import type { SignedReceipt } from '../../contracts/erasure.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { UseKind } from '../../contracts/audit.ts';
import type { Verdict } from '../../contracts/signatures.ts';
import type { ComparisonRecord } from './comparisons.ts';
import type {
  KnownSetComparisonRecord,
  OfEither,
  SignatureComparisonRecord,
  InkAlignment,
  InkPicture,
} from './signatures.ts';

type ReportLanguage = (typeof REPORT_LANGUAGES)[number];

export interface ReportFrame {
  language: ReportLanguage;
  company: string;
  /** The operator who created the report. */
  operator: string;
  made: Date;
  /** The product's. */
  version: string;
  /** Holds fonts for letters that the shipped ones lack. */
  fontsFolder?: string;
}

/** False match rates of one comparison at both thresholds, 0 to 1. */
export interface ReportedRates {
  possible: number;
  strong: number;
}

/** Why a face is in its blacklist, and how urgent a match with it is. */
export type ReportedListing = Omit<FaceListing, 'expiresAt'>;

/** The photos that a list has of a person, and how many of them match by themselves. */
export interface ReportedPhotos {
  all: number;
  agreeing: number;
  /** Probably a copy of the nearest one was presented. */
  samePicture: boolean;
}

/** A person who was found, by the nearest photo or the one that the operator chose. */
export interface ReportedCandidate {
  /** Null: the face was erased after the search. */
  name: string | null;
  /** The blacklist's name; null: duplicate detection. */
  list: string | null;
  /** The Trust Validation's number, or the Blacklist Face Upload ID. */
  id: number;
  /** Of the person. */
  reading: ScoreInterpretation;
  photos: ReportedPhotos;
  /** Of a blacklist face at the search; null: duplicate detection, or erased since. */
  listing: ReportedListing | null;
  /** Null: no person, erased since, or the operator's role may not see persons. */
  person: string | null;
  /** Of the stored image; null when it was erased. */
  sha256: string | null;
  /** JPEG of the aligned face, where it is still there. */
  thumbnail: Uint8Array | undefined;
}

export interface SearchReport extends ReportFrame {
  searchedAt: Date;
  probe: {
    fileName: string;
    sha256: string;
    /** Pixels of the upright photo. */
    width: number;
    height: number;
    /** JPEG of the whole photo, smaller. */
    picture: Uint8Array;
  };
  pipelineId: string;
  watchlists: readonly { id: number | null; name: string | null; faces: number; persons: number }[];
  /** The threshold, the lists and the candidates that the operator chose to see. */
  view: SearchView;
  scale: readonly { falseMatchRate: number; score: number }[];
  /** Every face of the photo with its best match by the view; null: no match. Quality: 0 to 100. */
  faces: readonly { box: Box; quality: number; best: ReportedCandidate | null }[];
  /**
   * Matches of every face in any blacklist at the threshold of the view, whichever lists it shows. Absent: those of the
   * view are all.
   */
  hits?: readonly (ReportedCandidate & { face: number })[];
  /** The face that is reported on, as a position in `faces`, and a JPEG of it aligned. */
  face: number;
  thumbnail: Uint8Array;
  /** As they were on screen: the matches, then candidates below the threshold if they were shown. */
  candidates: readonly (ReportedCandidate & { isChosen: boolean })[];
  /** How many of the candidates are matches, and how many more are below the threshold, shown or not. */
  matches: number;
  belowCount: number;
  /** The list of candidates is full with matches: there may be more. */
  mayBeMore: boolean;
}

export interface SignatureReport extends ReportFrame {
  record: SignatureComparisonRecord;
  /** The rates of the company's own signatures, where the comparison followed its scale; absent: the shipped scale. */
  calibration?: MeasuredSignatures;
  /** The actor of the comparison: an operator's name, or the recorded name of the credential. */
  comparedBy: string;
  /** The ink that the matcher found, where the same files were given again. */
  pictures: OfEither<InkPicture>;
}

/** The ink of the images of a known set; undefined: none was found. */
export interface KnownSetPictures {
  questioned: InkPicture | undefined;
  known: readonly (InkPicture | undefined)[];
  /** For each known signature: maps the questioned picture onto it. Null: not compared. */
  alignments: readonly InkAlignment[] | null;
}

export interface KnownSignatureReport extends ReportFrame {
  record: KnownSetComparisonRecord;
  /** The operator's name, or the code of the credential that compared. */
  comparedBy: string;
  /** The rates of the company's own signatures with this version, before the comparison; absent: not measured. */
  ownRates?: MeasuredKnownSets;
  /** The ink that the matcher found; null: the files were not given again. */
  pictures: KnownSetPictures | null;
}

export interface ErasureReport extends ReportFrame {
  signed: SignedReceipt;
  /** The actor of the erasure: a name, or the recorded name. */
  by: string;
  /** Whether the signature was found good when the report was made. */
  ours: boolean;
}

/** A face of a case, with the facts of its photo. */
export interface ReportedFace {
  name: string;
  /** Null: no person, or the operator's role may not see persons. */
  person: string | null;
  /** The number of its validation, or its Blacklist Face Upload ID. */
  id: number;
  /** Pixels of the upright photo; null: the photo was erased. */
  size: { width: number; height: number } | null;
  /** 0 to 100; null: unknown. */
  quality: number | null;
  pipelineId: string | null;
  enrolledAt: Date | null;
  /** Of the stored photo; null: it was erased. */
  sha256: string | null;
  /** JPEG of the aligned face; undefined: it was erased. */
  thumbnail: Uint8Array | undefined;
}

/** One match of a case: a person, by the nearest photo or the one that the operator chose. */
export interface ReportedMatch {
  /** The blacklist's name; null: duplicate detection. */
  list: string | null;
  /** Of the blacklist face when it matched; null: duplicate detection. */
  listing: ReportedListing | null;
  reading: ScoreInterpretation;
  /** Of the list as it was screened. */
  rates: ReportedRates;
  photos: ReportedPhotos;
  /** The selfie of the case that matched. */
  probe: ReportedFace;
  face: ReportedFace;
}

/** A match in a blacklist. */
export interface ReportedHit {
  list: string;
  listing: ReportedListing;
  reading: ScoreInterpretation;
  /** Of the photo in the blacklist, with its Blacklist Face Upload ID. */
  name: string;
  id: number;
}

/** A Trust Validation with its matches and the decision about it. */
export interface CaseReport extends ReportFrame {
  id: number;
  name: string;
  /** The operator's own number of the case; null or absent: none was given. */
  reference?: string | null;
  trustFlowName: string;
  status: TrustValidationStatus;
  /** A photo of enrolment is Enrolled: its status is Verified on the wire alone. */
  source: ValidationSource;
  createdAt: Date;
  finalizedAt: Date | null;
  /** The face of the validation; null: no photo was accepted, or it was erased. */
  own: ReportedFace | null;
  screening: {
    at: Date | null;
    /** Of the person, that were compared. */
    photos: number;
    duplicates: boolean;
    /** Names of the screened blacklists, and of those that were chosen but could not be screened. */
    blacklists: readonly string[];
    notScreened: readonly string[];
    /** The rate of each screened list at the screening. */
    thresholds: readonly KeptThreshold[];
  };
  /** Each person once per blacklist, by its most severe matching photo. */
  hits: readonly ReportedHit[];
  /** All matches, most similar first. */
  matches: readonly ReportedMatch[];
  /** Those that are shown side by side, as positions in `matches`. */
  shown: readonly number[];
  /** Oldest first. `by`: a name, or the code of a credential that is gone; null: the service itself. */
  history: readonly {
    at: Date;
    by: string | null;
    action: HistoryEntry['action'];
    status: TrustValidationStatus;
    note: string | null;
  }[];
}

/** Two compared faces, drawn from the files that were compared. */
export interface FaceComparisonReport extends ReportFrame {
  record: ComparisonRecord<FailureCode>;
  /** The operator's name, or the code of the credential that compared. */
  comparedBy: string;
  /** Null: not compared, or the pipeline that compared is not installed any more. */
  certainty: FaceCertainty | null;
  /** JPEGs of both aligned faces; undefined: the photo shows no usable face. */
  thumbnails: readonly [Uint8Array | undefined, Uint8Array | undefined];
}

/** A group of possible duplicates, as an operator sees it. */
export interface DuplicateGroupReport extends ReportFrame {
  group: GroupDetail;
  /** JPEGs of the aligned faces by the ids of the faces. */
  thumbnails: ReadonlyMap<number, Uint8Array>;
}

/** An examination that both examiners have concluded. */
export interface ExaminationReport extends ReportFrame {
  examination: Pick<Examination, 'id' | 'kind' | 'beganAt' | 'works' | 'replaced' | 'settlement' | 'system'>;
  /** In the drawn order. Pixels of the upright photo, which is a JPEG or PNG; undefined: it is missing or damaged. */
  pictures: readonly (Pick<Examination['pictures'][number], 'width' | 'height' | 'box'> & {
    /** Null: a signature, which `enrolledAt` was stored. */
    faceId: number | null;
    enrolledAt: string;
    sha256: string | null;
    content: Uint8Array | undefined;
  })[];
}

/** A case folder. */
export interface CaseFolderReport extends ReportFrame {
  folder: CaseFolder;
  /** Of the entries that are probes and candidates, by their faces. */
  photos: ReadonlyMap<number, ExaminationReport['pictures'][number]>;
  /** Those that are in the folder, by their ids. */
  examinations: readonly Pick<ExaminationReport, 'examination' | 'pictures'>[];
  /** Measured at the site of the folder. */
  rates: SiteRates;
  /** Absent: it is a folder of this installation. */
  sealed?: {
    installation: string;
    fingerprint: string;
    company: string;
    exportedAt: string;
    /** The files of the folder, which are attached to the report. */
    files: readonly { name: string; type: string; content: Uint8Array }[];
  };
}

/** One use. Actors are as the log has them, such as `operator:3`. */
export interface Use {
  kind: UseKind;
  start: Date;
  end: Date;
  by: string;
  /** The searched blacklists; null among them: duplicate detection. Empty: no list, such as for two compared images. */
  watchlists: readonly (number | null)[];
  /** Null: not recorded. */
  faces: number | null;
  /** The record that keeps the input as far as it is kept, such as `validation:7`; null: nothing of the input is kept. */
  input: string | null;
  result: Result;
  /** Those who decided about the result, in order. `status`: the status that they gave a validation. */
  verified: readonly { by: string; status: number | null }[];
}

/** The best band of a search, the verdict of a comparison, or how many matches were found; null: not recorded. */
type Result = (typeof SCORE_BANDS)[number] | Verdict | number | null;

/** Alarms by what they say: a person on a blacklist, or a person who is enrolled already. */
export type AlarmKind = 'blacklist' | 'duplicate';
/** Verifications with a match; an operator said of `right` ones that they show one person, and of `wrong` ones that they do not. */
export interface Alarms {
  all: number;
  right: number;
  wrong: number;
}

/** The activity of an account in a period: its uses, its decisions about results, its exports, all of its entries. */
export interface User {
  by: string;
  uses: number;
  decisions: number;
  exports: number;
  entries: number;
  last: Date;
}

/** The use of the system in a period, from the audit log. */
export interface UseReport extends ReportFrame {
  /** Null: since the log began. */
  from: Date | null;
  to: Date;
  /** Oldest first: the first of `total`. */
  uses: readonly Use[];
  total: number;
  alarms: Record<AlarmKind, Alarms>;
  /** Every account that the log has an entry of in the period. */
  users: readonly User[];
  /** Names of accounts by what the log has for each, and of blacklists. What has none is shown by its number. */
  names: ReadonlyMap<string, string>;
  lists: ReadonlyMap<number, string>;
}

/** The error rates of searches at a site, as the screen has them. */
export interface SiteRatesReport extends ReportFrame {
  rates: SiteRates;
  /** Of the calibration on own photos that applies; null: none, or it has no groups. */
  groups: GroupRates | null;
}

export interface Reports {
  /** @returns a PDF */
  siteRates(report: SiteRatesReport): Promise<Uint8Array>;
  /** @returns a PDF */
  use(report: UseReport): Promise<Uint8Array>;
  /** @returns a PDF */
  duplicateGroup(report: DuplicateGroupReport): Promise<Uint8Array>;
  /** @returns a PDF */
  examination(report: ExaminationReport): Promise<Uint8Array>;
  /** @returns a PDF */
  caseFolder(report: CaseFolderReport): Promise<Uint8Array>;
  /** @returns a PDF */
  faceComparison(report: FaceComparisonReport): Promise<Uint8Array>;
  /** @returns a PDF */
  search(report: SearchReport): Promise<Uint8Array>;
  /** @returns a PDF */
  signatures(report: SignatureReport): Promise<Uint8Array>;
  /** @returns a PDF */
  knownSignatures(report: KnownSignatureReport): Promise<Uint8Array>;
  /** @returns a PDF */
  erasure(report: ErasureReport): Promise<Uint8Array>;
  /** @returns a PDF */
  faceCase(report: CaseReport): Promise<Uint8Array>;
}
