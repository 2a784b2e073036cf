/** Texts of the calibration of signature comparison, in the terms of ISO/IEC 19795-1. */
export const signatureCalibration = {
  stateOwn: 'Scale calibrated on {{signatures}} of your signatures, active since {{time}}',
  stateShipped: 'Default scale, not calibrated on your signatures yet',
  basis: 'Error rates',
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
