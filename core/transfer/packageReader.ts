import type { KeyObject } from 'node:crypto';
import { LARGEST_IMAGE } from '../contracts/limits/limits.ts';
import { CodedError, problem } from '../contracts/errors/problem.ts';
import type { ImageFormat, Template } from '../contracts/faces.ts';
import { trusted } from '../contracts/ids.ts';
import { imageFault, MAX_THUMBNAIL_BYTES, templateFault } from '../domain/recognition/faceValidation.ts';
import { NotAgeFile, openAge, DecryptionFailed } from '../encryption/age.ts';
import {
  ContainerReader,
  ManifestTooLarge,
  MAX_MANIFEST_BYTES,
  wholeOf,
  type ContainerFile,
} from '../encryption/container.ts';
import { ed25519PublicKey, fingerprintOf } from '../encryption/keys.ts';
import type { OpenedPackage, PackagedFace } from '../domain/ports/blacklistTransfer.ts';
import {
  packageHead,
  faceFacts,
  faceFile,
  FORMAT,
  HEAD,
  LABEL,
  MAX_TEMPLATE_BYTES,
  packageManifest,
  type PackageHead,
  MAX_FACTS_BYTES,
} from './packageFormat.ts';
import type { IdentityKeys } from './installationIdentity.ts';
import { requireSound } from '../domain/blacklistTransfer/planning.ts';
import { z } from 'zod';
import { ArchiveBroken } from '../encryption/tar.ts';

/** Files of a transfer package in the order in which they must come. */
class FileSource {
  readonly #files: AsyncIterator<ContainerFile>;

  constructor(files: AsyncIterable<ContainerFile>) {
    this.#files = files[Symbol.asyncIterator]();
  }

  /** @returns undefined: the package ends here, and its files are those of its manifest */
  async next(): Promise<ContainerFile | undefined> {
    const next = await this.#files.next();
    return next.done === true ? undefined : next.value;
  }

  /** @throws {Malformed} another file, or one that is too long */
  async take(name: string, maxBytes: number): Promise<Buffer> {
    return contentOf(await this.next(), name, maxBytes);
  }

  async close(): Promise<void> {
    await this.#files.return?.();
  }
}

/** @throws {Malformed} another file, or one that is too long */
async function jsonOf(file: ContainerFile | undefined, name: string): Promise<unknown> {
  return JSON.parse((await contentOf(file, name, MAX_FACTS_BYTES)).toString('utf8')) as unknown;
}

async function contentOf(file: ContainerFile | undefined, name: string, maxBytes: number): Promise<Buffer> {
  if (file?.name !== name || file.size > maxBytes) throw new Malformed();
  return wholeOf(file.content);
}

/** Authentic, but not what this program writes. */
export class Malformed extends Error {}

/** Turns the faults of a transfer package into refusals. */
export async function orRefused<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CodedError) throw cause;
    if (cause instanceof DecryptionFailed) throw damaged(cause);
    if (cause instanceof ManifestTooLarge)
      throw new CodedError(problem('PACKAGE_MANIFEST_TOO_LARGE', { kib: MAX_MANIFEST_BYTES / 1024 }), {
        cause,
      });
    if ([Malformed, ArchiveBroken, z.ZodError, SyntaxError].some((kind) => cause instanceof kind))
      throw new CodedError(problem('PACKAGE_FORM_UNKNOWN'), { cause });
    throw cause;
  }
}

function damaged(cause?: unknown): CodedError {
  return new CodedError(problem('PACKAGE_DAMAGED'), { cause });
}

/**
 * @param read the package from its first byte, as often as it is called
 * @throws {CodedError} no transfer package, for another installation, of a later format, or damaged
 */
export async function openPackage(
  read: () => AsyncIterable<Uint8Array>,
  receiver: IdentityKeys['receiving'],
): Promise<OpenedPackage> {
  const head = await orRefused(async () => {
    const container = await openContainer(read(), receiver);
    for await (const file of container.files()) return packageHead.parse(await jsonOf(file, HEAD));
    throw new Malformed();
  });
  const signingKey = Buffer.from(head.sender.signingKey, 'base64');
  return {
    head: { ...head, sender: { name: head.sender.name, signingKey } },
    faces: () => facesOf(read, head, receiver),
  };
}

