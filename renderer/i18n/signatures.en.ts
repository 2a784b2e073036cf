import { SIGNATURE_REASON_TEXT } from '../../core/contracts/signatures.ts';
import { KNOWN_WARNING_TEXT, OVERSTATES_TEXT } from '../../core/contracts/knownSignatures.ts';

export const signatures = {
  subject: 'Comparisons of',
  ofFaces: 'Faces',
  ofSignatures: 'Signatures',
  stateIdle: 'Compare two signatures. The result is a similarity score, not proof of authorship.',
  stateDone: 'Compared {{time}}, saved as comparison {{id}}. The images are not stored.',
  first: 'First signature',
  second: 'Second signature',
  dropHelp: 'JPEG or PNG, at least 64 pixels high and wide, at most 10 MiB.',
  choose: 'Choose',
  paste: 'or paste an image',
  replace: 'Replace image',
  template: 'Group',
  templateHelp: 'The same text for comparisons that belong together (template_id in the API).',
  verification: 'Reference',
  verificationHelp: 'Your own number for this comparison (verification_id in the API).',
  compare: 'Compare',
  comparing: 'Comparing…',
  report: 'PDF report',
  verdict_MATCH: 'Match',
  verdict_POSSIBLE_MATCH: 'Possible Match',
  verdict_NO_MATCH: 'No Match',
  verdict_INCONCLUSIVE: 'Inconclusive',
  means_MATCH:
    'Very similar. In tests, signatures of different writers hardly ever scored this high, but some skilled imitations did.',
  means_POSSIBLE_MATCH:
    'Similar, but below the threshold of Match. Many skilled imitations fall in this band, and so do pairs of the same writer from different media or days. A person decides.',
  means_NO_MATCH:
    'Not similar. Nearly all signatures of different writers score this low, but signatures of the same writer can also vary this much.',
  means_INCONCLUSIVE: 'Not compared. An image contains no usable signature.',
  scale:
    'Similarity {{score}} out of 100 ({{verdict}}). Possible Match from {{possible}}, Match from {{match}}.',
  unusable: 'no usable signature',
  reason: SIGNATURE_REASON_TEXT,
  rates: 'Error rates',
  ratesHelp:
    'Measured on real signatures that were never used to build the matcher. Writers on paper: {{paper}}. Writers across media: {{media}}. All of them wrote in Latin script. Below each value: the 95% confidence interval, which is wide because there are few writers. No rate covers disguise, age or illness of a writer.',
  rateCase: 'Pairs',
  ratePaper: 'on paper',
  rateMedia: 'across media',
  rateNone: 'none',
  rateUnder: 'below {{to}}',
  rateRange: '{{from}} – {{to}}',
  rate_differentWriters: 'different writers, score {{score}} or higher',
  rate_skilledForgeries: 'skilled imitations, score {{score}} or higher',
  rate_genuine: 'same writer, score below {{score}}',
  view_images: 'Images',
  view_ink: 'Extracted ink',
  view_aligned: 'Aligned overlay',
  inkNote: 'Cleaned ink in grey, compared strokes in black.',
  alignedNote: 'Blue: {{first}}. Orange: {{second}}. Aligned by the matcher. Visual aid, not evidence.',
  noAlignment: 'No overlay, because the images were not compared.',
  noPicture: 'No ink was found.',
  historyState_one: '{{total}} comparison',
  historyState_other: '{{total}} comparisons',
  anyVerdict: 'All verdicts',
  comparedBy: 'Compared by',
  anyActor: 'All operators and programs',
  column_at: 'Compared',
  column_verdict: 'Verdict',
  column_similarity: 'Similarity',
  column_by: 'By',
  program: 'a program ({{credential}})',
  none: 'No comparisons yet',
  noneHelp: 'Comparisons from this screen and from the API are listed here, without images.',
  noneFiltered: 'No matching comparisons',
  record: 'Comparison {{id}}',
  matcher: 'Matcher version',
  sameTemplate: 'Show group',
  sameVerification: 'Show reference',
  notImage: 'This file is not supported. Use a JPEG or PNG within the size limit.',
} as const;

