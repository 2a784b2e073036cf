import { CodedError, problem } from '../../contracts/errors/problem.ts';
import type { BlacklistId, CompanyId, FaceId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import { imageFault, MAX_THUMBNAIL_BYTES } from '../recognition/faceValidation.ts';
import { UnavailableError } from '../ports/machine.ts';
import { hexOf } from '../values/bytes.ts';
import type { CryptoPort } from '../ports/crypto.ts';
import { installationHash } from './installationNames.ts';
import type { ListedFace, PackagedFace, TransferPackages, FacePlace } from '../ports/blacklistTransfer.ts';
import { FACE_THUMBNAIL, type Point } from '../../contracts/faces.ts';
import { MAX_FACES } from './planning.ts';
import type { Parts } from '../serviceParts.ts';

export interface ExportPorts extends Pick<
  Parts,
  'trustedInstallations' | 'transferStore' | 'crypto' | 'blacklists' | 'images' | 'clock' | 'log'
> {
  packages: TransferPackages;
}

/**
 * Seals a blacklist for another installation, while it is read; the audit log has it before its first byte leaves.
 * @param photos the photos too, and not only the small pictures
 * @throws {CodedError} no such list or installation, or more faces than a package takes
 */
export async function exportList(
  ports: ExportPorts,
  company: CompanyId,
  wanted: { list: BlacklistId; installation: number; photos: boolean },
  by: Actor,
): Promise<{ fileName: string; content: AsyncIterable<Uint8Array> }> {
  const act = { by, at: ports.clock.now() };
  const list = await ports.blacklists.find(company, wanted.list);
  if (list === undefined) throw new CodedError(problem('BLACKLIST_UNKNOWN', { blacklist: wanted.list }));
  const receiver = (await ports.trustedInstallations.list(company)).find(
    ({ id }) => id === wanted.installation,
  );
  if (receiver === undefined) throw new CodedError(problem('INSTALLATION_NOT_TRUSTED'));
  const faces = list.enrolledFacesCount;
  if (faces === 0) throw new CodedError(problem('BLACKLIST_EMPTY', { name: list.name }));
  if (faces > MAX_FACES) throw new CodedError(problem('BLACKLIST_TOO_LARGE', { faces, most: MAX_FACES }));
  const { signingKey } = await ports.packages.identity(act);
  // An erasure names the exports since a person was first stored: a later person must not be in this package.
  const last = await ports.transferStore.lastFace(company, wanted.list);
  await ports.transferStore.recordExport(
    company,
    wanted.list,
    { installation: receiver.id, faces, photos: wanted.photos },
    act,
  );
  const { id, name, description } = list;
  const own = installationHash(ports.crypto, signingKey);
  const content = await ports.packages.write(
    act,
    receiver.receivingKey,
    { id, name, description },
    travelling(ports, company, { ...wanted, own, last }),
  );
  return { fileName: `blacklist-${id}-${act.at.toISOString().slice(0, 10)}.vouchlist`, content };
}

async function* travelling(
  { transferStore, images, crypto, log }: ExportPorts,
  company: CompanyId,
  { list, photos, own, last }: { list: BlacklistId; photos: boolean; own: string; last: FaceId },
): AsyncIterable<PackagedFace> {
  for await (const page of transferStore.faces(company, list, last))
    for (const face of page) {
      if (
        face.templates.length === 0 ||
        imageFault(face.thumbnail, 'jpeg', MAX_THUMBNAIL_BYTES) !== undefined
      ) {
        log.error(
          { company, face: face.faceId },
          'a damaged face was left out of an exported blacklist; vouch doctor says what to do',
        );
        continue;
      }
      const photo = photos ? await photoOf({ images, crypto, log }, company, face) : null;
      const { origin, name, place, quality, templates, thumbnail, listing } = face;
      yield {
        name,
        quality: { ...quality, measures: { ...quality.measures } },
        templates,
        thumbnail,
        photo,
        listing,
        origin: origin ?? { installation: own, face: `${face.faceId}-${face.sha256.slice(0, 16)}` },
        place: photo === null ? inThumbnail(crypto, face) : place,
      };
    }
}

/** A face that came here without its photo has its small picture in the photo's place. */
function isThumbnailOnly(crypto: CryptoPort, { thumbnail, sha256 }: ListedFace): boolean {
  return hexOf(crypto.sha256(thumbnail)) === sha256;
}

function inThumbnail(crypto: CryptoPort, face: ListedFace) {
  return isThumbnailOnly(crypto, face) ? face.place : placeInThumbnail(face.place);
}

/** @returns null: there is none (any more); the face travels with its small picture */
async function photoOf(
  { images, crypto, log }: Pick<ExportPorts, 'images' | 'crypto' | 'log'>,
  company: CompanyId,
  face: ListedFace,
): Promise<PackagedFace['photo']> {
  if (isThumbnailOnly(crypto, face) || face.size === null) return null;
  const image = await images.read(company, face.imageId).catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    log.error({ err: error, company, face: face.faceId }, 'a stored image cannot be read back');
    return undefined;
  });
  return image === undefined ? null : { content: image.content, format: image.format, size: face.size };
}

/**
 * Where a face is in its small picture: the similarity that brought its eyes there moves its box too (a lean of the head
 * is straightened there, so the box stays upright).
 */
function placeInThumbnail({ box, eyes, confidence }: FacePlace): FacePlace {
  const [left, right] = FACE_THUMBNAIL.eyes.map(({ x, y }) => ({
    x: x * FACE_THUMBNAIL.side,
    y: y * FACE_THUMBNAIL.side,
  })) as [Point, Point];
  const scale = (right.x - left.x) / Math.hypot(eyes[1].x - eyes[0].x, eyes[1].y - eyes[0].y);
  const between = { x: (eyes[0].x + eyes[1].x) / 2, y: (eyes[0].y + eyes[1].y) / 2 };
  return {
    confidence,
    eyes: [left, right],
    box: {
      x: (left.x + right.x) / 2 + (box.x - between.x) * scale,
      y: left.y + (box.y - between.y) * scale,
      width: box.width * scale,
      height: box.height * scale,
    },
  };
}
