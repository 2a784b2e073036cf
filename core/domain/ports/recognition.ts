/** Templates extracted from faces: by one pipeline, and by each company's own. */
import type { Box, ExtractedFace, ImageFacts, Point, Quality, Template } from '../../contracts/faces.ts';
import type { FoundFaces, SeveralFaces } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { PortraitCheck } from '../../contracts/portrait.ts';
import type { Problem } from '../../contracts/errors/problem.ts';
import type { RecordFacts } from '../../contracts/faceRecords.ts';
import type { ReadKind } from '../../contracts/pictureKinds.ts';
import type { FailureCode } from '../../contracts/errors/failures.ts';
import type { CompanyId, PipelineId } from '../../contracts/ids.ts';
import type { QualityThresholds } from '../../contracts/settings.ts';
import type { Calibration } from '../scores/scores.ts';
import type { MeasuredCalibration } from '../../contracts/calibration.ts';

/**
 * How a photo with several faces is treated. `portrait`: its sender states that it shows one person, as a face record does, so
 * that a head that is no clear face, and not larger than the clear one, does not count.
 */
export type FacesOfPhoto = SeveralFaces | 'portrait';

/** A person waits for `interactive` work; it goes before everything that is queued as `bulk`. */
export type Priority = 'interactive' | 'bulk';

export type EnrolAnalysis =
  /** `found` where it is the main one of several, or the best one of a person who is in the photo several times. */
  | { kind: 'face'; image: ImageFacts; face: ExtractedFace; found?: FoundFaces }
  | { kind: 'refused'; code: FailureCode; image?: ImageFacts; found?: FoundFaces; quality?: Quality };

export type SearchAnalysis =
  | {
      kind: 'faces';
      image: ImageFacts;
      /** A small JPEG of the upright photo, for people to look at. */
      picture: Uint8Array;
      faces: ExtractedFace[];
      /** Heads that are covered or unclear: they cannot be searched for. */
      unclear: Box[];
    }
  | { kind: 'refused'; code: FailureCode; image?: ImageFacts };

/** A face that was found and measured, without a template. */
export interface MeasuredFace {
  box: Box;
  /** Centres of the eyes: first the one further left in the upright image. */
  eyes: readonly [Point, Point];
  quality: Quality;
  /** Every reason against enrolling it, the most important first. */
  refusals: readonly FailureCode[];
  /** Where they were asked for. */
  portraitChecks?: readonly PortraitCheck[];
}

/**
 * `photo`: every face of a stored picture. `portrait`: the same with the portrait checks. `frame`: the upright faces of a live
 * picture, at a fraction of the cost.
 */
export type MeasuredKind = 'photo' | 'portrait' | 'frame';

export type FaceMeasurement =
  | {
      kind: 'measured';
      image: ImageFacts;
      /** Largest first. */
      faces: MeasuredFace[];
      /** Heads that are covered or unclear: they count, and none of them can be used. */
      unclear: Box[];
      /** Every reason against enrolling the one face of the image; empty: it can be enrolled. */
      refusals: readonly FailureCode[];
    }
  | { kind: 'refused'; code: FailureCode };

/** Recognition by one pipeline. */
export interface Recogniser {
  readonly pipelineId: PipelineId;
  /** Components of its templates. */
  readonly dimensions: number;
  /** The rates of its distances. */
  readonly calibration: Calibration;
  /** The rates among people who look alike to it, where they were measured. */
  readonly strict?: Calibration | undefined;
  /**
   * Extracts the template of the one face of an image, or returns the reason for refusing it. A worker that dies or exceeds its time takes nothing with
   * it: the image is tried once more, then refused as ENGINE_ERROR or TIMEOUT. `gate` absent: no quality refusals.
   * @param options.severalFaces what a photo with several faces is; absent: refused
   */
  enrol(
    image: Uint8Array,
    options: { gate?: QualityThresholds; severalFaces?: FacesOfPhoto; priority: Priority },
  ): Promise<EnrolAnalysis>;
  /** Extracts the templates of all faces of an image, largest first. It refuses only an image that cannot be decoded or
   * holds no face. */
  search(image: Uint8Array, options: { priority: Priority }): Promise<SearchAnalysis>;
  /** Extracts another template of the face that was found at `place` before; as `bulk` work by default. */
  reextract(image: Uint8Array, place: Box, priority?: Priority): Promise<ReextractionResult>;
  /** Finds and measures the faces of an image and extracts no template. */
  measure(
    image: Uint8Array,
    options: { kind: MeasuredKind; gate: QualityThresholds },
  ): Promise<FaceMeasurement>;
}

export type ReextractionResult =
  | { kind: 'extracted'; template: Template }
  | { kind: 'refused'; code: FailureCode };

/** The picture of a file as JPEG or PNG, and what it was; or why there is none. */
export type PictureConversion =
  | {
      kind: 'converted';
      content: Uint8Array;
      original: ReadKind;
      record: RecordFacts | null;
      /** Of a sheet: a JPEG of each face by rows; absent: it is to be used as a whole. */
      portraits?: Uint8Array[] | undefined;
    }
  | { kind: 'unconvertible'; reason: Problem };

/** A JPEG in which the eyes lie on one level, first the one further left in it. */
export interface TokenImage {
  jpeg: Uint8Array;
  width: number;
  height: number;
  eyes: readonly [Point, Point];
}

/** Converts pictures of other formats, and reads face records, in a worker process. */
export interface PictureConverter {
  /**
   * A damaged picture, and one beyond the limits, has the reason that its enrolment would have.
   * @param options.company whose file it is: a worker process sees the pictures of one company
   * @param options.use `sheet`: the portraits that the picture shows are cut out as well
   */
  convert(
    file: Uint8Array,
    options: { company: CompanyId; priority: Priority; use?: 'sheet' | undefined },
  ): Promise<PictureConversion>;
  /**
   * The head and shoulders of a face, upright, with the eyes in the places of a token image of ISO/IEC 19794-5.
   * @param eyes in pixels of the upright image, first the one further left
   * @throws {UnavailableError} the image cannot be decoded
   */
  tokenImage(company: CompanyId, image: Uint8Array, eyes: ExtractedFace['eyes']): Promise<TokenImage>;
}

export interface VisionPort extends Recogniser, PictureConverter {
  /** How many images can be in progress at once. */
  readonly workers: number;
  /** Ends the workers at once; waiting and running calls reject with `UnavailableError`. */
  close(): Promise<void>;
}

/** Recognition as each company has it: by the pipeline that serves it at this moment. */
export interface RecognitionPort {
  readonly workers: number;
  /** The pipeline that serves a company, whether it is installed or not. */
  pipelineOf(company: CompanyId): PipelineId;
  /** @throws {UnavailableError} the company's pipeline is not installed (any more) */
  of(company: CompanyId): Recogniser;
  /** The rates of a pipeline's distances in a company; undefined when it is not installed. */
  calibrationOf(company: CompanyId, pipeline: PipelineId): Calibration | undefined;
  /** Resolves when the company is not being switched to another pipeline: wait for it before a new face is written. */
  whenNotSwitching(company: CompanyId): Promise<void>;
}

/** The rates of a pipeline's distances at one company, measured on its own photos. */
export interface CompanyCalibration {
  company: CompanyId;
  pipeline: PipelineId;
  calibration: Calibration;
  /** Its basis. */
  people: number;
  photos: number;
  nonMatedPairs: number;
  /** The error rates and the DET curve of the report. */
  measured: MeasuredCalibration;
  appliedAt: Date;
}