/** Texts of comparing a questioned signature with several known ones, in the terms of the ENFSI guideline (2015). */
export const knownSignatures = {
  stateIdle:
    'Compare one questioned signature with 2 to 10 known signatures of one writer. The result is not proof of authorship.',
  questioned: 'Questioned signature',
  known: 'Known signatures',
  knownHelp: 'Signatures of one writer, from 2 to 10. Results vary less from 5 on.',
  specimen: 'Known signature {{number}}',
  dropHelp: 'JPEG or PNG, at least 64 pixels high and wide, at most 4 MiB.',
  dropKnown: 'Drop known signatures here',
  loadStored: 'Load specimens of a person',
  loadedNone: 'This person has no stored specimens.',
  storedFile: '{{name}}, specimen {{number}}',
  chooseKnown: 'Add known signatures',
  pasteQuestioned: 'or paste: the first image is the questioned one',
  removeSpecimen: 'Remove known signature {{number}}',
  notAdded: 'Not added, because a comparison takes at most 10 known signatures: {{files}}',
  notImages: 'Not supported. Use JPEG or PNG within the size limit: {{files}}',
  acrossMedia: 'Not all signatures were written on one medium (paper, tablet, photo)',
  count_one: '{{number}} known signature',
  count_other: '{{number}} known signatures',
  findings: 'Findings',
  against_imitation: 'Known writer or imitation',
  against_stranger: 'Known writer or another writer',
  favours_known_writer_imitation: '{{strength}} for the known writer',
  favours_known_writer_stranger: '{{strength}} for the known writer',
  favours_alternative_imitation: '{{strength}} for an imitation',
  favours_alternative_stranger: '{{strength}} for another writer',
  favours_neither_imitation: '{{strength}} either way',
  favours_neither_stranger: '{{strength}} either way',
  means_known_writer_imitation:
    'The likeness is about {{ratio}} times more probable if the writer of the known signatures wrote the questioned one naturally than if another person imitated them.',
  means_known_writer_stranger:
    'The likeness is about {{ratio}} times more probable if the writer of the known signatures wrote the questioned one naturally than if another person signed without a model.',
  means_alternative_imitation:
    'The likeness is about {{ratio}} times more probable if another person imitated the known signatures than if their writer wrote the questioned one naturally.',
  means_alternative_stranger:
    'The likeness is about {{ratio}} times more probable if another person signed without a model than if the writer of the known signatures wrote the questioned one naturally.',
  means_neither_imitation:
    'The likeness is about as probable if the writer of the known signatures wrote the questioned one naturally as if another person imitated them.',
  means_neither_stranger:
    'The likeness is about as probable if the writer of the known signatures wrote the questioned one naturally as if another person signed without a model.',
  bounds: 'Likelihood ratio {{value}}. The validation supports values from {{lowest}} to {{highest}}.',
  overstates: OVERSTATES_TEXT,
  boundedRatio: '{{value}} (supported: {{lowest}} to {{highest}})',
  separate:
    'The two findings are never combined. Neither is the probability that the known writer signed. That depends on the other circumstances of the case.',
  notCovered: 'No finding accounts for disguise, age, illness, injury or haste of a writer.',
  noRatios: 'No finding, because the known signatures form two groups that do not resemble each other.',
  groups:
    'Group 1: known signatures {{first}}. Group 2: known signatures {{second}}. Compare with each group on its own.',
  notCompared: 'Not compared, because an image contains no usable signature.',
  differs:
    'Known signature {{number}} differs from the others. Without it, the likelihood ratio is {{imitation}} against imitation and {{stranger}} against another writer.',
  typicality: 'Rank',
  typicalityText:
    'The questioned signature is farther from the known ones than {{closer}} of {{of}} are from one another.',
  typicalityNone: 'No rank from fewer than 3 known signatures.',
  agreement: 'Agreement of the known signatures',
  agreementText: 'Mean similarity {{similarity}} out of 100',
  nearest: 'Nearest',
  farthest: 'Farthest',
  specimenAt: 'Known signature {{number}} (similarity {{similarity}})',
  complexity: 'Complexity of the questioned signature',
  complexity_LOW: 'Low',
  complexity_MEDIUM: 'Medium',
  complexity_HIGH: 'High',
  media: 'Media',
  media_one: 'one medium',
  media_several: 'several media, as stated by the operator or the program',
  warnings: 'Warnings',
  warning: KNOWN_WARNING_TEXT,
  choose: 'Known signature beside the questioned one',
  badge_nearest: 'nearest',
  badge_farthest: 'farthest',
  badge_differs: 'differs',
  ratesHelp:
    'Share of wrong decisions at one threshold for all writers, measured on real signatures that were never used to build the rule. Writers on paper: {{paper}}, Latin script. Writers across media: {{media}}, at most 3 known signatures each. Below each rate: the 95% confidence interval over writers, which is wide because there are few writers. No rate covers disguise, age or illness of a writer.',
  ownRates: 'Error rates with several known signatures',
  ownCase: 'Finding',
  ownGenuine: 'known writer, finding for the alternative',
  ownOther: 'another person, finding for the known writer',
  ownRatesHelp:
    'Shares of findings that support the wrong proposition, on known sets drawn from your signatures. A finding of no support either way counts as neither right nor wrong. Below each rate: the 95% interval from resampling the writers. The findings themselves do not follow your scale. No rate covers disguise, age or illness of a writer.',
  ownNone:
    'Too few signatures for known sets: at least 10 writers need 4 or more signatures each, and 6 or more for sets of 5.',
  shippedRates: 'As shipped',
  rate_imitation: 'against imitation, known signatures: {{known}}',
  rate_stranger: 'against another writer, known signatures: {{known}}',
} as const;

