import { signatureApi, type ComparisonQuery } from '../../core/contracts/dashboard/signatures.ts';
import {
  signatureCalibrationApi,
  type LabelledSignature,
} from '../../core/contracts/signatureCalibration.ts';
import { calibrationApi, type AppliedCalibration } from '../../core/contracts/calibration.ts';
import { faceComparisonApi, type FaceComparisonRequest } from '../../core/contracts/faceComparisons.ts';
import {
  examinationApi,
  type Evaluation,
  type ExaminationStep,
  type ExaminedSignatures,
  type ExaminedFace,
} from '../../core/contracts/dashboard/examinations.ts';
import type { SignatureSetRequest } from '../../core/contracts/signatureSets.ts';
import type { SignatureMatchRequest } from '../../core/contracts/signatures.ts';
import { addressOf } from '../../core/contracts/dashboard/operation.ts';
import { readQuery, requestFile, ask } from './client.ts';

/** Compares two images. The service keeps the result and not the images. */
export const compareSignatures = (request: SignatureMatchRequest) =>
  ask(signatureApi.compare, { body: request });

/** Compares a questioned signature with several known ones. The service keeps the result and not the images. */
export const compareKnownSignatures = (request: SignatureSetRequest) =>
  ask(signatureApi.compareKnown, { body: request });

/** Recorded comparisons, of two signatures or of a known set, newest first. */
export const signatureComparisons = {
  key: ['signatures'],
  page: (query: ComparisonQuery, signal: AbortSignal) => ask(signatureApi.list, { query, signal }),
};

export const comparisonQueryById = (id: number) =>
  readQuery(['signatures', 'one', id], signatureApi.read, { params: { id } });

/** A PDF of a comparison with several known signatures. With the compared files, in their order, it also shows the ink. */
export const knownSetReport = (
  id: number,
  request: { language: string; questioned?: string; known?: string[] },
) => requestFile(signatureApi.knownReport, { params: { id }, body: request });

/** A PDF of a comparison. With the compared files it also shows the aligned ink. */
export const comparisonReport = (
  id: number,
  request: { language: string; image1?: string; image2?: string },
) => requestFile(signatureApi.report, { params: { id }, body: request });

export const signatureCalibrationQuery = readQuery(['signature-calibration'], signatureCalibrationApi.read);

export const resetSignatureCalibration = () => ask(signatureCalibrationApi.reset);

export const beginSignatureMeasurement = () => ask(signatureCalibrationApi.begin);

/** Adds one signature to a measurement. The service keeps it in memory until the measurement ends. */
export const addSignature = (
  run: string,
  { image, ...query }: LabelledSignature & { image: File },
  signal: AbortSignal,
) => ask(signatureCalibrationApi.addSignature, { params: { run }, query, body: image, signal });

/** Starts the comparison of a measurement with the first call, and reads its progress. */
export const readSignatureMeasurement = (run: string, signal: AbortSignal) =>
  ask(signatureCalibrationApi.report, { params: { run }, signal });
export const applySignatureMeasurement = (run: string) =>
  ask(signatureCalibrationApi.apply, { params: { run } });

export const calibrationQuery = readQuery(['calibration'], calibrationApi.read);

export const siteRatesQuery = readQuery(['calibration', 'site'], calibrationApi.siteRates);

/** A PDF of these rates. */
export const siteReport = (language: string) =>
  requestFile(calibrationApi.siteReport, { query: { language } });

export const chooseThresholds = (thresholds: AppliedCalibration['thresholds']) =>
  ask(calibrationApi.chooseThresholds, { body: { thresholds } });

export const resetCalibration = () => ask(calibrationApi.reset);

export const beginMeasurement = (groups: Record<string, string>) =>
  ask(calibrationApi.begin, { body: { groups } });

export interface LabelledPhoto {
  person: string;
  /** Path below the chosen folder. */
  file: string;
  photo: File;
}

/** Adds one photo to a measurement. The service keeps its template in memory and not the photo. */
export const measurePhoto = (run: string, { photo, ...query }: LabelledPhoto, signal: AbortSignal) =>
  ask(calibrationApi.addPhoto, { params: { run }, query, body: photo, signal });

export const readMeasurement = (run: string, signal: AbortSignal) =>
  ask(calibrationApi.report, { params: { run }, signal });
export const applyMeasurement = (run: string) => ask(calibrationApi.apply, { params: { run } });

/** Compares the faces of two photos. The service keeps the result and not the photos. */
export const compareFaces = (request: FaceComparisonRequest) =>
  ask(faceComparisonApi.compare, { body: request });

/** The key of everything that is read of recorded comparisons. */
export const FACE_COMPARISONS = ['face-comparisons'];

/** Recorded comparisons, those of programs too, newest first. */
export const faceComparisons = {
  key: FACE_COMPARISONS,
  page: (query: ComparisonQuery, signal: AbortSignal) => ask(faceComparisonApi.list, { query, signal }),
};

export const faceComparisonQueryById = (id: number) =>
  readQuery([...FACE_COMPARISONS, 'one', id], faceComparisonApi.read, { params: { id } });

/** A PDF of a comparison. The service needs the compared files again, because it does not keep them. */
export const faceComparisonReport = (
  id: number,
  request: {
    image1: string;
    image2: string;
    face1?: number | undefined;
    face2?: number | undefined;
    language: string;
  },
) => requestFile(faceComparisonApi.report, { params: { id }, body: request });

/** The keys begin with the topic that the service reports changes of examinations by. */
const EXAMINATIONS = ['duplicates', 'examinations'];
export const examinationsQuery = readQuery([...EXAMINATIONS, 'list'], examinationApi.list);
export const examinationQuery = (id: number) =>
  readQuery([...EXAMINATIONS, id], examinationApi.read, { params: { id } });

export const beginExamination = (body: { faces: [ExaminedFace, ExaminedFace] } | ExaminedSignatures) =>
  ask(examinationApi.begin, { body });

export const saveStep = (id: number, body: ExaminationStep) =>
  ask(examinationApi.save, { params: { id }, body });

export const settleExamination = (id: number, body: Evaluation) =>
  ask(examinationApi.settle, { params: { id }, body });

/** Ends the unfinished work of an examiner. */
export const replaceExaminer = (id: number, examiner: number) =>
  ask(examinationApi.replace, { params: { id }, body: { examiner } });

/** A PDF of an examination that is done. */
export const examinationReport = (id: number, language: 'en' | 'ar') =>
  requestFile(examinationApi.report, { params: { id }, body: { language } });

/** @param picture 0 or 1, in the drawn order */
export const examinedPicture = (id: number, picture: number) =>
  addressOf(examinationApi.picture, { params: { id }, query: { picture } });
