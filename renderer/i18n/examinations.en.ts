/** Texts of the examinations of two faces or two signatures. */
import { EXAMINATION_WORDS } from '../../core/contracts/examinationWords.ts';

export const examinations = {
  ...EXAMINATION_WORDS.en,
  state: 'Two pictures, feature by feature. The score of the system comes last.',
  none: 'No examinations yet',
  noneHelp:
    'Begin one with "Examine pair" beside two faces or two signatures: a match of a validation, a search result, two compared photos or signatures, or possible duplicates.',
  begin: 'Examine pair',
  storePhoto: 'Store photo and examine',
  storePhotos: 'Store photos and examine',
  storesPhoto: 'The photo is not enrolled. It is stored for the examination.',
  storesPhotos: 'The photos are not enrolled. They are stored for the examination.',
  storedHelp:
    'No search finds a photo of an examination. It is erased with the other face of the pair, with the data of the person, or by the retention rule for comparisons.',
  storeSignatures: 'Store signatures and examine',
  storesSignatures: 'The comparison stored neither picture. Both are stored for the examination.',
  storedSignaturesHelp:
    'The pictures and the examination are erased with the comparison, by an erasure or by the retention rule for comparisons.',
  number: 'Examination {{id}}',
  back: 'All examinations',
  column_number: 'Examination',
  column_began: 'Begun',
  column_kind: 'Pair',
  kind_faces: 'Faces',
  kind_signatures: 'Signatures',
  column_state: 'State',
  column_turn: 'For you',
  state_examination: 'Waits for the first examiner',
  state_verification: 'Waits for the second examiner',
  state_settlement: 'Conclusions differ',
  state_done: 'Done',
  turn_examine: 'Examine',
  turn_verify: 'Verify as second examiner',
  turn_settle: 'Settle the difference',
  unseen:
    'Save the first step only if you have not seen the score of this pair. Otherwise another operator opens this examination.',
  waits_examination:
    'Another operator examines this pair. The results appear when two examiners have concluded.',
  waits_verification:
    'A second examiner must examine this pair alone. That examiner sees neither your results nor the score. The results appear when both have concluded.',
  waits_settlement:
    'The examiners reached different conclusions. One of the two settles the difference. Once both have left, another operator does.',
  replace: 'Replace examiner…',
  replaceDo: 'Replace examiner',
  replaceWho: 'Examiner who left',
  replaceHelp:
    'Another operator then does this part from the beginning. The unfinished work is kept with the examination and no operator sees it. The replaced examiner takes no further part in this examination.',
  replaced: 'Replaced: {{name}}, unfinished after {{steps}} steps. By {{by}}, {{time}}.',
  frozen: 'A saved step cannot be changed.',
  step_analysis: 'Analysis: {{picture}}',
  step_comparison: 'Comparison {{number}} of {{total}}: {{component}}',
  step_evaluation: 'Evaluation',
  analysisHelp: 'Look at this picture alone. How far does each of these limit what can be compared?',
  evaluationHelp:
    'Which explanation do the features support, and how strongly? It decides nothing about a person.',
  settlementHelp: 'State the conclusion that both examiners share, and why.',
  thirdHelp:
    'Both examiners left before they settled the difference. State the conclusion that the results of both support, and why. The report names you as third operator.',
  save: 'Save step',
  settle: 'Save common conclusion',
  settleThird: 'Save conclusion',
  ageHelp_faces: 'When it was taken, as far as known.',
  ageHelp_signatures: 'When, with what pen and on what it was signed, as far as known.',
  supportsHelp: 'Features that can be compared in this picture, and features that cannot.',
  finding: 'Finding',
  marksHelp:
    'Mark the feature in both pictures: click it, or go to a picture with Tab, move with the arrow keys and press Enter.',
  markField: 'Mark in: {{picture}}',
  marksOf: 'Marks: circle for {{first}}, square for {{second}}. The number is that of the feature.',
  clearMarks: 'Remove marks',
  note: 'Note',
  choose: 'Choose',
} as const;

export const practice = {
  title: 'Practise with known pairs',
  state: 'Only you see your result.',
  intro:
    'You see up to 20 pairs of photos. Half of the pairs show one person, by the records of this installation. The others show two persons who look alike. After each answer you see the solution.',
  private:
    'Your answers stay in this window. Vouch stores no result. The audit log records the photos that you see, as everywhere.',
  start: 'Start practice',
  few: 'Too few persons with two photos',
  fewHelp:
    'A practice needs {{count}} persons with two different photos each. Enrol further photos of known persons, or decide possible duplicates.',
  right: 'Right',
  wrong: 'Wrong',
  one: 'Both photos belong to {{name}}.',
  two: 'The photos belong to {{first}} and to {{second}}.',
  lookOne: 'Hair, weight, light, lens and expression differ between photos of one person.',
  lookTwo: 'Compare ears, moles, scars and wrinkles. They differ even where two persons look alike.',
  next: 'Next pair',
  result: '{{right}} of {{total}} right',
  resultOne: 'Pairs of one person: {{right}} of {{total}} right.',
  resultTwo: 'Pairs of two persons: {{right}} of {{total}} right.',
  records: 'Answered differently from the records. If the records are wrong, correct the person:',
  again: 'Draw new pairs',
} as const;