/** Texts of the calibration of signature comparison, in the terms of ISO/IEC 19795-1. */
export const signatureCalibration = {
  stateOwn: 'Scale calibrated on {{signatures}} of your signatures, active since {{time}}',
  stateShipped: 'Default scale, not calibrated on your signatures yet',
  elsewhere:
    'Your calibration was made with another version of the matcher ({{versions}}) and does not apply to this one. Calibrate again.',
  shippedHelp:
    'The default scale was set on synthetic signatures. Your own signatures may differ, so actual error rates can be higher or lower.',
  writers: 'Writers',
  signatures: 'Signatures of the writers',
  forgeries: 'Imitations',
  genuinePairs: 'Pairs of the same writer',
  forgeryPairs: 'Pairs with an imitation',
  differentWritersPairs: 'Pairs of different writers',
  rates: 'Error rates on your signatures',
  shipped: 'Default scale',
  own: 'Your scale',
  rate_genuine: 'same writer, score below {{score}}',
  rate_forgery: 'skilled imitations, score {{score}} or higher',
  rate_differentWriters: 'different writers, score {{score}} or higher',
  ratesHelp:
    'Measured on {{signatures}} signatures of {{writers}} of your writers. Below each rate: the 95% interval from resampling the writers. Your scale was measured on writers that it was not fitted on. No rate covers disguise, age or illness of a writer.',
  point: 'Similarity {{similarity}} of the default scale becomes {{score}} (95%: {{low}} – {{high}}).',
  statement_measured: 'Measured: 30 or more errors are expected at this point.',
  statement_estimated: 'Estimated: 3 to 30 errors are expected, so the place is rough.',
  statement_shifted: 'Too few imitations: this point moves along with the other one.',
  make: 'Calibrate on your own signatures',
  makeHelp:
    'Choose a folder with one subfolder per writer, several signatures of the writer in each, and at least 10 writers. Put imitations by other people, if you have any, into the folder WRITER/imitations. Signatures are not stored. Nothing changes until you apply the result.',
  noFiles:
    'The folder has no JPEG or PNG images in subfolders. Put the signatures of each writer into a subfolder.',
  mislabelled:
    'The same file has two labels, so no rate is correct. Remove the wrong one of each pair, then measure again:',
  sending: 'Signatures read',
  comparing: 'Pairs compared',
  left: '{{time}} left',
  unusable_one: '{{files}} file is in no pair',
  unusable_other: '{{files}} files are in no pair',
  image: 'image',
  tooFew_WRITERS: 'Too few writers for a scale. A calibration needs at least 10.',
  tooFew_GENUINE_PAIRS: 'Too few pairs of the same writer for a scale. A calibration needs at least 30.',
  tooFew_DIFFERENT_WRITERS_PAIRS:
    'Too few pairs of different writers for a scale. A calibration needs at least 300.',
  effect:
    'The new scale applies to all signature comparisons immediately. Earlier comparisons keep their similarity. The thresholds of the company stay.',
  apply: 'Apply scale',
  applied: 'The measured scale is active',
  reset: 'Restore default scale',
  resetTitle: 'Restore default scale?',
  resetWhat:
    'This deletes your calibration. It rests on {{signatures}} signatures of {{writers}} writers, and can only be measured again. All signature comparisons then use the default scale.',
  resetDone: 'Default scale restored',
} as const;

