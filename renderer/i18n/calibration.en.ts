/** Texts of the Calibration screen, in the terms of ISO/IEC 19795-1. */
export const calibration = {
  stateOwn: 'Thresholds from {{photos}} of your own photos, in force since {{time}}',
  stateShipped_default: 'Thresholds as the pipeline ships them: not yet measured on your photos',
  stateShipped_strict: 'The strict thresholds of the pipeline: not yet measured on your photos',
  who: 'Who stands before your camera',
  table_default: 'People of many looks: the usual thresholds',
  tableHelp_default:
    'Measured on press photos of people from all over the world, more than half of them European men.',
  table_strict: 'People who look alike to the network: the strict thresholds',
  tableHelp_strict:
    'Choose them when most people here are women or elderly men, or when more strangers match than a Trust Flow states, and you cannot measure your own photos. At 1 in 10,000 the usual thresholds let up to 14 times as many strangers match among women as they state; the strict ones keep to it. The price, with the full pipeline: in that group, of 100 photos of the same person 84 are found instead of 91, and of everybody 89 instead of 96. Thresholds measured on your own photos are better than either table.',
  ownCountsMore:
    'Thresholds from your own photos are in force, and count more than either. What is chosen here counts when they are given up.',
  inForce_default: 'The usual thresholds are chosen',
  inForce_strict: 'The strict thresholds are chosen',
  shippedHelp:
    'The shipped table was measured on press photos. Who stands before your camera may look more alike to it, and then more strangers match than a Trust Flow states.',
  elsewhere:
    'Your own photos were measured with another pipeline ({{pipelines}}). What was found there does not count for this one: measure again.',
  restsOn: 'What it rests on',
  pipeline: 'Pipeline',
  people: 'People',
  photos: 'Photos',
  mated: 'Mated pairs',
  matedHelp: 'two photos of one person',
  nonMated: 'Non-mated pairs',
  nonMatedHelp: 'photos of two people',
  acquire: 'Failure to acquire',
  acquireHelp: 'photos without a usable face; they are in no pair',
  since: 'In force since',
  unknown: 'not kept by the version that applied it',
  curve: 'Detection error trade-off (DET)',
  curveHelp:
    'Each threshold trades one error for the other: further left fewer strangers match (FMR), and more photos of the same person are missed (FNMR).',
  curveLabel:
    'DET curve. At FMR {{fmr}}, the rate that Trust Flows begin with, FNMR is {{fnmr}} on your photos. The table below has every point.',
  curveNone: 'A curve appears once thresholds from your own photos are in force.',
  fmrAxis: 'FMR: strangers who match',
  fnmrAxis: 'FNMR: same person missed',
  site: 'Your photos',
  marked: 'Rates of the table, with the 95 % interval; hollow: bounded or not stated',
  default: 'Rate of new Trust Flows',
  table: 'Thresholds',
  fmr: 'FMR',
  oneIn: '1 in {{strangers}}',
  rests: 'Rests on',
  statement_measured: 'measured',
  statement_bounded: 'bounded',
  'statement_not stated': 'not stated',
  statementHelp:
    'Measured: 30 or more errors are expected at this rate. Bounded: 3 to 30, an order of magnitude. Not stated: too few pairs; the threshold follows the shape of the shipped curve.',
  distance: 'Threshold',
  distanceHelp:
    'A distance: pairs at most this far apart match. In brackets: 95 % of resamplings of the people.',
  fnmr: 'FNMR',
  shipped: 'Shipped, usual',
  strict: 'Shipped, strict',
  falseMatches: 'Strangers’ pairs within the shipped threshold',
  atMost: '{{matches}} (FMR at most {{fmr}})',
  isDefault: 'new Trust Flows',
  make: 'Measure it on your own photos',
  makeHelp:
    'A folder for each person, two photos or more in it; 50 people are a beginning. They are looked at as enrolment looks at them; nothing of them is enrolled or kept. At a terminal of this machine:',
  applyHelp: 'Read the table, then make it the thresholds of the company:',
  effect:
    'It counts for all Trust Flows at once: thresholds, scores and bands follow it. Matches that were written before keep their scores.',
  reset: 'Back to the shipped thresholds',
  resetTitle: 'Back to the shipped thresholds?',
  resetWhat:
    'The measured thresholds of {{people}} people and {{photos}} photos go, with their curve; they can only be measured again. From now on every Trust Flow uses the thresholds that the pipeline ships.',
  resetDone: 'The shipped thresholds are in force again',
} as const;
