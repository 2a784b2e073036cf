/** Texts of the screen that compares the faces of two photos. */
export const faceCompare = {
  stateIdle: 'Compare the faces of two photos. No photo is enrolled or stored.',
  stateDone: 'Compared {{time}}, saved as comparison {{id}}. The photos are not stored.',
  notUsable: 'Not usable',
  notUsableHelp: 'A head that is covered or unclear. It cannot be chosen.',
  first: 'First photo',
  second: 'Second photo',
  referenceHelp: 'Your own number for this comparison. If empty, the time is used.',
  compare: 'Compare faces',
  comparing: 'Detecting and comparing faces…',
  another: 'New comparison',
  choose: 'Several faces were found. Select the face to compare.',
  face: 'Face {{number}}, quality {{quality}} out of 100',
  means_MATCH: 'Very similar. Pairs of different people rarely score this high. A person decides.',
  means_POSSIBLE_MATCH:
    'Similar, but below the threshold of Match. Compare the faces closely. A person decides.',
  means_NO_MATCH:
    'Not similar. Photos of one person can also differ this much, for example after many years.',
  means_UNDECIDED:
    'Below the threshold of Possible Match, but more similar than most pairs of different people. This alone shows neither one person nor two. A person decides.',
  means_INCONCLUSIVE: 'Not compared. A photo shows no usable face.',
  rate: 'About 1 in {{pairs}} pairs of different people is at least this similar.',
  rateLess: 'At most about 1 in {{pairs}} pairs of different people is this similar.',
  rateCommon: 'Most pairs of different people are at least this similar.',
  compareTab: 'Two faces',
  noneHelp: 'Comparisons from this screen and from the API are listed here, without photos.',
  reportHelp: 'The photos are not stored. To get a PDF report, compare the same files once more.',
} as const;
