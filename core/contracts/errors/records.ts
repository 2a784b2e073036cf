import { errors, errorsWith, type ErrorEntry } from './entries.ts';

const COPY_AGAIN = 'Copy the file again from the system that made it.';

/** Faults of face records of other systems. `part` is the field's name in the standard. */
export const RECORD_ERRORS = {
  ...errors({
    RECORD_UNKNOWN: [
      'The file is not a face record that Vouch reads.',
      'Use a record of ISO/IEC 19794-5 or 39794-5, a data group 2 of a passport, a CBEFF XML file, or base64 text of one of them.',
    ],
    RECORD_LENGTH_INDEFINITE: [
      'The face record has an element of indefinite length ({{part}}). Passports and ISO/IEC 39794 require definite lengths.',
      'Write the face record again in DER.',
    ],
    RECORD_VERSION_UNSUPPORTED: [
      'The version of the face record, {{version}}, is not supported.',
      'Use ISO/IEC 19794-5 of 2005 (010) or 2011 (030), or ISO/IEC 39794-5 (generation 3).',
    ],
    RECORD_WITHOUT_FACE: ['The file has no face. It has: {{found}}.', 'Use a face record.'],
    RECORD_TOO_LARGE: ['The face record has more than {{most}} {{part}}.', 'Split the file.'],
    RECORD_XML_DOCTYPE: [
      'The XML of the face record declares a document type, which can name other files. Vouch does not read it.',
      'Remove the DOCTYPE line.',
    ],
    PICTURE_HEIC: [
      'The file is HEIC, the format of photos on iPhones, which Vouch does not read.',
      'Open it in Safari or Photos and save it as JPEG. To take JPEG photos, choose Settings, Camera, Formats, Most Compatible on the phone.',
    ],
    PICTURE_DOCUMENT: [
      'The file is no photo but {{kind}}.',
      'Save the part that shows the face as JPEG or PNG.',
    ],
    PICTURE_UNSUPPORTED: [
      'The file is {{kind}}, which Vouch does not read.',
      'Open it in the program that made it and save it as JPEG, PNG or TIFF.',
    ],
    PICTURE_UNKNOWN: [
      'Vouch does not recognise the format of this file.',
      'Use JPEG, PNG, WebP, AVIF, TIFF, BMP, GIF, JPEG 2000 or a face record.',
    ],
  }),
  ...errorsWith({ remedy: COPY_AGAIN })({
    RECORD_CUT_SHORT:
      'The face record ends too early: {{part}} needs {{needed}} bytes, and {{left}} are left.',
    RECORD_LENGTH_WRONG:
      'The face record is damaged: {{part}} states a length of {{stated}} bytes, and its content has {{actual}}.',
    RECORD_VALUE_WRONG: 'The face record is damaged: {{part}} is {{value}}. The standard allows {{allowed}}.',
    RECORD_FIELD_MISSING: 'The face record is incomplete: {{part}} is missing.',
    RECORD_FIELD_MISPLACED:
      'The face record is damaged: {{part}} has element {{tag}} twice or where it does not belong.',
    RECORD_IMAGE_UNKNOWN: 'The picture in {{part}} is neither JPEG, JPEG 2000 nor PNG.',
    RECORD_XML_BROKEN: 'The XML of the face record is not well-formed (line {{line}}, column {{column}}).',
    RECORD_BASE64_BROKEN: 'The base64 text in {{part}} is damaged.',
  }),
} as const satisfies Record<string, ErrorEntry>;
