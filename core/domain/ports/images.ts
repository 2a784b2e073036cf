/** Encrypted image files. */
import type { PictureOriginal } from '../../contracts/faceRecords.ts';
import type { ImageFormat } from '../../contracts/faces.ts';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';
import type { AuditContext, Company } from './auditContext.ts';

/** An image file that is durable on disk but that nothing refers to yet. Start-up sweeps away what stays so. */
export interface WrittenImage {
  id: ImageId;
  /** AES-256 key of this file alone; kept in the database, so deleting the row makes the file unreadable. */
  key: Uint8Array;
  bytes: number;
  /** Lowercase hex of the plain content. */
  sha256: string;
  format: ImageFormat;
  /** Absent: it was received as it is stored. */
  original?: PictureOriginal;
}

/** The file of an image is not what was written: cut, changed, or another image's. A retry cannot help. */
export class ImageDamaged extends Error {
  override name = 'ImageDamaged';
}

/** An image file whose content was read to its end, and which becomes durable meanwhile. */
export interface ReceivedImage {
  image: WrittenImage;
  /** Resolves when the file survives a power cut. Rejects when it cannot be kept; then nothing of it remains. */
  durable: Promise<void>;
}

export interface ImageFiles {
  /** Encrypts a stream into a new file of the company; the caller has sniffed `format`. Resolves when it is durable. */
  write(company: CompanyId, format: ImageFormat, content: AsyncIterable<Uint8Array>): Promise<WrittenImage>;
  /**
   * As {@link write}, but resolves as soon as the content was read, so that the next one can be read while the disk works.
   * @param beside an image of the same upload: files of one folder become durable together, which is faster
   */
  receive(
    company: CompanyId,
    format: ImageFormat,
    content: AsyncIterable<Uint8Array>,
    beside?: ImageId,
  ): Promise<ReceivedImage>;
  /**
   * Decrypts and authenticates; undefined when there is no such image (or not of this company).
   * @throws {ImageDamaged} and records it in the audit log, once a day for each image
   */
  read(
    company: CompanyId,
    image: ImageId,
  ): Promise<{ content: Uint8Array; format: ImageFormat; original?: PictureOriginal } | undefined>;
  /** Removes files that no row refers to (any more); silent about those already gone. */
  discard(company: CompanyId, images: readonly ImageId[]): Promise<void>;
  /** The transaction that refers to these has ended: from now on their rows alone say whether the files are needed. */
  settled(images: readonly ImageId[]): void;
  /** Free bytes where the company's images are kept. */
  freeBytes(company: CompanyId): Promise<number>;
}

/** Image files whose storage folder can be changed. */
export interface MovableImages {
  /**
   * Keeps the company's images in this folder from now on. The files are not copied: a folder that lacks an image that
   * the present folder has is refused.
   * @returns why it is refused and what to do; undefined: it is done
   */
  moveTo(
    company: Pick<Company, 'id' | 'name'>,
    folder: string,
    act: AuditContext,
  ): Promise<string | undefined>;
}
