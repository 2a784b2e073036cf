import type { TransferPackages, PackagedFace } from '../domain/ports/blacklistTransfer.ts';
import { certificateOf, ownKeys, readCertificate, type IdentityKeys } from './installationIdentity.ts';
import { openCasePackage, writeCasePackage } from './casePackage.ts';
import { openPackage } from './packageReader.ts';
import type { InstallationKeys } from '../storage/home/installationKeys.ts';
import type { Installation } from '../storage/settings/companies.ts';
import { randomUUID } from 'node:crypto';
import { encryptAge } from '../encryption/age.ts';
import { packContainer, type NewFile } from '../encryption/container.ts';
import { fingerprintOf } from '../encryption/keys.ts';
import {
  faceFile,
  FORMAT,
  HEAD,
  KIND,
  LABEL,
  type PackageHead,
  type FaceFacts,
  type PackageManifest,
} from './packageFormat.ts';

/** Writes and opens transfer packages with the keys of this installation, which stay in here. */
export function transferPackages(ports: {
  installationKeys: InstallationKeys;
  installation: Installation;
}): TransferPackages {
  return {
    async identity(act) {
      const { name, signing, receiving } = await ownKeys(ports, act);
      return { name, signingKey: signing.publicKey, receivingKey: receiving.publicKey };
    },
    certificate: async (act) => certificateOf(await ownKeys(ports, act)),
    readCertificate: (certificate) => readCertificate(JSON.stringify(certificate)),
    write: async (act, receiver, list, faces) =>
      writePackage(await ownKeys(ports, act), receiver, { list, at: act.at }, faces),
    open: async (act, read) => openPackage(read, (await ownKeys(ports, act)).receiving),
    sealCase: async (act, receiver, folder, most) =>
      writeCasePackage(await ownKeys(ports, act), receiver, folder, { at: act.at, most }),
    openCase: async (act, source, most) =>
      openCasePackage(source, (await ownKeys(ports, act)).receiving, most),
  };
}

/**
 * Writes a transfer package: encrypted to the receiver, signed by the sender.
 * @param receiver X25519, 32 raw bytes
 * @param faces read once, one at a time
 */
export function writePackage(
  sender: IdentityKeys,
  receiver: Uint8Array,
  about: { list: PackageHead['list']; at: Date },
  faces: AsyncIterable<PackagedFace>,
): AsyncIterable<Uint8Array> {
  const head: PackageHead = {
    packageId: randomUUID(),
    exportedAt: about.at.toISOString(),
    sender: { name: sender.name, signingKey: Buffer.from(sender.signing.publicKey).toString('base64') },
    list: about.list,
  };
  let count = 0;
  const files = async function* (): AsyncIterable<NewFile> {
    yield { name: HEAD, content: JSON.stringify(head) };
    for await (const face of faces) yield* faceFiles(face, (count += 1));
  };
  const manifest = (): Omit<PackageManifest, 'entries'> => ({
    kind: KIND,
    version: FORMAT,
    receiver: Buffer.from(receiver).toString('base64'),
    faces: count,
  });
  const container = packContainer(files(), {
    about: manifest,
    at: about.at,
    signingKey: sender.signing.privateKey,
  });
  return encryptAge(receiver, [LABEL, String(FORMAT), fingerprintOf(receiver)], container).content;
}

function* faceFiles(
  { templates, thumbnail, photo, origin, name, place, quality, listing }: PackagedFace,
  number: number,
): Iterable<NewFile> {
  const pipelines = templates.map(({ pipelineId }) => pipelineId);
  const facts: FaceFacts = {
    origin,
    name,
    quality,
    pipelines,
    listing,
    place: { ...place, eyes: [...place.eyes] },
    photo: photo && { format: photo.format, size: photo.size },
  };
  yield { name: faceFile(number, 'face.json'), content: JSON.stringify(facts) };
  for (const [index, { vector }] of templates.entries())
    yield {
      name: faceFile(number, `template-${index + 1}.f32`),
      content: new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength),
    };
  yield { name: faceFile(number, 'face.jpg'), content: thumbnail };
  if (photo !== null) yield { name: faceFile(number, `photo.${photo.format}`), content: photo.content };
}