/** @param known the kind of package, and its newest format */
export async function openContainer(
  source: AsyncIterable<Uint8Array>,
  receiver: IdentityKeys['receiving'],
  known = { label: LABEL, format: FORMAT },
): Promise<ContainerReader> {
  const file = await openAge(source).catch((cause: unknown) => {
    throw cause instanceof NotAgeFile ? new CodedError(problem('PACKAGE_NOT_ONE'), { cause }) : cause;
  });
  try {
    const [format, fingerprint] = file.label(known.label) ?? [];
    if (format === undefined) throw new CodedError(problem('PACKAGE_NOT_ONE'));
    if (format !== String(known.format))
      throw new CodedError(problem('PACKAGE_FORMAT_NEWER', { format, known: known.format }));
    if (fingerprint !== fingerprintOf(receiver.publicKey))
      throw new CodedError(problem('PACKAGE_FOR_OTHER_INSTALLATION'));
    const fileKey = file.unwrap(receiver.privateKey);
    if (fileKey === undefined) throw damaged();
    return new ContainerReader(file.decrypt(fileKey));
  } catch (cause) {
    await file.close();
    throw cause;
  }
}

async function* facesOf(
  read: () => AsyncIterable<Uint8Array>,
  head: PackageHead,
  receiver: IdentityKeys['receiving'],
): AsyncIterable<PackagedFace> {
  const sender = ed25519PublicKey(Buffer.from(head.sender.signingKey, 'base64'));
  const container = await orRefused(() => openContainer(read(), receiver));
  const source = new FileSource(container.files());
  try {
    const first = await orRefused(async () => packageHead.parse(await jsonOf(await source.next(), HEAD)));
    if (JSON.stringify(first) !== JSON.stringify(head)) throw damaged();
    let count = 0;
    for (;;) {
      const face = await orRefused(async () => {
        const next = await nextFace(source, count);
        if (next === undefined) checkManifest(container, { count, sender, receiver });
        return next;
      });
      if (face === undefined) return;
      count += 1;
      yield face;
    }
  } finally {
    await source.close();
  }
}

/** The signature binds a package to its receiver, who could else encrypt it for another installation. @throws {CodedError} */
function checkManifest(
  { manifest }: ContainerReader,
  expected: { count: number; sender: KeyObject; receiver: IdentityKeys['receiving'] },
): void {
  const { faces, receiver } = packageManifest.parse(manifest.fields);
  const isForThisOne = Buffer.from(receiver, 'base64').equals(expected.receiver.publicKey);
  if (faces !== expected.count || !isForThisOne || !manifest.isSignedBy(expected.sender))
    throw new CodedError(problem('PACKAGE_SIGNATURE_WRONG'));
}

/** @param count faces before this one @returns undefined at the end */
async function nextFace(source: FileSource, count: number): Promise<PackagedFace | undefined> {
  const file = await source.next();
  if (file === undefined) return undefined;
  const named = (name: string) => faceFile(count + 1, name);
  const { pipelines, photo, quality, ...facts } = faceFacts.parse(await jsonOf(file, named('face.json')));
  const templates: Template[] = [];
  for (const [index, pipeline] of pipelines.entries()) {
    const bytes = await source.take(named(`template-${index + 1}.f32`), MAX_TEMPLATE_BYTES);
    if (bytes.length === 0 || bytes.length % Float32Array.BYTES_PER_ELEMENT !== 0) throw new Malformed();
    // Copied, because the piece need not be aligned for floats.
    const vector = new Float32Array(Uint8Array.from(bytes).buffer);
    requireSound('template', count, templateFault(vector));
    templates.push({ pipelineId: trusted.pipeline(pipeline), vector });
  }
  const picture = async (name: string, format: ImageFormat, maxBytes: number) => {
    const content = await source.take(named(name), maxBytes);
    requireSound(
      name === 'face.jpg' ? 'small picture' : 'photo',
      count,
      imageFault(content, format, maxBytes),
    );
    return content;
  };
  const thumbnail = await picture('face.jpg', 'jpeg', MAX_THUMBNAIL_BYTES);
  return {
    ...facts,
    quality,
    templates,
    thumbnail,
    photo: photo && {
      ...photo,
      content: await picture(`photo.${photo.format}`, photo.format, LARGEST_IMAGE),
    },
  };
}
