/** The faults of one field of a request: the reasons beside a VALIDATION. */
import type { ErrorEntry } from './api.ts';
export const FIELD_ERRORS = {
  ENCOUNTER_TOO_LONG: {
    text: 'The fields of the encounter must not be longer than {{most}} characters as JSON, without the photo. Send fewer.',
  },
  FLOW_NEVER_PUBLISHED: {
    text: 'This Trust Flow has no published version, so its draft cannot be discarded. Change the draft instead.',
  },
  IMAGES_REQUIRED: { text: 'The images field is required.', frozen: true },
  TOO_MANY_IMAGES: { text: 'The images field must not have more than {{most}} items.', frozen: true },
  IMAGE_WRONG_TYPE: { text: 'The {{field}} must be a file of type: jpg, jpeg, png.', frozen: true },
  IMAGE_TOO_MANY_BYTES: {
    text: 'The {{field}} must not be greater than {{kilobytes}} kilobytes.',
    frozen: true,
  },
  FILE_NAME_TOO_LONG: {
    text: 'The {{field}} must not have a file name of more than {{most}} characters. Rename the file and send it again.',
    frozen: true,
  },
  IMAGE_EMPTY: { text: 'The {{field}} must not be empty.', frozen: true },
  IMAGE_GONE: { text: 'The {{field}} no longer exists, or cannot be read.' },
  IMAGE_NOT_A_DATA_URI: {
    text: 'The {{field}} must be a data URI of the form data:<media_type>;base64,<data>.',
    frozen: true,
  },
  IMAGE_NOT_BASE64: { text: 'The {{field}} must hold valid base64 data.', frozen: true },
  IMAGE_NOT_A_FILE: { text: 'The {{field}} must be a file.', frozen: true },
  TEXT_HAS_NUL: {
    text: 'The {{field}} must not contain the character U+0000. Remove it and send the request again.',
  },
  FILE_NAME_UNREADABLE: {
    text: 'The {{field}} has a file name that is not in UTF-8, or whose letters were lost before it was sent. Send the name in UTF-8, or as filename*.',
  },
  FORM_PART_UNREADABLE: {
    text: 'Part {{part}} of the form has no readable Content-Disposition: form-data with a name. Send the form again.',
  },
  FORM_PART_ENCODED: {
    text: 'The {{field}} is sent with Content-Transfer-Encoding: {{encoding}}. Send its bytes as they are.',
  },
  CURSOR_UNKNOWN: {
    text: 'The {{field}} did not come from an answer of this list. Request the list without it.',
  },
  FIELD_WITHOUT_NAME: {
    text: 'A part of the form has no name. Send files as images[] or images[0], images[1] and so on.',
    frozen: true,
  },
  FIELD_UNKNOWN: {
    text: 'The {{field}} field is not accepted. Send files as images[] or images[0], images[1] and so on.',
    frozen: true,
  },
  PERSONS_NOT_A_LIST: {
    text: 'The persons field must be a JSON array with one entry for each photo: null, or an object with name, externalId or both, each of at most {{most}} characters.',
    frozen: true,
  },
  PERSONS_OTHER_NUMBER: {
    text: 'The persons field has {{given}} entries for {{photos}} photos. Send one entry for each photo, and null for a photo without a person.',
    frozen: true,
  },
  SIGNATURE_NOT_A_DATA_URI: {
    text: 'The {{field}} must be a data URI of the form data:<media_type>;base64,<data>.',
    frozen: true,
  },
  SIGNATURE_WRONG_MEDIA_TYPE: {
    text: 'The {{field}} must be a data URI of type image/png or image/jpeg.',
    frozen: true,
  },
  SIGNATURE_NOT_BASE64: { text: 'The {{field}} must hold valid base64 data.', frozen: true },
  SIGNATURE_EMPTY: { text: 'The {{field}} must not be empty.', frozen: true },
  SIGNATURE_TOO_MANY_BYTES: {
    text: 'The {{field}} must not be greater than {{kilobytes}} kilobytes when decoded.',
    frozen: true,
  },
  SIGNATURE_NOT_AN_IMAGE: { text: 'The {{field}} must be an image of type: jpg, jpeg, png.', frozen: true },
  SIGNATURE_UNDECODABLE: { text: 'The {{field}} is damaged and cannot be read.', frozen: true },
  SIGNATURE_UNSUPPORTED_KIND: {
    text: 'The {{field}} is a kind of JPEG or PNG that is not supported. Save it again as a JPEG with 8 bits a channel, or as a PNG without animation.',
  },
  SIGNATURE_TOO_SMALL: {
    text: 'The {{field}} must be at least {{pixels}} pixels on its shortest side.',
    frozen: true,
  },
  SIGNATURE_TOO_MANY_PIXELS: {
    text: 'The {{field}} must not have more than {{megapixels}} megapixels.',
    frozen: true,
  },
  SIGNATURE_TOO_LARGE: {
    text: 'The {{field}} must not be longer than {{pixels}} pixels or take too much memory to decode. Save it with fewer pixels, as a PNG or JPEG that is not interlaced or progressive.',
    frozen: true,
  },
  SIGNATURE_SET_COUNT: { text: 'The known field must have between {{least}} and {{most}} images.' },
  SIGNATURE_SET_TOO_MANY_BYTES: {
    text: 'All images together must not be greater than {{kilobytes}} kilobytes when decoded. Send smaller pictures, or fewer known signatures.',
  },
  SIGNATURE_ANOTHER_FILE: {
    text: 'The {{field}} is not the file that was compared. Its SHA-256 differs.',
  },
  NAME_TAKEN: { text: 'The name has already been taken.', frozen: true },
  LAST_ADMIN: { text: 'At least one active administrator is required. Add another administrator first.' },
  COMPANY_HAS_NO_OPERATOR: {
    text: 'This company already exists. Create its first operator in a terminal: vouch operator create',
  },
  PASSPHRASE_TOO_SHORT: { text: 'The passphrase must have at least {{least}} characters.' },
  PASSPHRASE_IS_NAME: { text: 'Do not use a name as the passphrase.' },
  PASSPHRASE_GUESSED: {
    text: 'The passphrase is too easy to guess. It repeats itself or follows a keyboard pattern.',
  },
  BLACKLIST_NOT_ACTIVE: { text: 'The selected blacklist is not active.' },
  ALREADY_EXPIRED: { text: 'The expiry date is in the past. Choose a date in the future.' },
  PARAMETER_UNKNOWN: {
    text: 'There is no parameter named {{parameter}}. Correct its name, or leave it out.',
  },
  SETTING_UNKNOWN: { text: 'There is no setting named {{setting}}.' },
  FIELD_NOT_OF_KIND: { text: '{{sentence}}' },
  FIELD_TOO_SMALL: { text: '{{sentence}}' },
  FIELD_TOO_LARGE: { text: '{{sentence}}' },
  FIELD_INVALID: { text: '{{sentence}}' },
} as const satisfies Record<string, ErrorEntry>;
