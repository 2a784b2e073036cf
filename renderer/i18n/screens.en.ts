import { duplicates } from './duplicates.en.ts';
import { persons } from './persons.en.ts';
import { calibration } from './calibration.en.ts';
import { pipelines } from './pipelines.en.ts';
import { apiAccess } from './apiAccess.en.ts';
import { exchange } from './blacklistTransfer.en.ts';
import { erasure } from './erasure.en.ts';
import { faceCompare } from './faceCompare.en.ts';
import { failedPhotos } from './failedPhotos.en.ts';
import { camera } from './camera.en.ts';
import { verify } from './verify.en.ts';
import { knownSignatures } from './knownSignatures.en.ts';
import { signatureCalibration } from './signatureCalibration.en.ts';
import { flows } from './flows.en.ts';

/** English texts that only their own screens show. They are loaded with the first of these screens. */
export const screenTexts = {
  duplicates,
  persons,
  calibration,
  pipelines,
  apiAccess,
  exchange,
  erasure,
  faceCompare,
  failedPhotos,
  camera,
  verify,
  knownSignatures,
  signatureCalibration,
  flows,
} as const;
