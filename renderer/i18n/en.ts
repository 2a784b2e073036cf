import type { screenTexts } from './screens.en.ts';
import { nav, top, palette, actions, keys, queue } from './frame.en.ts';
import { state, common, status, role, days, score, face, facts } from './common.en.ts';
import { signIn, lock, setup, passphrase, recovery } from './signIn.en.ts';
import { overview } from './overview.en.ts';
import { enrol } from './enrol.en.ts';
import { uploads } from './uploads.en.ts';
import { watched } from './watched.en.ts';
import { review, decision } from './review.en.ts';
import { validations } from './validations.en.ts';
import { compare } from './compare.en.ts';
import { search } from './search.en.ts';
import { backups } from './backups.en.ts';
import { blacklists } from './blacklists.en.ts';
import { alerts } from './alerts.en.ts';
import { listing } from './listing.en.ts';
import { signatures } from './signatures.en.ts';
import { operators } from './operators.en.ts';
import { audit } from './audit.en.ts';
import { settings } from './settings.en.ts';
import { system } from './system.en.ts';
import { errors, failures } from './errors.en.ts';

/** The English texts of the app shell and the first page, and of what several screens share. */
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
  review,
  decision,
  validations,
  compare,
  search,
  backups,
  blacklists,
  listing,
  alerts,
  signatures,
  operators,
  audit,
  settings,
  system,
  errors,
  failures,
} as const;

/** Every text of the dashboard in English. Arabic has the same keys. */
export type English = typeof en & typeof screenTexts;
