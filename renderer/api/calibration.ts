import { queryOptions } from '@tanstack/react-query';
import { appliedCalibration, type AppliedCalibration } from '../../core/contracts/calibration.ts';
import { ask } from './client.ts';

export const calibrationQuery = queryOptions({
  queryKey: ['calibration'],
  queryFn: ({ signal }) => ask('GET', '/calibration', appliedCalibration, { signal }),
});

export function chooseThresholds(thresholds: AppliedCalibration['thresholds']) {
  return ask('POST', '/calibration/thresholds', appliedCalibration, { body: { thresholds } });
}

export function resetCalibration() {
  return ask('DELETE', '/calibration', appliedCalibration);
}
