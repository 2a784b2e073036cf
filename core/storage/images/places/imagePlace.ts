/** A place that keeps the sealed image files of one company. */
import type { ImageId } from '../../../contracts/ids.ts';

/** Binds a place to an installation and a company. Images are written only where it is found. */
export const MARKER = 'vouch-storage.json';

/** 256 shelves by the first two digits, so that no folder holds a million names. */
export const SHELF_DIGITS = 2;

const SUFFIX = '.vimg';

export function shelfOf(id: ImageId): string {
  return id.slice(0, SHELF_DIGITS);
}

/** The names that lead from a place to an image file in it. */
export function imageNames(id: ImageId): [images: string, shelf: string, file: string] {
  return ['images', shelfOf(id), id + SUFFIX];
}

/** The image of a file name; undefined: it is another file. */
export function imageNamed(file: string): string | undefined {
  return file.endsWith(SUFFIX) ? file.slice(0, -SUFFIX.length) : undefined;
}

/** The file of one new image, which is written part by part. */
export interface NewImage {
  append(part: readonly Uint8Array[]): Promise<void>;
  /** Resolves when the file survives a power cut. */
  keep(): Promise<void>;
  /** Removes what there is of the file, as far as the place can be reached: a later sweep removes the rest. */
  remove(): Promise<void>;
}

/** Where the image files of one company are kept: a folder, or the part of an S3 bucket below a prefix. */
export interface ImagePlace {
  /** The path of the folder, or `s3://bucket/prefix`. */
  readonly location: string;
  /** Changes whenever the marker is written; undefined: there is none. @throws {UnavailableError} the place cannot be reached */
  markerIdentity(): Promise<string | undefined>;
  /** The content of the marker; undefined: there is none. */
  readMarker(): Promise<string | undefined>;
  writeMarker(content: string): Promise<void>;
  /** Makes the place where it can be made, and writes and removes a file in it. @throws why images cannot be written there */
  prepare(): Promise<void>;
  /** Waits while the place has more images to keep than it may hold in memory. */
  create(id: ImageId): Promise<NewImage>;
  /** The content of an image file; undefined: there is none. */
  read(id: ImageId): Promise<Buffer | undefined>;
  has(id: ImageId): Promise<boolean>;
  /** Removes image files; silent about those already gone. */
  remove(ids: readonly ImageId[]): Promise<void>;
  /** The shelves that hold images. */
  shelves(): Promise<string[]>;
  /** The images on a shelf, by the names of their files. */
  imagesOn(shelf: string): Promise<ImageId[]>;
  /** When an image file was last written, milliseconds by the clock of the place; undefined: there is none. */
  writtenAt(id: ImageId): Promise<number | undefined>;
  /** How many more bytes the place takes. */
  freeBytes(): Promise<number>;
}
