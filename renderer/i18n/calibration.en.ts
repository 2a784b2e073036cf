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
    'Choose strict thresholds if you cannot calibrate on your own photos, and most people here are women or elderly men, or false matches exceed the rate of a Trust Flow. At 1 in 10,000, the standard thresholds give up to 14 times the stated rate of false matches among women. The strict thresholds keep to it. The cost, with the full pipeline: in that group 84 instead of 91 of 100 photos of the same person are found, and of all people 89 instead of 96. Thresholds calibrated on your own photos are better than either table.',
  ownCountsMore:
    'Your own calibration is active and takes precedence. This choice applies only if you remove your calibration.',
  inForce_default: 'Standard thresholds selected',
  inForce_strict: 'Strict thresholds selected',
  shippedHelp:
    'The default thresholds were measured on press photos. Your population may differ, so actual false match rates can be higher than a Trust Flow states.',
  elsewhere:
    'Your calibration was made with another pipeline ({{pipelines}}) and does not apply to this one. Calibrate again.',
  restsOn: 'Basis',
  pipeline: 'Pipeline',
  people: 'People',
  photos: 'Photos',
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
  table: 'Thresholds',
  fmr: 'FMR',
  oneIn: '1 in {{people}}',
  rests: 'Basis',
  statement_measured: 'measured',
  statement_estimated: 'estimated',
  statement_extrapolated: 'extrapolated',
  statementHelp:
    'Measured: 30 or more errors are expected at this rate. Estimated: 3 to 30 errors, an order of magnitude only. Extrapolated: too few pairs; the threshold follows the shape of the default curve.',
  distance: 'Threshold',
  distanceHelp: 'Threshold: the maximum distance of a match.',
  intervalHelp: 'In brackets: the 95% interval from resampling the people.',
  fnmr: 'FNMR',
  shipped: 'Default (standard)',
  strict: 'Default (strict)',
  falseMatches: 'False matches at the default threshold',
  atMost: '{{matches}} (FMR at most {{fmr}})',
  isDefault: 'default of new Trust Flows',
  make: 'Calibrate on your own photos',
  makeHelp:
    'Choose a folder with one subfolder per person, two or more photos in each, and at least 80 people. Photos are neither enrolled nor stored. Nothing changes until you apply the result.',
  choose: 'Choose folder',
  noPhotos:
    'The folder has no JPEG or PNG photos in subfolders. Put the photos of each person into a subfolder.',
  inTerminal: 'For photos on the machine of the service, use a terminal there:',
  measuring: 'Photos measured',
  usable: 'Usable',
  unusable: 'Not usable',
  waiting: 'Waiting',
  stop: 'Stop measuring',
  result:
    '{{photos}} photos of {{people}} people were measured. {{refused}} of the photos have no usable face.',
  repeated: 'Photos that occur twice for the same person and count once: {{photos}}.',
  mislabelled:
    'The same photo is filed under two people, so no rate is correct. Remove the wrong one of each pair, then measure again:',
  tooFew:
    'Too few photos for thresholds. A calibration needs 3,000 non-mated pairs, 30 mated pairs and 10 people. These photos have {{nonMated}} non-mated pairs, {{mated}} mated pairs and {{people}} people.',
  change: 'At a false match rate of 1 in {{people}}, the threshold changes from {{before}} to {{after}}.',
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
