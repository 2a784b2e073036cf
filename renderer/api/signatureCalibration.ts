import { queryOptions } from '@tanstack/react-query';
import {
  addedSignature,
  appliedSignatureCalibration,
  signatureCalibrationProgress,
  signatureCalibrationRun,
  type LabelledSignature,
} from '../../core/contracts/signatureCalibration.ts';
import { requestJson } from './client.ts';

const PATH = '/signature-calibration';

export const signatureCalibrationQuery = queryOptions({
  queryKey: ['signature-calibration'],
  queryFn: ({ signal }) => requestJson('GET', PATH, appliedSignatureCalibration, { signal }),
});

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
