/** The words of the reports. Numbers and codes stay Latin: they are compared by eye with those on the screen. */
import * as caseFolder from './words/caseFolder.ts';
import * as duplicates from './words/duplicates.ts';
import * as erasure from './words/erasure.ts';
import * as examination from './words/examination.ts';
import * as faceCase from './words/faceCase.ts';
import * as faceComparison from './words/faceComparison.ts';
import * as frame from './words/frame.ts';
import * as knownSignatures from './words/knownSignatures.ts';
import * as listing from './words/listing.ts';
import * as scores from './words/scores.ts';
import * as search from './words/search.ts';
import * as signatures from './words/signatures.ts';
import * as siteRates from './words/siteRates.ts';
import * as use from './words/use.ts';

export const en = {
  ...frame.en,
  listing: listing.en,
  scores: scores.en,
  search: search.en,
  signatures: signatures.en,
  knownSignatures: knownSignatures.en,
  duplicates: duplicates.en,
  erasure: erasure.en,
  examination: examination.en,
  caseFolder: caseFolder.en,
  faceCase: faceCase.en,
  faceComparison: faceComparison.en,
  siteRates: siteRates.en,
  use: use.en,
};
export type Words = typeof en;

export const ar: Words = {
  ...frame.ar,
  listing: listing.ar,
  scores: scores.ar,
  search: search.ar,
  signatures: signatures.ar,
  knownSignatures: knownSignatures.ar,
  duplicates: duplicates.ar,
  erasure: erasure.ar,
  examination: examination.ar,
  caseFolder: caseFolder.ar,
  faceCase: faceCase.ar,
  faceComparison: faceComparison.ar,
  siteRates: siteRates.ar,
  use: use.ar,
};
