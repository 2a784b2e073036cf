import { nav, top, palette, actions, keys, queue } from './frame.en.ts';
import { state, common, status, role, days, score, face, facts } from './common.en.ts';
import { signIn, lock, setup, passphrase, recovery } from './signIn.en.ts';
import { overview } from './overview.en.ts';
import { enrol } from './enrol.en.ts';
import { uploads } from './uploads.en.ts';
import { watched } from './watched.en.ts';
import { failedPhotos } from './failedPhotos.en.ts';
import { review, decision } from './review.en.ts';
import { validations } from './validations.en.ts';
import { compare } from './compare.en.ts';
import { duplicates } from './duplicates.en.ts';
import { persons } from './persons.en.ts';
import { search } from './search.en.ts';
import { faceCompare } from './faceCompare.en.ts';
import { camera } from './camera.en.ts';
import { verify } from './verify.en.ts';
import { backups } from './backups.en.ts';
import { blacklists } from './blacklists.en.ts';
import { alerts } from './alerts.en.ts';
import { listing } from './listing.en.ts';
import { exchange } from './blacklistTransfer.en.ts';
import { flows } from './flows.en.ts';
import { signatures } from './signatures.en.ts';
import { apiAccess } from './apiAccess.en.ts';
import { operators } from './operators.en.ts';
import { audit } from './audit.en.ts';
import { erasure } from './erasure.en.ts';
import { settings } from './settings.en.ts';
import { calibration } from './calibration.en.ts';
import { pipelines } from './pipelines.en.ts';
import { system } from './system.en.ts';
import { errors, failures } from './errors.en.ts';

/** Every text of the dashboard in English. Arabic has the same keys. */
export const en = {
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
} as const;
