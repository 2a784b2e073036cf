/** Encrypted image files. */
import type { ImageFormat } from '../../contracts/faces.ts';
import type { CompanyId, ImageId } from '../../contracts/ids.ts';

/** An image file that is durable on disk but that nothing refers to yet. Start-up sweeps away what stays so. */
export interface WrittenImage {
  id: ImageId;
  /** AES-256 key of this file alone; kept in the database, so deleting the row makes the file unreadable. */
  key: Uint8Array;
  bytes: number;
  /** Lowercase hex of the plain content. */
  sha256: string;
  format: ImageFormat;
}

export interface ImageFiles {
  /** Encrypts a stream into a new file of the company; the caller has sniffed `format`. Resolves when it is durable. */
  write(company: CompanyId, format: ImageFormat, content: AsyncIterable<Uint8Array>): Promise<WrittenImage>;
  /** Decrypts and authenticates; undefined when there is no such image (or not of this company). */
  read(company: CompanyId, image: ImageId): Promise<{ content: Uint8Array; format: ImageFormat } | undefined>;
  /** Removes files that no row refers to (any more); silent about those already gone. */
  discard(company: CompanyId, images: readonly ImageId[]): Promise<void>;
  /** Free bytes where the company's images are kept. */
  freeBytes(company: CompanyId): Promise<number>;
}
