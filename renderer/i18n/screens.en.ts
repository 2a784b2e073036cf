import { enrol } from './enrol.en.ts';
import { watched } from './watched.en.ts';
import { review, decision } from './review.en.ts';
import { validations } from './validations.en.ts';
import { compare } from './compare.en.ts';
import { search } from './search.en.ts';
import { blacklists } from './blacklists.en.ts';
import { signatures } from './signatures.en.ts';
import { operators } from './operators.en.ts';
import { audit } from './audit.en.ts';
import { settings } from './settings.en.ts';
import { system } from './system.en.ts';
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

/** English texts of the screens behind the first page. They are loaded with the first of these screens. */
export const screenTexts = {
  enrol,
  watched,
  review,
  decision,
  validations,
  compare,
  search,
  blacklists,
  signatures,
  operators,
  audit,
  settings,
  system,
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
