/** The faults of one field of a request: the reasons beside a VALIDATION. */
import { errors, errorsWith, type ErrorEntry } from './entries.ts';
export const FIELD_ERRORS = {
  ...errors({
    ENCOUNTER_TOO_LONG:
      'The fields of the encounter must not be longer than {{most}} characters as JSON, without the photo. Send fewer.',
    FLOW_NEVER_PUBLISHED:
      'This Trust Flow has no published version, so its draft cannot be discarded. Change the draft instead.',
    IMAGE_GONE: 'The {{field}} no longer exists, or cannot be read.',
    TEXT_HAS_NUL:
      'The {{field}} must not contain the character U+0000. Remove it and send the request again.',
    FILE_NAME_UNREADABLE:
      'The {{field}} has a file name that is not in UTF-8, or whose letters were lost before it was sent. Send the name in UTF-8, or as filename*.',
    FORM_PART_UNREADABLE:
      'Part {{part}} of the form has no readable Content-Disposition: form-data with a name. Send the form again.',
    FORM_PART_ENCODED:
      'The {{field}} is sent with Content-Transfer-Encoding: {{encoding}}. Send its bytes as they are.',
    CURSOR_UNKNOWN: 'The {{field}} did not come from an answer of this list. Request the list without it.',
    SIGNATURE_UNSUPPORTED_KIND:
      'The {{field}} is a kind of JPEG or PNG that is not supported. Save it again as a JPEG with 8 bits a channel, or as a PNG without animation.',
    SIGNATURE_SET_COUNT: 'The known field must have between {{least}} and {{most}} images.',
    SIGNATURE_SET_TOO_MANY_BYTES:
      'All images together must not be greater than {{kilobytes}} kilobytes when decoded. Send smaller pictures, or fewer known signatures.',
    SIGNATURE_ANOTHER_FILE: 'The {{field}} is not the file that was compared. Its SHA-256 differs.',
    LAST_ADMIN: 'At least one active administrator is required. Add another administrator first.',
    COMPANY_HAS_NO_OPERATOR:
      'This company already exists. Create its first operator in a terminal: vouch operator create',
    PASSPHRASE_TOO_SHORT: 'The passphrase must have at least {{least}} characters.',
    PASSPHRASE_IS_NAME: 'Do not use a name as the passphrase.',
    PASSPHRASE_GUESSED:
      'The passphrase is too easy to guess. It repeats itself or follows a keyboard pattern.',
    BLACKLIST_NOT_ACTIVE: 'The selected blacklist is not active.',
    ALREADY_EXPIRED: 'The expiry date is in the past. Choose a date in the future.',
    PARAMETER_UNKNOWN: 'There is no parameter named {{parameter}}. Correct its name, or leave it out.',
    SETTING_UNKNOWN: 'There is no setting named {{setting}}.',
    FIELD_NOT_OF_KIND: '{{sentence}}',
    FIELD_TOO_SMALL: '{{sentence}}',
    FIELD_TOO_LARGE: '{{sentence}}',
    FIELD_INVALID: '{{sentence}}',
  }),
  ...errorsWith({ frozen: true })({
    IMAGES_REQUIRED: 'The images field is required.',
    TOO_MANY_IMAGES: 'The images field must not have more than {{most}} items.',
    IMAGE_WRONG_TYPE: 'The {{field}} must be a file of type: jpg, jpeg, png.',
    IMAGE_TOO_MANY_BYTES: 'The {{field}} must not be greater than {{kilobytes}} kilobytes.',
    FILE_NAME_TOO_LONG:
      'The {{field}} must not have a file name of more than {{most}} characters. Rename the file and send it again.',
    IMAGE_EMPTY: 'The {{field}} must not be empty.',
    IMAGE_NOT_A_DATA_URI: 'The {{field}} must be a data URI of the form data:<media_type>;base64,<data>.',
    IMAGE_NOT_BASE64: 'The {{field}} must hold valid base64 data.',
    IMAGE_NOT_A_FILE: 'The {{field}} must be a file.',
    FIELD_WITHOUT_NAME:
      'A part of the form has no name. Send files as images[] or images[0], images[1] and so on.',
    FIELD_UNKNOWN:
      'The {{field}} field is not accepted. Send files as images[] or images[0], images[1] and so on.',
    PERSONS_NOT_A_LIST:
      'The persons field must be a JSON array with one entry for each photo: null, or an object with name, externalId or both, each of at most {{most}} characters.',
    PERSONS_OTHER_NUMBER:
      'The persons field has {{given}} entries for {{photos}} photos. Send one entry for each photo, and null for a photo without a person.',
    SIGNATURE_NOT_A_DATA_URI: 'The {{field}} must be a data URI of the form data:<media_type>;base64,<data>.',
    SIGNATURE_WRONG_MEDIA_TYPE: 'The {{field}} must be a data URI of type image/png or image/jpeg.',
    SIGNATURE_NOT_BASE64: 'The {{field}} must hold valid base64 data.',
    SIGNATURE_EMPTY: 'The {{field}} must not be empty.',
    SIGNATURE_TOO_MANY_BYTES: 'The {{field}} must not be greater than {{kilobytes}} kilobytes when decoded.',
    SIGNATURE_NOT_AN_IMAGE: 'The {{field}} must be an image of type: jpg, jpeg, png.',
    SIGNATURE_UNDECODABLE: 'The {{field}} is damaged and cannot be read.',
    SIGNATURE_TOO_SMALL: 'The {{field}} must be at least {{pixels}} pixels on its shortest side.',
    SIGNATURE_TOO_MANY_PIXELS: 'The {{field}} must not have more than {{megapixels}} megapixels.',
    SIGNATURE_TOO_LARGE:
      'The {{field}} must not be longer than {{pixels}} pixels or take too much memory to decode. Save it with fewer pixels, as a PNG or JPEG that is not interlaced or progressive.',
    NAME_TAKEN: 'The name has already been taken.',
  }),
} as const satisfies Record<string, ErrorEntry>;
