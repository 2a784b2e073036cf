/** What the field names and file names of an upload form mean (contract §4). */

import { displayName } from '../../contracts/displayName.ts';

/** Characters kept of a file name; file systems allow 255. */
const LONGEST_FILE_NAME = 255;
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
 * A file name as it is kept and shown: cleaned by {@link displayName}, not endless; a file that was sent
 * without one is called after its place in the batch.
 */
export function receivedFileName(sent: string | undefined, index: number): string {
  const name = displayName(sent ?? '');
  return name === '' ? `image-${index}` : shortened(name);
}

/** Cuts in front of the extension, so that it stays recognisable. */
function shortened(name: string): string {
  const characters = Array.from(name);
  if (characters.length <= LONGEST_FILE_NAME) return name;
  const dot = characters.lastIndexOf('.');
  const extension = dot > characters.length - 10 ? characters.slice(dot) : [];
  return [...characters.slice(0, LONGEST_FILE_NAME - extension.length), ...extension].join('');
}
