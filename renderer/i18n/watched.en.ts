/** Texts of the watched folders on the Enrol screen. */
export const watched = {
  title: 'Watched folders',
  folder: 'Folder',
  state: 'State',
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
} as const;
