import * as frame from './frame.ar.ts';
import * as common from './common.ar.ts';
import * as signIn from './signIn.ar.ts';
import * as overview from './overview.ar.ts';
import * as errors from './errors.ar.ts';
import * as enrol from './enrol.ar.ts';
import * as validations from './validations.ar.ts';
import * as search from './search.ar.ts';
import * as blacklists from './blacklists.ar.ts';
import * as signatures from './signatures.ar.ts';
import * as operators from './operators.ar.ts';
import * as settings from './settings.ar.ts';
import * as system from './system.ar.ts';
import * as duplicates from './duplicates.ar.ts';
import * as examinations from './examinations.ar.ts';
import * as caseFolders from './caseFolders.ar.ts';
import * as persons from './persons.ar.ts';
import type { English } from './en.ts';
import type { Translation } from './translation.ts';

/** Every text of the dashboard in Arabic. */
export const ar: Translation<English> = {
  ...frame,
  ...common,
  ...signIn,
  ...overview,
  ...errors,
  ...enrol,
  ...validations,
  ...search,
  ...blacklists,
  ...signatures,
  ...operators,
  ...settings,
  ...system,
  ...duplicates,
  ...persons,
  ...examinations,
  ...caseFolders,
};
