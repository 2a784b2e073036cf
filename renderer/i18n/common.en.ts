import { CERTAINTY } from '../../core/contracts/certainty.ts';

/** Texts of more than one screen. */
export const state = {
  loading: 'Loading…',
  failed: 'Loading failed',
  retry: 'Try again',
  quote: 'If this keeps happening, give support this request ID:',
  unexpected:
    'The Vouch service sent an unexpected response. Reload the page. If this persists, the dashboard and the service may have different versions.',
  wentWrong: 'This page failed. Reload the page. Saved work is safe.',
  missingTitle: 'Not found',
  missing: 'This item does not exist, or it belongs to another company.',
  otherError:
    'Vouch rejected the request ({{code}}). Reload the page. If this persists, the dashboard and the service may have different versions.',
  deniedTitle: 'Not allowed',
  denied: 'Your role does not include this action. An administrator can change your role.',
  offline: 'The Vouch service has not responded since {{time}}. This page may be out of date. Reconnecting…',
  offlineTitle: 'No connection to the Vouch service',
  offlineHelp: 'The service may be starting, or it is stopped. This page reconnects automatically.',
} as const;

export const common = {
  never: 'never',
  list: 'List',
  mainGallery: 'Main gallery',
  source: 'Source',
  order: 'Order',
  history: 'History',
  pastePhoto: 'or paste a photo',
  choosePhoto: 'Choose photo',
  dropPhoto: 'Drop a photo here',
  filters: 'Filters',
  status: 'Status',
  downloadCsv: 'Download CSV',
  allLists: 'All lists',
  backToList: 'Back to the list',
  done: 'Done',
  deactivate: 'Deactivate',
  edit: 'Edit',
  cancel: 'Cancel',
  save: 'Save',
  close: 'Close',
  delete: 'Delete',
  copy: 'Copy',
  continue: 'Continue',
  clear: 'Clear',
  copied: 'Copied',
  undo: 'Undo',
  undoNothing:
    'There is nothing to undo. An action can be undone for 10 seconds. After that, open what you decided and change the decision there.',
  all: 'All',
  none: 'None',
  more: 'Show more',
  optional: 'optional',
  selected_one: '{{count}} selected',
  selected_other: '{{count}} selected',
  typeToConfirm: 'Type {{name}} to confirm',
  undoSeconds: '{{seconds}} s',
  unknown: 'unknown',
  by: 'by {{name}}',
  service: 'the Vouch service',
  moreLoading: 'Loading more…',
  dismiss: 'Dismiss',
  required: 'Fill in this field.',
  print: 'Print',
  saveFile: 'Save as file',
  stored: 'I have stored this in a safe place',
  passphraseExport:
    'Exports of personal data need your passphrase. Further exports need it again after 30 minutes without an export.',
  passphraseAgain: 'Enter your passphrase to confirm. You last entered it more than ten minutes ago.',
} as const;

export const status = {
  verified: 'Verified',
  reviewNeeded: 'Review Needed',
  rejected: 'Rejected',
  incomplete: 'Incomplete',
  inProgress: 'In Progress',
  pending: 'Pending',
  enrolled: 'Enrolled',
  failed: 'Failed',
  active: 'Active',
  inactive: 'Inactive',
  processing: 'Processing',
  completed: 'Completed',
  partlyCompleted: 'Partially Completed',
} as const;

export const role = {
  admin: 'Administrator',
  operator: 'Operator',
  reviewer: 'Reviewer',
  investigator: 'Investigator',
  auditor: 'Auditor',
} as const;

export const days = {
  any: 'Any day',
  since: 'Since {{day}}',
  until: 'Until {{day}}',
  between: '{{first}} – {{last}}',
  today: 'Today',
  lastWeek: '7 days',
  lastMonth: '30 days',
} as const;

/** The bands of a similarity: about the threshold of an alarm, not about one person or two. */
export const score = CERTAINTY.en.bands;

export const face = {
  thumbnail: 'Face of {{name}}',
  photo: 'Full photo of {{name}}',
  noImage: 'No image: erased, or hidden for your role',
  quality: 'Quality {{score}} out of 100',
  morePhotos: 'More photos of this person: {{photos}}',
} as const;

export const facts = {
  blacklist: 'Blacklist',
  note: 'Note',
  photo: 'Photo',
  photos: 'Photos',
  result: 'Result',
  folder: 'Folder',
  fingerprint: 'Fingerprint',
  created: 'Created',
  time: 'Time',
  name: 'Name',
  file: 'File',
  enrolled: 'Enrolled',
  size: 'Dimensions',
  quality: 'Quality',
  outOf100: '{{score}} out of 100',
  pipeline: 'Pipeline',
  sha256: 'SHA-256',
  person: 'Person',
} as const;

/** Severity, reason and expiry of blacklist faces. */
export const listing = {
  severity: 'Severity',
  severity_information: 'Information',
  severity_caution: 'Caution',
  severity_stop: 'Stop',
  reason: 'Reason',
  help_reason: 'Shown with every match. Up to {{most}} characters.',
  no_reason: 'No reason given',
  expires: 'Expires',
  expiresHelp: 'The face stops matching at this time. Leave empty for no expiry.',
  noExpiry: 'No expiry',
  expired: 'Expired',
  expiredOn: 'Expired. The face no longer matches.',
  edit: 'Edit severity, reason and expiry',
  editTitle_one: 'Severity, reason and expiry of {{faces}} face',
  editTitle_other: 'Severity, reason and expiry of {{faces}} faces',
  change_severity: 'Change the severity',
  change_reason: 'Change the reason',
  change_expiresAt: 'Change the expiry',
  save: 'Save changes',
  saved: 'Severity, reason and expiry saved',
  forAll: 'Applies to every photo of this upload.',
} as const;
