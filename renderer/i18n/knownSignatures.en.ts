import { KNOWN_WARNING_TEXT, OVERSTATES_TEXT } from '../../core/contracts/knownSignatures.ts';

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
  remove: 'Remove',
  removeSpecimen: 'Remove known signature {{number}}',
  notAdded: 'Not added, because a comparison takes at most 10 known signatures: {{files}}',
  notImages: 'Not supported. Use JPEG or PNG within the size limit: {{files}}',
  acrossMedia: 'Not all signatures were written on one medium (paper, tablet, photo)',
  count_one: '{{number}} known signature',
  count_other: '{{number}} known signatures',
  calibration: 'Calibration',
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
