/** Photos of a folder with one subfolder for each person. */

export interface LabelledPhoto {
  person: string;
  /** Path below the chosen folder. */
  file: string;
  photo: File;
}

const PHOTO = /\.(jpe?g|png)$/i;

/**
 * The photos of a chosen folder, each labelled with the subfolder that it is in.
 * @returns `unlabelled`: photos that are in no subfolder, which belong to no person
 */
export function labelledPhotos(files: readonly File[]): { photos: LabelledPhoto[]; unlabelled: number } {
  const photos: LabelledPhoto[] = [];
  let unlabelled = 0;
  for (const photo of files) {
    if (!PHOTO.test(photo.name)) continue;
    // `webkitRelativePath` begins with the name of the chosen folder.
    const [, ...below] = photo.webkitRelativePath.split('/');
    const person = below.slice(0, -1).join('/');
    if (person === '') unlabelled += 1;
    else photos.push({ person, file: below.join('/'), photo });
  }
  return { photos, unlabelled };
}
