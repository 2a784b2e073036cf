import { nav, top, palette, actions, keys, queue } from './frame.ar.ts';
import { state, common, status, role, days, score, face, facts } from './common.ar.ts';
import { signIn, lock, setup, passphrase, recovery } from './signIn.ar.ts';
import { overview } from './overview.ar.ts';
import { enrol } from './enrol.ar.ts';
import { uploads } from './uploads.ar.ts';
import { watched } from './watched.ar.ts';
import { failedPhotos } from './failedPhotos.ar.ts';
import { review, decision } from './review.ar.ts';
import { validations } from './validations.ar.ts';
import { compare } from './compare.ar.ts';
import { duplicates } from './duplicates.ar.ts';
import { persons } from './persons.ar.ts';
import { search } from './search.ar.ts';
import { faceCompare } from './faceCompare.ar.ts';
import { camera } from './camera.ar.ts';
import { verify } from './verify.ar.ts';
import { backups } from './backups.ar.ts';
import { blacklists } from './blacklists.ar.ts';
import { alerts } from './alerts.ar.ts';
import { listing } from './listing.ar.ts';
import { exchange } from './blacklistTransfer.ar.ts';
import { flows } from './flows.ar.ts';
import { knownSignatures } from './knownSignatures.ar.ts';
import { signatures } from './signatures.ar.ts';
import { signatureCalibration } from './signatureCalibration.ar.ts';
import { apiAccess } from './apiAccess.ar.ts';
import { operators } from './operators.ar.ts';
import { audit } from './audit.ar.ts';
import { erasure } from './erasure.ar.ts';
import { settings } from './settings.ar.ts';
import { calibration } from './calibration.ar.ts';
import { pipelines } from './pipelines.ar.ts';
import { system } from './system.ar.ts';
import { errors, failures } from './errors.ar.ts';
import type { English } from './en.ts';
import type { Translation } from './translation.ts';

/** Every text of the dashboard in Arabic. */
export const ar: Translation<English> = {
  nav,
  top,
  palette,
  actions,
  keys,
  queue,
  state,
  common,
  status,
  role,
  days,
  score,
  face,
  facts,
  signIn,
  lock,
  setup,
  passphrase,
  recovery,
  overview,
  enrol,
  uploads,
  watched,
  failedPhotos,
  review,
  decision,
  validations,
  compare,
  search,
  duplicates,
  persons,
  verify,
  camera,
  backups,
  faceCompare,
  blacklists,
  listing,
  alerts,
  exchange,
  flows,
  signatures,
  knownSignatures,
  signatureCalibration,
  apiAccess,
  operators,
  audit,
  erasure,
  settings,
  calibration,
  pipelines,
  system,
  errors,
  failures,
};
