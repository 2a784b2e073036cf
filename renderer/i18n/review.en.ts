/** Texts of the Review screen, and of decisions. */
export const review = {
  state: '{{waiting}} to review, oldest first',
  list: 'View as list',
  none: 'Nothing needs review',
  noneHelp: 'Validations with a match appear here automatically, as set in their Trust Flow.',
  toValidations: 'Show all validations',
  decision: 'Matches and decision',
  note: 'Note',
  noteHelp: 'If empty, a standard note is logged.',
  noteVerify: 'Compared side by side: a different person.',
  noteReject: 'Compared side by side: the same person as the match.',
  noMatches: 'No matches are stored for this validation.',
  chooseMatch: 'Choose a match',
  meaning:
    '“Different person” sets the status Verified. “Same person” sets it to Rejected. Vouch only measures similarity. The decision is yours.',
} as const;

export const decision = {
  differentPerson: 'Different person',
  samePerson: 'Same person',
  verify: 'Verify',
  reject: 'Reject',
  review: 'Return to review',
  note: 'Note (optional)',
  notePlaceholder: 'Note (a standard note is logged if empty)',
  done_verify: '{{name}} verified',
  done_reject: '{{name}} rejected',
  done_review: '{{name}} returned to review',
  undoNote: 'Undone by the same reviewer.',
  noteReview: 'Needs another review.',
} as const;
