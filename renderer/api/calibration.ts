import { queryOptions } from '@tanstack/react-query';
import { appliedCalibration, type AppliedCalibration } from '../../core/contracts/calibration.ts';
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
