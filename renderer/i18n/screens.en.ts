import * as enrol from './enrol.en.ts';
import * as validations from './validations.en.ts';
import * as search from './search.en.ts';
import * as blacklists from './blacklists.en.ts';
import * as signatures from './signatures.en.ts';
import * as operators from './operators.en.ts';
import * as settings from './settings.en.ts';
import * as system from './system.en.ts';
import * as duplicates from './duplicates.en.ts';
import * as examinations from './examinations.en.ts';
import * as caseFolders from './caseFolders.en.ts';
import * as persons from './persons.en.ts';

/** English texts of the screens behind the first page. They are loaded with the first of these screens. */
export const screenTexts = {
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
} as const;
