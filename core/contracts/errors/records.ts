import type { ErrorEntry } from './api.ts';

const COPY_AGAIN = 'Copy the file again from the system that made it.';

/** Faults of face records of other systems. `part` is the field's name in the standard. */
export const RECORD_ERRORS = {
  RECORD_UNKNOWN: {
    text: 'The file is not a face record that Vouch reads.',
    remedy:
      'Use a record of ISO/IEC 19794-5 or 39794-5, a data group 2 of a passport, a CBEFF XML file, or base64 text of one of them.',
  },
  RECORD_CUT_SHORT: {
    text: 'The face record ends too early: {{part}} needs {{needed}} bytes, and {{left}} are left.',
    remedy: COPY_AGAIN,
  },
  RECORD_LENGTH_WRONG: {
    text: 'The face record is damaged: {{part}} states a length of {{stated}} bytes, and its content has {{actual}}.',
    remedy: COPY_AGAIN,
  },
  RECORD_LENGTH_INDEFINITE: {
    text: 'The face record has an element of indefinite length ({{part}}). Passports and ISO/IEC 39794 require definite lengths.',
    remedy: 'Write the face record again in DER.',
  },
  RECORD_VALUE_WRONG: {
    text: 'The face record is damaged: {{part}} is {{value}}. The standard allows {{allowed}}.',
    remedy: COPY_AGAIN,
  },
  RECORD_FIELD_MISSING: {
    text: 'The face record is incomplete: {{part}} is missing.',
    remedy: COPY_AGAIN,
  },
  RECORD_FIELD_MISPLACED: {
    text: 'The face record is damaged: {{part}} has element {{tag}} twice or where it does not belong.',
    remedy: COPY_AGAIN,
  },
  RECORD_VERSION_UNSUPPORTED: {
    text: 'The version of the face record, {{version}}, is not supported.',
    remedy: 'Use ISO/IEC 19794-5 of 2005 (010) or 2011 (030), or ISO/IEC 39794-5 (generation 3).',
  },
  RECORD_WITHOUT_FACE: {
    text: 'The file has no face. It has: {{found}}.',
    remedy: 'Use a face record.',
  },
  RECORD_TOO_LARGE: {
    text: 'The face record has more than {{most}} {{part}}.',
    remedy: 'Split the file.',
  },
  RECORD_IMAGE_UNKNOWN: {
    text: 'The picture in {{part}} is neither JPEG, JPEG 2000 nor PNG.',
    remedy: COPY_AGAIN,
  },
  RECORD_XML_BROKEN: {
    text: 'The XML of the face record is not well-formed (line {{line}}, column {{column}}).',
    remedy: COPY_AGAIN,
  },
  RECORD_XML_DOCTYPE: {
    text: 'The XML of the face record declares a document type, which can name other files. Vouch does not read it.',
    remedy: 'Remove the DOCTYPE line.',
  },
  RECORD_BASE64_BROKEN: {
    text: 'The base64 text in {{part}} is damaged.',
    remedy: COPY_AGAIN,
  },
  PICTURE_HEIC: {
    text: 'The file is HEIC, the format of photos on iPhones, which Vouch does not read.',
    remedy:
      'Open it in Safari or Photos and save it as JPEG. To take JPEG photos, choose Settings, Camera, Formats, Most Compatible on the phone.',
  },
  PICTURE_DOCUMENT: {
    text: 'The file is no photo but {{kind}}.',
    remedy: 'Save the part that shows the face as JPEG or PNG.',
  },
  PICTURE_UNSUPPORTED: {
    text: 'The file is {{kind}}, which Vouch does not read.',
    remedy: 'Open it in the program that made it and save it as JPEG, PNG or TIFF.',
  },
  PICTURE_UNKNOWN: {
    text: 'The file is in no picture format that Vouch knows.',
    remedy: 'Use JPEG, PNG, WebP, AVIF, TIFF, BMP, GIF, JPEG 2000 or a face record.',
  },
} as const satisfies Record<string, ErrorEntry>;
