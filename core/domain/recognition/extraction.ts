import type { CompanyId } from '../../contracts/ids.ts';
import type { ImageFiles } from '../ports/images.ts';
import { UnavailableError, type Logger } from '../ports/machine.ts';
import type { Recogniser } from '../ports/recognition.ts';
import type { ExtractionResult, FacePendingExtraction } from '../ports/pipelines.ts';

/** Extracts a template of a stored face by another pipeline. @throws {UnavailableError} the engine or the storage folder cannot be used now */
export async function extractStored(
  { images, log }: { images: ImageFiles; log: Logger },
  recogniser: Recogniser,
  company: CompanyId,
  { faceId, imageId, place }: FacePendingExtraction,
): Promise<ExtractionResult> {
  const image = await images.read(company, imageId).catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    log.error({ err: error, company, face: faceId }, 'a stored image cannot be read back');
    return undefined;
  });
  if (image === undefined) return { faceId, code: 'CORRUPT_IMAGE' };
  const second = await recogniser.reextract(image.content, place);
  return second.kind === 'extracted'
    ? { faceId, vector: second.template.vector }
    : { faceId, code: second.code };
}
