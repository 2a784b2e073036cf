import {
  comparisonAnswer,
  comparisonPage,
  knownSetAnswer,
  signatureRow,
  type ComparisonQuery,
} from '../../core/contracts/dashboard/signatures.ts';
import type { SignatureSetRequest } from '../../core/contracts/signatureSets.ts';
import type { SignatureMatchRequest } from '../../core/contracts/signatures.ts';
import {
  addedSignature,
  appliedSignatureCalibration,
  signatureCalibrationProgress,
  signatureCalibrationRun,
  type LabelledSignature,
} from '../../core/contracts/signatureCalibration.ts';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  type AppliedCalibration,
} from '../../core/contracts/calibration.ts';
import {
  faceComparisonAnswer,
  faceComparisonPage,
  faceComparisonRow,
  type FaceComparisonRequest,
} from '../../core/contracts/faceComparisons.ts';
import { queryString, readQuery, requestFile, requestJson } from './client.ts';

/** Compares two images. The service keeps the result and not the images. */
export const compareSignatures = (request: SignatureMatchRequest) =>
  requestJson('POST', '/signatures/compare', comparisonAnswer, { body: request });

/** Compares a questioned signature with several known ones. The service keeps the result and not the images. */
export const compareKnownSignatures = (request: SignatureSetRequest) =>
  requestJson('POST', '/signatures/compare-known', knownSetAnswer, { body: request });

/** Recorded comparisons, of two signatures or of a known set, newest first. */
export const signatureComparisons = {
  key: ['signatures'],
  page: (query: ComparisonQuery, signal: AbortSignal) =>
    requestJson('GET', `/signatures${queryString(query)}`, comparisonPage, { signal }),
};

export const comparisonQueryById = (id: number) =>
  readQuery(['signatures', 'one', id], `/signatures/${id}`, signatureRow);

/** A PDF of a comparison with several known signatures. With the compared files, in their order, it also shows the ink. */
export const knownSetReport = (
  id: number,
  request: { language: string; questioned?: string; known?: string[] },
) => requestFile(`/signatures/${id}/known-report`, request);

/** A PDF of a comparison. With the compared files it also shows the aligned ink. */
export const comparisonReport = (
  id: number,
  request: { language: string; image1?: string; image2?: string },
) => requestFile(`/signatures/${id}/report`, request);

const PATH = '/signature-calibration';

export const signatureCalibrationQuery = readQuery(
  ['signature-calibration'],
  PATH,
  appliedSignatureCalibration,
);

export const resetSignatureCalibration = () => requestJson('DELETE', PATH, appliedSignatureCalibration);

export const beginSignatureMeasurement = () => requestJson('POST', `${PATH}/runs`, signatureCalibrationRun);

/** Adds one signature to a measurement. The service keeps it in memory until the measurement ends. */
export function addSignature(
  run: string,
  { writer, file, forgery, image }: LabelledSignature & { image: File },
  signal: AbortSignal,
) {
  const query = new URLSearchParams({ writer, file, forgery: String(forgery) });
  return requestJson('POST', `${PATH}/runs/${run}/signatures?${query.toString()}`, addedSignature, {
    body: image,
    signal,
  });
}

/** Starts the comparison of a measurement with the first call, and reads its progress. */
export const readSignatureMeasurement = (run: string, signal: AbortSignal) =>
  requestJson('GET', `${PATH}/runs/${run}`, signatureCalibrationProgress, { signal });
export const applySignatureMeasurement = (run: string) =>
  requestJson('POST', `${PATH}/runs/${run}/apply`, appliedSignatureCalibration);

export const calibrationQuery = readQuery(['calibration'], '/calibration', appliedCalibration);

export const chooseThresholds = (thresholds: AppliedCalibration['thresholds']) =>
  requestJson('POST', '/calibration/thresholds', appliedCalibration, { body: { thresholds } });

export const resetCalibration = () => requestJson('DELETE', '/calibration', appliedCalibration);

export const beginMeasurement = () => requestJson('POST', '/calibration/runs', calibrationRun);

/** Adds one photo to a measurement. The service keeps its template in memory and not the photo. */
export function measurePhoto(
  run: string,
  { person, file, photo }: { person: string; file: string; photo: File },
  signal: AbortSignal,
) {
  const query = new URLSearchParams({ person, file });
  return requestJson('POST', `/calibration/runs/${run}/photos?${query.toString()}`, addedPhoto, {
    body: photo,
    signal,
  });
}

export const readMeasurement = (run: string, signal: AbortSignal) =>
  requestJson('GET', `/calibration/runs/${run}`, calibrationReport, { signal });
export const applyMeasurement = (run: string) =>
  requestJson('POST', `/calibration/runs/${run}/apply`, appliedCalibration);

/** Compares the faces of two photos. The service keeps the result and not the photos. */
export const compareFaces = (request: FaceComparisonRequest) =>
  requestJson('POST', '/face-comparisons', faceComparisonAnswer, { body: request });

/** The key of everything that is read of recorded comparisons. */
export const FACE_COMPARISONS = ['face-comparisons'];

/** Recorded comparisons, those of programs too, newest first. */
export const faceComparisons = {
  key: FACE_COMPARISONS,
  page: (query: ComparisonQuery, signal: AbortSignal) =>
    requestJson('GET', `/face-comparisons${queryString(query)}`, faceComparisonPage, { signal }),
};

export const faceComparisonQueryById = (id: number) =>
  readQuery([...FACE_COMPARISONS, 'one', id], `/face-comparisons/${id}`, faceComparisonRow);

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
) => requestFile(`/face-comparisons/${id}/report`, request);
