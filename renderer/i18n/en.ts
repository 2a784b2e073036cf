import type { screenTexts } from './screens.en.ts';
import { nav, top, palette, actions, keys, queue } from './frame.en.ts';
import { state, common, status, role, days, score, face, facts } from './common.en.ts';
import { signIn, lock, setup, passphrase, recovery } from './signIn.en.ts';
import { overview } from './overview.en.ts';
import { uploads } from './uploads.en.ts';
import { backups } from './backups.en.ts';
import { alerts } from './alerts.en.ts';
import { listing } from './listing.en.ts';
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
  uploads,
  backups,
  listing,
  alerts,
  errors,
  failures,
} as const;

/** Every text of the dashboard in English. Arabic has the same keys. */
export type English = typeof en & typeof screenTexts;
