import { queryOptions } from '@tanstack/react-query';
import {
  addedPhoto,
  appliedCalibration,
  calibrationReport,
  calibrationRun,
  type AppliedCalibration,
} from '../../core/contracts/calibration.ts';
import { requestJson } from './client.ts';

export const calibrationQuery = queryOptions({
  queryKey: ['calibration'],
  queryFn: ({ signal }) => requestJson('GET', '/calibration', appliedCalibration, { signal }),
});

export function chooseThresholds(thresholds: AppliedCalibration['thresholds']) {
  return requestJson('POST', '/calibration/thresholds', appliedCalibration, { body: { thresholds } });
}

export function resetCalibration() {
  return requestJson('DELETE', '/calibration', appliedCalibration);
}

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
