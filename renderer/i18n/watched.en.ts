/** Texts of the watched folders on the Enrol screen. */
export const watched = {
  title: 'Watched folders',
  folder: 'Folder',
  state: 'Status',
  enrolled: 'Enrolled',
  failed: 'Failed',
  lastFile: 'Last file',
  state_watching: 'Watching',
  state_waiting: 'Waiting',
  state_stopped: 'Stopped',
  state_lost: 'No report',
  file_enrolled: 'Enrolled',
  file_failed: 'Failed',
  file_left: 'Not sent',
  cause_fixed:
    'The account that runs vouch watch cannot move the file. Change the permissions of its folder.',
  cause_refused:
    'The service did not accept it. The reason is in the text file beside it, in the folder failed.',
} as const;