/** Texts of the Calibration screen, in the terms of ISO/IEC 19795-1. */
export const calibration = {
  stateOwn: 'Thresholds calibrated on {{photos}} of your photos, active since {{time}}',
  stateShipped_default: 'Default thresholds, not calibrated on your photos yet',
  stateShipped_strict: 'Strict default thresholds, not calibrated on your photos yet',
  who: 'Your population',
  table_default: 'Standard thresholds: a mixed population',
  tableHelp_default:
    'Measured on press photos. Among women, up to 14 times the stated rate of false matches.',
  table_strict: 'Strict thresholds: mostly women or elderly men',
  tableHelp_strict:
    'Keep to the stated rate in every group. Of 100 photos of the same person, 89 instead of 96 are found.',
  whenStrict: 'When to choose the strict thresholds',
  whenStrictHelp:
    'Choose strict thresholds if you cannot calibrate on your own photos, and most people here are women or elderly men, or false matches exceed the rate of a Trust Flow. At 1 in 10,000, the standard thresholds give up to 14 times the stated rate of false matches among women. The strict thresholds keep to it. The cost, with the full pipeline: in that group 84 instead of 91 of 100 photos of the same person are found, and of all people 89 instead of 96. Thresholds calibrated on your own photos are better than either choice.',
  ownCountsMore:
    'Your own calibration is active and takes precedence. This choice applies only if you remove your calibration.',
  inForce_default: 'Standard thresholds selected',
  inForce_strict: 'Strict thresholds selected',
  shippedHelp:
    'The default thresholds were measured on press photos. Your population may differ, so actual false match rates can be higher than a Trust Flow states.',
  elsewhere:
    'Your calibration was made with another pipeline ({{pipelines}}) and does not apply to this one. Calibrate again.',
  restsOn: 'Basis',
  people: 'People',
  mated: 'Mated pairs',
  matedHelp: 'two photos of the same person',
  nonMated: 'Non-mated pairs',
  nonMatedHelp: 'photos of two different people',
  acquire: 'Failure to acquire',
  acquireHelp: 'photos without a usable face (excluded from all pairs)',
  since: 'Active since',
  unknown: 'not recorded',
  curve: 'Detection error trade-off (DET)',
  curveHelp:
    'Each threshold trades false matches (FMR) against missed matches (FNMR). Further left: fewer false matches, more missed matches.',
  curveLabel:
    'DET curve. At FMR {{fmr}}, the default rate of Trust Flows, FNMR is {{fnmr}} on your photos. The table below lists all points.',
  fmrAxis: 'False match rate (FMR)',
  fnmrAxis: 'False non-match rate (FNMR)',
  ownPhotos: 'Your photos',
  marked: 'Values of the table with the 95% confidence interval (hollow: estimated or extrapolated)',
  default: 'Default rate of Trust Flows',
  table: 'Technical details: thresholds',
  fmr: 'FMR',
  rests: 'Basis',
  statement_measured: 'measured',
  statement_estimated: 'estimated',
  statement_extrapolated: 'extrapolated',
  statementHelp:
    'Measured: 30 or more errors are expected at this rate. Estimated: 3 to 30 errors, an order of magnitude only. Extrapolated: too few pairs; the threshold follows the shape of the default curve.',
  distance: 'Threshold',
  distanceHelp:
    'Threshold: the maximum distance between the templates of a match. The scores that Vouch shows are calculated from it.',
  intervalHelp: 'In brackets: the 95% interval from resampling the people.',
  fnmr: 'FNMR',
  shipped: 'Default (standard)',
  strict: 'Default (strict)',
  falseMatches: 'False matches at the default threshold',
  atMost: '{{matches}} (FMR at most {{fmr}})',
  isDefault: 'default of new Trust Flows',
  site: 'Error rates of searches among enrolled faces',
  siteOf:
    'Vouch searched the {{enrolled}} enrolled faces with {{searches}} of their photos, one of each person. Searches for persons with further photos: {{mated}}.',
  flows: 'Trust Flows: {{flows}}',
  fpir: 'False positive rate (FPIR)',
  different: 'Decided as different persons',
  fnir: 'False negative rate (FNIR)',
  fnir_1: 'FNIR, 1 enrolled photo',
  fnir_2: 'FNIR, 2 enrolled photos',
  fnir_3: 'FNIR, 3 or more',
  fewSearches: 'too few searches ({{of}})',
  errorsOf: '{{errors}} of {{of}}',
  byLikeness:
    'FNIR is too low here: operators put the photos of {{persons}} of these persons together because they look alike.',
  siteHelp:
    'In brackets: the 95% interval (Wilson). FPIR: share of searches that found another person; these may be persons who are enrolled twice, unless a decision says that they are different. FNIR: share of searches that missed the other photos of the person. Not covered: people who are not enrolled, photos without a usable face, other cameras, and blacklists.',
  groups: 'Error rates by groups of people',
  groupOf: '{{group}} ({{people}})',
  groupsAt: 'Group, at the threshold of 1 in {{people}}',
  worst_fmr: 'Highest FMR: {{group}}.',
  worst_fnmr: 'Highest FNMR: {{group}}.',
  worstClear: 'Its interval is above the rates of all other groups.',
  worstChance: 'Its interval includes the rate of another group, so the difference can be chance.',
  groupsTooSmall:
    'Too small for rates ({{people}} people and {{matedPairs}} mated pairs are needed): {{groups}}.',
  ungrouped: 'People without a group: {{people}}.',
  unmatched: 'People in groups.csv without photos: {{people}}. Check their names: {{names}}',
  groupsHelp:
    'FMR: pairs of two people of the same group. FNMR: pairs of photos of one person. In brackets: an interval of at least 95% that resamples the people and counts people, not photos.',
  groupsUnusable:
    'The file groups.csv in the folder cannot be used. Save it as CSV UTF-8 with the columns person and group, and with one group for each person. Nothing was measured.',
  make: 'Calibrate on your own photos',
  makeHelp:
    'Choose a folder with one subfolder per person, two or more photos in each, and at least 80 people. For rates by group, add a file groups.csv with the columns person and group. Photos are neither enrolled nor stored. Nothing changes until you apply the result.',
  noFiles:
    'The folder has no JPEG or PNG photos in subfolders. Put the photos of each person into a subfolder.',
  inTerminal: 'For photos on the machine of the service, use a terminal there:',
  measuring: 'Photos measured',
  usable: 'Usable',
  unusable: 'Not usable',
  stop: 'Stop measuring',
  result:
    '{{photos}} photos of {{people}} people were measured. {{refused}} of the photos have no usable face.',
  repeated: 'Photos that occur twice for the same person and count once: {{photos}}.',
  mislabelled:
    'The same photo is filed under two people, so no rate is correct. Remove the wrong one of each pair, then measure again:',
  tooFew:
    'Too few photos for thresholds. A calibration needs 3,000 non-mated pairs, 30 mated pairs and 10 people. These photos have {{nonMated}} non-mated pairs, {{mated}} mated pairs and {{people}} people.',
  change_stricter:
    'At a false match rate of 1 in {{people}}, the new threshold is stricter than the active one. It misses {{fnmr}} of the pairs of one person.',
  change_looser:
    'At a false match rate of 1 in {{people}}, the new threshold is less strict than the active one. It misses {{fnmr}} of the pairs of one person.',
  change_same:
    'At a false match rate of 1 in {{people}}, the threshold stays the same. It misses {{fnmr}} of the pairs of one person.',
  apply: 'Apply thresholds',
  applied: 'The measured thresholds are active',
  discard: 'Discard result',
  effect:
    'The new thresholds apply to all Trust Flows immediately. Scores and bands follow. Existing matches keep their scores.',
  reset: 'Restore default thresholds',
  resetTitle: 'Restore default thresholds?',
  resetWhat:
    'This deletes your calibration with its curve. It rests on {{people}} people and {{photos}} photos, and can only be measured again. All Trust Flows then use the default thresholds of the pipeline.',
  resetDone: 'Default thresholds restored',
} as const;
