import { problem } from '../../contracts/errors/problem.ts';
import { createHash } from 'node:crypto';
import type { BlacklistId, CompanyId } from '../../contracts/ids.ts';
import type { Actor } from '../ports/auditContext.ts';
import type { InstallationKeys } from '../ports/backup.ts';
import { imageFault, MAX_THUMBNAIL_BYTES } from '../recognition/faceValidation.ts';
import type { Installation } from '../ports/companies.ts';
import type { ImageFiles } from '../ports/images.ts';
import { UnavailableError, type Clock, type Logger } from '../ports/machine.ts';
import type { Blacklists } from '../ports/screening.ts';
import type { BundleFace } from './packageFormat.ts';
import { writeBundle } from './packageWriter.ts';
import { placeInChip } from './faceLocation.ts';
import { TransferRejected, ownIdentity, installationHash } from './installationIdentity.ts';
import { MOST_FACES } from './limits.ts';
import type { ListedFace, BlacklistTransferStore, TrustedInstallations } from '../ports/blacklistTransfer.ts';

export interface ExportPorts {
  siteKeys: InstallationKeys;
  site: Installation;
  trustedSites: TrustedInstallations;
  listExchange: BlacklistTransferStore;
  blacklists: Blacklists;
  images: ImageFiles;
  clock: Clock;
  log: Logger;
}

/**
 * Seals a blacklist for another site, while it is read; it is on the record before its first byte leaves.
 * @param photos the photos too, and not only the small pictures
 * @throws {TransferRejected} no such list or site, or more faces than a bundle takes
 */
export async function exportList(
  ports: ExportPorts,
  company: CompanyId,
  wanted: { list: BlacklistId; site: number; photos: boolean },
  by: Actor,
): Promise<{ fileName: string; content: AsyncIterable<Uint8Array> }> {
  const act = { by, at: ports.clock.now() };
  const list = await ports.blacklists.find(company, wanted.list);
  if (list === undefined)
    throw new TransferRejected(problem('BLACKLIST_UNKNOWN', { blacklist: wanted.list }));
  const receiver = (await ports.trustedSites.list(company)).find(({ id }) => id === wanted.site);
  if (receiver === undefined) throw new TransferRejected(problem('SITE_NOT_TRUSTED'));
  const faces = list.enrolledFaces;
  if (faces === 0) throw new TransferRejected(problem('BLACKLIST_EMPTY', { name: list.name }));
  if (faces > MOST_FACES)
    throw new TransferRejected(problem('BLACKLIST_TOO_LARGE', { faces, most: MOST_FACES }));
  const identity = await ownIdentity(ports, act);
  await ports.listExchange.recordExport(
    company,
    wanted.list,
    { site: receiver.id, faces, photos: wanted.photos },
    act,
  );
  const { id, name, description } = list;
  const own = installationHash(identity.signing.publicKey);
  const content = writeBundle(
    identity,
    receiver.receivingKey,
    { list: { id, name, description }, at: act.at },
    travelling(ports, company, { ...wanted, own }),
  );
  return { fileName: `blacklist-${id}-${act.at.toISOString().slice(0, 10)}.vouchlist`, content };
}

async function* travelling(
  { listExchange, images, log }: ExportPorts,
  company: CompanyId,
  { list, photos, own }: { list: BlacklistId; photos: boolean; own: string },
): AsyncIterable<BundleFace> {
  for await (const page of listExchange.faces(company, list))
    for (const face of page) {
      if (face.templates.length === 0 || imageFault(face.chip, 'jpeg', MAX_THUMBNAIL_BYTES) !== undefined) {
        log.error(
          { company, face: face.faceId },
          'a damaged face was left out of an exported blacklist; vouch doctor says what to do',
        );
        continue;
      }
      const photo = photos ? await photoOf({ images, log }, company, face) : null;
      const { origin, name, place, quality, templates, chip } = face;
      yield {
        ...{ name, quality: { ...quality, measures: { ...quality.measures } }, templates, chip, photo },
        origin: origin ?? { site: own, face: `${face.faceId}-${face.sha256.slice(0, 16)}` },
        place: photo === null ? inChip(face) : place,
      };
    }
}

/** A face that came here without its photo has its small picture in the photo's place. */
function isChipOnly({ chip, sha256 }: ListedFace): boolean {
  return createHash('sha256').update(chip).digest('hex') === sha256;
}

function inChip(face: ListedFace) {
  return isChipOnly(face) ? face.place : placeInChip(face.place);
}

/** @returns null: there is none (any more); the face travels with its small picture */
async function photoOf(
  { images, log }: Pick<ExportPorts, 'images' | 'log'>,
  company: CompanyId,
  face: ListedFace,
): Promise<BundleFace['photo']> {
  if (isChipOnly(face)) return null;
  const image = await images.read(company, face.imageId).catch((error: unknown) => {
    if (error instanceof UnavailableError) throw error;
    log.error({ err: error, company, face: face.faceId }, 'a stored image cannot be read back');
    return undefined;
  });
  return image === undefined ? null : { content: image.content, format: image.format, size: face.size };
}
