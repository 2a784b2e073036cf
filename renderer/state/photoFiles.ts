import { create } from 'zustand';
import { onSessionEnd } from './sessionReset.ts';

/**
 * The files of failed photos that this window can still read. The service keeps no photo that failed, so a photo is
 * corrected from the file that the operator enrolled it from.
 */
interface PhotoFiles {
  /** Of runs of this window, by upload and place in it. */
  sent: ReadonlyMap<string, File>;
  /** Of a folder that was chosen for the correction, by file name; null: several files have the name. */
  chosen: ReadonlyMap<string, File | null>;
}

export const photoFiles = create<PhotoFiles>()(() => ({ sent: new Map(), chosen: new Map() }));

/** Remembers the file of a photo that failed. */
export function rememberPhoto(uploadId: string, index: number, file: File): void {
  photoFiles.setState(({ sent }) => {
    const key = `${uploadId}:${index}`;
    return sent.get(key) === file ? {} : { sent: new Map(sent).set(key, file) };
  });
}

/** Takes the files of a folder for the correction of photos that bear their names. */
export function choosePhotos(files: readonly File[]): void {
  const chosen = new Map<string, File | null>(photoFiles.getState().chosen);
  const seen = new Set<string>();
  for (const file of files) {
    chosen.set(file.name, seen.has(file.name) ? null : file);
    seen.add(file.name);
  }
  photoFiles.setState({ chosen });
}

/** The file of a failed photo; undefined: this window has none, or two that could be it. */
export function fileOf(
  { sent, chosen }: PhotoFiles,
  photo: { uploadId: string; index: number; fileName: string },
): File | undefined {
  return sent.get(`${photo.uploadId}:${photo.index}`) ?? chosen.get(photo.fileName) ?? undefined;
}

// The next operator must not see photos that an earlier one chose.
onSessionEnd(() => photoFiles.setState({ sent: new Map(), chosen: new Map() }));
