/** Beginning an examination, also of pictures that nobody enrolled: from a search, or from a comparison of two files. */
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { ExaminationId, FaceId } from '../../contracts/ids.ts';
import type { ExaminedPhoto, ExaminedSignature } from '../../storage/persons/examinations.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import type { AuditContext, Company } from '../ports/auditContext.ts';
import type { WrittenImage } from '../ports/images.ts';
import type { Parts } from '../serviceParts.ts';
import { oneChunk, sniffImageFormat } from '../values/bytes.ts';
import { referTo } from '../work/writtenImages.ts';

type Ports = Pick<Parts, 'vision' | 'images' | 'examinations' | 'log'>;

/** A JPEG or PNG, and the face in it: by its position among all of the photo, the largest first. */
export interface GivenPhoto {
  photo: Uint8Array;
  face: number;
  /** Of the file. */
  name: string;
}

type Either<T> = readonly [FaceId | T, FaceId | T];
const isFace = (side: FaceId | object): side is FaceId => typeof side === 'number';

/**
 * Begins the examination of two faces. A given photo is stored as a face that no search finds, and goes with its examination.
 * If the examination does not begin, no photo is stored.
 * @throws {CodedError} the code of a photo that cannot be used; STORAGE_NOT_CONFIGURED; NOT_FOUND: a face is not enrolled
 */
export async function beginExamination(
  ports: Ports,
  company: Company,
  pair: Either<GivenPhoto>,
  act: AuditContext,
): Promise<ExaminationId> {
  const { examinations, vision } = ports;
  const looked = await Promise.all(
    pair.map(async (side) => (isFace(side) ? side : { ...side, ...(await faceIn(vision, company, side)) })),
  );
  await vision.whenNotSwitching(company.id);
  return writing(ports, company, async (write) => {
    const stored = async (side: (typeof looked)[number]): Promise<FaceId | ExaminedPhoto> => {
      if (isFace(side)) return side;
      const { photo, format, facts, extracted, name } = side;
      return { image: await write(format, photo), facts, face: extracted, name };
    };
    const [first, second] = [await stored(looked[0]!), await stored(looked[1]!)];
    return examinations.begin(company.id, [first, second], act);
  });
}

/** A JPEG or PNG of a recorded comparison. Pixels of the upright picture. */
export interface GivenSignature extends Omit<ExaminedSignature, 'image'> {
  content: Uint8Array;
}

/**
 * Begins the examination of the two signatures of a comparison. The caller has checked that these are its files, in its order.
 * They are stored with the examination, which goes with the comparison.
 * @throws {CodedError} STORAGE_NOT_CONFIGURED; NOT_FOUND: the comparison is gone
 */
export async function beginSignatureExamination(
  ports: Pick<Ports, 'examinations' | 'images' | 'log'>,
  company: Company,
  { comparison, pair }: { comparison: number; pair: readonly [GivenSignature, GivenSignature] },
  act: AuditContext,
): Promise<ExaminationId> {
  if (company.storageFolder === null) throw new CodedError('STORAGE_NOT_CONFIGURED');
  return writing(ports, company, async (write) => {
    const stored = async ({ content, ...of }: GivenSignature): Promise<ExaminedSignature> => {
      const format = sniffImageFormat(content);
      if (format === undefined) throw new CodedError(problem('IMAGE_WRONG_TYPE', { field: 'image' }));
      return { ...of, image: await write(format, content) };
    };
    const [first, second] = [await stored(pair[0]), await stored(pair[1])];
    return ports.examinations.beginSignatures(company.id, { comparison, pair: [first, second] }, act);
  });
}

/** Runs work that writes images and refers to them. */
async function writing<T>(
  ports: Pick<Ports, 'images' | 'log'>,
  { id: company }: Company,
  work: (write: (format: ImageFormat, content: Uint8Array) => Promise<WrittenImage>) => Promise<T>,
): Promise<T> {
  const written: WrittenImage[] = [];
  return referTo(ports, company, written, () =>
    work(async (format, content) => {
      const image = await ports.images.write(company, format, oneChunk(content));
      written.push(image);
      return image;
    }),
  );
}

async function faceIn(vision: Ports['vision'], company: Company, { photo, face }: GivenPhoto) {
  const format = sniffImageFormat(photo);
  if (format === undefined) throw new CodedError(problem('IMAGE_WRONG_TYPE', { field: 'photo' }));
  if (company.storageFolder === null) throw new CodedError('STORAGE_NOT_CONFIGURED');
  const analysis = await vision.of(company.id).search(photo, { priority: 'interactive' });
  if (analysis.kind === 'refused') throw new CodedError(problem(analysis.code));
  const extracted = analysis.faces[face];
  if (extracted === undefined) throw new CodedError(problem('NO_FACE'));
  return { format, facts: analysis.image, extracted };
}
