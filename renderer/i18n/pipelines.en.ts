/** Texts of the Pipelines screen. */
export const pipelines = {
  state: 'Faces are compared by the pipeline {{name}}',
  stateMissing: 'Nothing can be compared: the pack of the pipeline that serves is missing',
  missing:
    'The pack of {{id}} is not there. Put its folder back into models, or change to another pipeline: the stored photos are enough. Images wait in the queue meanwhile; nothing is lost.',
  changing: 'Changing to {{name}}',
  until:
    'The pipeline {{name}} serves until the switch: enrolment, screening and search see nothing of the change.',
  progress: 'Faces described by the new pipeline',
  described: 'Described',
  refused: 'Refused',
  left: 'Left',
  of: '{{done}} of {{total}} faces described',
  rate: '{{rate}} faces a second, about {{left}} left',
  stage_describing: 'Describing the stored faces again, after everything that a person waits for.',
  stage_paused: 'Paused. What was described is kept.',
  stage_refused:
    'All faces are described but those that the new pipeline refuses. It does not switch until somebody decides about them.',
  stage_waiting:
    'Waiting for the engine, a missing pack, or the change of another company. It goes on by itself.',
  since: 'Begun {{time}}',
  cancel: 'Cancel the change',
  cancelled: 'The change is cancelled; the pipeline {{name}} goes on serving',
  list: 'What can be chosen',
  pipeline: 'Pipeline',
  kind: 'Kind',
  builtIn: 'Built in',
  pack: 'Pack',
  numbers: 'Numbers per face',
  faces: 'Faces described',
  status: 'State',
  serves: 'Serves',
  changingTo: 'Being changed to',
  canBeChosen: 'Can be chosen',
  packRefused: 'Not used',
  use: 'Change to this',
  back: 'Go back to this',
  useTitle: 'Change to {{name}}',
  useWhat:
    'Every stored face is described again from its photo, in the background. This can take hours; it goes on after a restart.',
  useOld:
    'The pipeline {{name}} serves until the switch. Then all of it changes in one step; nothing is ever searched half by one and half by the other.',
  useCost:
    'It shares the processor with enrolment, and needs the memory of both galleries. Pausing gives the processor back.',
  useKept: 'Matches that were written keep their score and band. Thresholds are those of the new pipeline.',
  thresholdsStay:
    'The thresholds that were measured on your own photos count for the pipeline that serves now, and for no other. From the switch on those that ship with {{name}} count, until you measure again.',
  thresholdsGone:
    'The thresholds that were measured on your own photos were found with another pipeline and do not count now: those that ship with this one do, until you measure again.',
  thresholdsSee: 'Thresholds in force',
  useBack: 'It has described {{faces}} faces already: only the others are described again.',
  useInstead: 'It takes the place of the change to {{name}}. What was described so far is kept.',
  start: 'Start the change',
  started: 'The change to {{name}} has begun',
  way: 'The way back',
  wayHelp:
    'After the switch the templates of the earlier pipeline are kept: changing back begins with them. They are erased at the terminal only:',
  refusedTitle: 'Refused faces',
  refusedHelp:
    'With the old pipeline these people still match. Try them again; or delete a face and enrol a better photo of the person; or cancel the change; or leave them behind.',
  refusedServing:
    'The pipeline that serves refuses these faces. They match nobody until it is changed back, or a better photo takes their place.',
  face: 'Face',
  watchlist: 'Watchlist',
  reason: 'Reason',
  whatToDo: 'What to do',
  duplicates: 'Duplicate detection',
  blacklist: 'Blacklist {{id}}',
  retry: 'Try again',
  leave: 'Change over without them',
  leaveTitle: 'Change over without {{faces}} faces',
  leaveWhat:
    'These people match no longer, in no screening and no search, until the company goes back to {{name}}. They stay listed here. An open verification with such a photo ends as Review Needed.',
} as const;
