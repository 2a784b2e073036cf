/** Why a company's pipeline or thresholds are not changed as asked. */
import type { ErrorEntry } from './api.ts';
export const PIPELINE_ERRORS = {
  PIPELINE_UNKNOWN: { text: 'There is no pipeline "{{name}}". Available: {{known}}.' },
  PIPELINE_SUPERSEDED: { text: 'The pipeline was replaced by "{{successor}}". Choose that one.' },
  PIPELINE_UNUSABLE: {
    text: 'The pipeline cannot be loaded. Check that it is installed, and read the log of the service.',
  },
  THRESHOLDS_NOT_STRICT: {
    text: 'The pipeline {{pipeline}} has no strict thresholds. Calibrate on your own photos instead: vouch calibration measure',
  },
  CALIBRATION_FULL: { text: 'A calibration takes at most {{most}} photos.' },
  CALIBRATION_MISLABELLED: {
    text: 'One photo is filed under two people. Nothing was changed. Correct the labels first.',
  },
  CALIBRATION_TOO_FEW: { text: 'There are too few photos for a calibration. Nothing was changed.' },
  CALIBRATION_RUN_UNKNOWN: { text: 'This calibration does not exist or has expired. Start again.' },
  SIGNATURE_CALIBRATION_FULL: {
    text: 'A signature calibration takes at most {{most}} files and {{megabytes}} MiB. Choose fewer signatures for each writer.',
  },
  SIGNATURE_CALIBRATION_CLOSED: {
    text: 'The signatures of this calibration are being compared already. Start a new calibration to add files.',
  },
  SIGNATURE_CALIBRATION_MISLABELLED: {
    text: 'One file has two labels. Nothing was changed. Remove the wrong copy and start again.',
  },
  SIGNATURE_CALIBRATION_UNFINISHED: {
    text: 'The signatures of this calibration are still being compared. Wait until all pairs are compared.',
  },
  SIGNATURE_CALIBRATION_TOO_FEW: {
    text: 'There are too few signatures for a calibration. Nothing was changed.',
  },
  COMPANY_GONE: { text: 'This company no longer exists.' },
} as const satisfies Record<string, ErrorEntry>;
