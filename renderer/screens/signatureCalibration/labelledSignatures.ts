/** Signatures of a folder with one subfolder for each writer. */
import type { LabelledSignature } from '../../../core/contracts/signatureCalibration.ts';
import { labelledPhotos } from '../calibration/labelledPhotos.ts';

export type SignatureFile = LabelledSignature & { image: File };

/** The subfolder of a writer that holds imitations of this writer's signature; the terminal uses the same name. */
const IMITATIONS = /\/imitations$/i;

/** The images of a chosen folder, each labelled with the subfolder that it is in. */
export function labelledSignatures(files: readonly File[]): SignatureFile[] {
  return labelledPhotos(files).photos.map(({ person, file, photo }) => ({
    writer: person.replace(IMITATIONS, ''),
    forgery: IMITATIONS.test(person),
    file,
    image: photo,
  }));
}
