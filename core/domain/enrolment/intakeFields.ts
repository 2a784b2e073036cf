/** The meaning of the field names and file names of an upload form. */

import { displayName } from '../../contracts/displayName.ts';

/** Characters of a file name; file systems allow 255. */
export const LONGEST_FILE_NAME = 255;
/** Characters of a caller's field name that an error repeats. */
const LONGEST_KEY = 100;

/** `images`, `images[]` or `images[0]`: the number in the brackets is not looked at, the order of the parts counts. */
const IMAGE_FIELD = /^images(\[\d{0,9}\])?$/;

export function isImageField(fieldName: string): boolean {
  return IMAGE_FIELD.test(fieldName);
}

/** The key under which an error names the image at an index. */
export function imageKey(index: number): string {
  return `images.${index}`;
}

/** The key under which an error names a field that is not one of ours. */
export function unknownKey(fieldName: string): string {
  return fieldName.toWellFormed().slice(0, LONGEST_KEY);
}

/**
 * A file name as it is kept and shown: cleaned by {@link displayName}, with the quotation marks that browsers
 * send as %22. A file that was sent without a name is called after its place in the batch.
 */
export function receivedFileName(sent: string | undefined, index: number): string {
  const name = displayName((sent ?? '').replaceAll('%22', '"'));
  return name === '' ? `image-${index}` : name;
}

/** Whether a name, without its folders, has more characters than a file system keeps. It is refused, never cut. */
export function isTooLongName(name: string): boolean {
  return Array.from(name.split(/[/\\]/).at(-1) ?? '').length > LONGEST_FILE_NAME;
}

/** Whether letters of a name were lost before it arrived: it has characters for undecodable bytes, or question marks alone. */
export function isUnreadableName(name: string): boolean {
  return name.includes('\uFFFD') || /^[?\s]*\?[?\s]*(?:\.\w+)?$/.test(name);
}
