import * as frame from './frame.en.ts';
import * as common from './common.en.ts';
import * as signIn from './signIn.en.ts';
import * as overview from './overview.en.ts';
import * as errors from './errors.en.ts';
import type { screenTexts } from './screens.en.ts';

/** The English texts of the app shell and the first page, and of what several screens share. */
export const en = {
  ...frame,
  ...common,
  ...signIn,
  ...overview,
  ...errors,
} as const;

/** Every text of the dashboard in English. Arabic has the same keys. */
export type English = typeof en & typeof screenTexts;
