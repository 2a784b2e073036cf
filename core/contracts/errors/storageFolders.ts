/** Why a folder cannot keep the images of a company. */
import type { ErrorEntry } from './api.ts';
export const STORAGE_FOLDER_ERRORS = {
  STORAGE_FOLDER_RELATIVE: { text: 'Give the folder with its whole path.' },
  STORAGE_FOLDER_UNUSABLE: { text: 'The folder cannot be used. {{cause}} Choose another folder.' },
  STORAGE_FOLDER_OF_SYSTEM: {
    text: 'The folder overlaps {{folder}}, which belongs to the operating system. Choose another folder.',
  },
  STORAGE_FOLDER_OF_HOME: {
    text: "The folder overlaps the data directory of Vouch ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
  },
  STORAGE_FOLDER_OF_IMAGES: {
    text: "The folder overlaps the folder of all images ({{folder}}). Choose a folder outside it, or this company's own place: {{own}}",
  },
  STORAGE_FOLDER_OF_COMPANY: {
    text: 'The folder overlaps {{folder}}, the storage folder of another company. Choose another folder.',
  },
  STORAGE_FOLDER_OTHER_PLACE: {
    text: 'In the image store, the images of this company are kept in {{own}}. Give that place, or a folder.',
  },
  STORAGE_FOLDER_NO_STORE: {
    text: 'This installation keeps images in folders. To keep them in an image store, start the service with --images and its address.',
  },
  STORAGE_FOLDER_MARKED: {
    text: 'The folder belongs to another company or another installation of Vouch ({{marker}}). Choose another folder.',
  },
  STORAGE_FOLDER_FOREIGN_IMAGES: {
    text: 'The folder holds images that this company does not know. Choose another folder.',
  },
  STORAGE_FOLDER_ABSENT: {
    text: 'The storage folder {{folder}} is not in place: its marker file {{marker}} is missing. Mount its disk, or check the bucket and the prefix of --images. If the folder was moved, or the marker was lost, attach it: vouch company update "{{company}}" --storage FOLDER',
  },
  STORAGE_FOLDER_EXCHANGED: {
    text: 'The folder {{folder}} belongs to another company or another installation of Vouch. Mount its disk, or check the bucket and the prefix of --images. Or attach the right folder: vouch company update "{{company}}" --storage FOLDER',
  },
  STORAGE_FOLDER_AWAY: { text: 'The storage folder cannot be used now. {{cause}}' },
  STORAGE_MARKER_UNREADABLE: { text: 'The marker file {{file}} cannot be read. {{cause}}' },
  STORAGE_MARKER_DAMAGED: {
    text: 'The marker file {{marker}} in {{folder}} is damaged. Remove it, then attach the folder again: vouch company update NAME --storage FOLDER',
  },
  IMAGES_ELSEWHERE: {
    text: '{{location}} is not in the image store of this installation. Start the service with --images and the address of that store.',
  },
  IMAGES_STORE_FAILED: {
    text: 'The image store {{location}} did not carry out a request. It reports {{code}}.',
  },
  IMAGES_BUCKET_KEEPS: {
    text: 'The bucket of {{location}} keeps old versions or locks objects, or did so before: an erased photo would stay in it. Nothing was changed. Create a bucket without versioning and without object lock.',
  },
} as const satisfies Record<string, ErrorEntry>;
