import { LIMIT_TEXTS } from '../../core/contracts/limits/limits.ts';

/** Texts of the Settings group. */
export const settings = {
  nameHint:
    'Reports, printed keys and the top bar show the name. Terminal commands need it too. After a change of the name, vouch enroll sends each folder from the beginning.',
  storageNone: 'Not configured',
  storageHelp: 'The local administrator moves the images to another folder in a terminal:',
  duplicates: 'Duplicates',
  secondOperator: 'Confirmation by a second operator',
  secondOperatorFixed:
    'Once on, only the administrator of the machine can switch it off: vouch company update.',
  secondOperatorHint:
    'A decision that accepts a group of possible duplicates takes effect when a different operator confirms it.',
  abis: 'Other identity systems',
  osia: 'ABIS interface of OSIA',
  osiaHint:
    'Programs with the scopes abis:read, abis:write and abis:search can store, search and erase faces through it. Off by default.',
  off_registration:
    'New photos for duplicate detection will be rejected. Enrolled faces stay and are still compared.',
  off_blacklists:
    'Verifications will not be screened against blacklists, and all blacklist screens will be hidden. The faces stay.',
  state: 'Limits of {{company}}. A change applies to the next request.',
  readOnly: 'Your role can view settings, but not change them.',
  uploads: 'Uploads',
  signatures: 'Signature matching',
  duplicateSearches: 'Duplicate searches',
  quality: 'Image quality',
  installation: 'Whole installation',
  installationHelp: 'The local administrator changes these limits in a terminal:',
  qualityHelp: 'A face beyond one of these thresholds is rejected with the reason.',
  limit: 'Limit',
  value: 'Value',
  default: 'Default',
  range: 'Range',
  allowed: '{{least}} to {{most}}',
  all: 'all',
  reset: 'Restore the default of “{{setting}}”',
  unsaved_one: '{{changes}} unsaved change',
  unsaved_other: '{{changes}} unsaved changes',
  specimensStore: 'Store signature specimens of persons',
  specimensHint:
    'Operators can keep known signatures with a person and load them for comparisons. The images are encrypted, and each view is in the audit log.',
  specimensErased_one: 'Saving erases {{count}} stored specimen. You cannot undo it.',
  specimensErased_other: 'Saving erases all {{count}} stored specimens. You cannot undo it.',
  specimensEraseDo: 'Erase specimens and save',
  saved: 'The settings are saved.',
  outside: 'Enter a number from {{least}} to {{most}}.',
  whole: 'Enter a whole number from {{least}} to {{most}}.',
  aboveMatch: 'Possible Match must not be above Match.',
  aboveBrightest: 'The lowest brightness must not be above the highest.',
  mebibytes: 'MiB',
  value_images: '{{value}} images',
  value_pairs: '{{value}} pairs',
  value_pixels: '{{value}} pixels',
  value_degrees: '{{value}}°',
  value_share: '{{value}}',
  value_points: '{{value}}',
  value_faceWidths: '{{value}} face widths',
  value_seconds: '{{value}} seconds',
  value_requests: '{{value}} requests',
  limits: LIMIT_TEXTS,
} as const;

/** Texts of the Pipelines screen. */
export const pipelines = {
  state: 'Active pipeline: {{name}}',
  stateMissing: 'Matching is not available: the model pack of the active pipeline is missing',
  missing:
    'The model pack {{id}} was not found. Restore its folder in models, or switch to another pipeline. The stored photos are sufficient. Queued images are safe.',
  changing: 'Switching to {{name}}',
  until: '{{name}} stays active until the switch. Enrolment, screening and search are not interrupted.',
  progress: 'Progress of template extraction',
  extracted: 'Re-created',
  refused: 'Failed',
  of: 'Templates re-created: {{done}} of {{total}}',
  rate: '{{rate}} faces per second, about {{left}} left',
  stage_extracting: 'Re-creating the templates of stored faces in the background. Other work has priority.',
  stage_paused: 'Paused. Finished templates are kept.',
  stage_refused:
    'Finished, except for faces from which the new pipeline extracts no template. Decide about these faces to complete the switch.',
  stage_waiting:
    'Waiting for an image worker, a missing model pack or the switch of another company. Continues automatically.',
  since: 'Started {{time}}',
  cancel: 'Cancel switch',
  cancelled: 'Switch cancelled. {{name}} stays active',
  list: 'Available pipelines',
  pipeline: 'Pipeline',
  kind: 'Kind',
  builtIn: 'Built in',
  pack: 'Model pack',
  numbers: 'Vector size',
  faces: 'Faces with a template',
  status: 'Status',
  changingTo: 'Switching to this',
  canBeChosen: 'Available',
  use: 'Switch to this pipeline',
  back: 'Switch back to this pipeline',
  useTitle: 'Switch to {{name}}',
  useWhat:
    'The templates of all stored faces are re-created from their photos in the background. This can take hours, and continues after a restart.',
  useOld:
    '{{name}} stays active until the switch. Then all faces switch in one step. A search never mixes two pipelines.',
  useCost:
    'The switch shares the processor with enrolment, and needs memory for both galleries. You can pause it.',
  useKept:
    'Existing matches keep their scores and bands. The thresholds of the new pipeline apply afterwards.',
  thresholdsStay:
    'Your calibration applies to the current pipeline only. After the switch, the default thresholds of {{name}} apply until you calibrate again.',
  thresholdsGone:
    'Your calibration was made with another pipeline and does not apply now. The default thresholds of this pipeline apply until you calibrate again.',
  thresholdsSee: 'Active thresholds',
  useBack: 'Templates that already exist: {{faces}}. Only the others are created.',
  useInstead: 'This replaces the switch to {{name}}. Finished templates are kept.',
  start: 'Start switch',
  started: 'Switch to {{name}} started',
  way: 'Switching back',
  wayHelp:
    'The templates of the earlier pipeline are kept, so that you can switch back quickly. To delete them, in a terminal:',
  refusedTitle: 'Failed faces',
  refusedHelp:
    'The old pipeline still matches these faces. Retry, delete a face and enrol a better photo, cancel the switch, or continue without these faces.',
  refusedServing:
    'The active pipeline extracts no template from these faces. They produce no matches until you switch back, or enrol a better photo.',
  face: 'Face',
  watchlist: 'List',
  reason: 'Reason',
  whatToDo: 'What to do',
  blacklist: 'Blacklist {{id}}',
  retry: 'Retry',
  leave: 'Continue without them',
  leaveTitle: 'Continue without the failed faces ({{faces}})?',
  leaveWhat:
    'These people produce no matches in screening and search until the company switches back to {{name}}. They stay listed here. An open verification with such a photo ends as Review Needed.',
} as const;
