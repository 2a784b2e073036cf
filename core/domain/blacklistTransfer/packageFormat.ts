/**
 * A blacklist on its way from one site to another. On disk: magic and version, an ephemeral public key, the beginning of
 * the receiver's key hash, then a sealed stream. Sealed inside: entries one after another (a head, then per face its
 * facts, templates, small picture and perhaps its photo), at the end a signature of the sender over everything before
 * it and over the receiver's key, so that a receiver cannot pass a bundle on as if it were meant for somebody else.
 */
import { createHash, type Hash } from 'node:crypto';
import { z } from 'zod';
import { installationName } from '../../contracts/blacklistTransfer.ts';
import { IMAGE_FORMATS, type ImageFormat, type Template } from '../../contracts/faces.ts';
import {
  faceName,
  facePlace,
  faceQuality,
  imageSize,
  MOST_DIMENSIONS,
} from '../recognition/faceValidation.ts';
import { KEY_BYTES } from '../encryption/keys.ts';
import type { FaceOrigin, FacePlace } from '../ports/blacklistTransfer.ts';
import { displayName } from '../../contracts/displayName.ts';

export const MAGIC = Buffer.from('VOUCHXCH\u0001', 'latin1');
export const PURPOSE = 'vouch exchange 1';
const RECIPIENT_BYTES = 8;
export const HEADER_BYTES = MAGIC.length + KEY_BYTES + RECIPIENT_BYTES;

/** Largest parts of a bundle: far above what any site makes, so that a broken one cannot fill the memory. */
export const MOST_FACTS_BYTES = 64 * 1024;
export const MOST_TEMPLATE_BYTES = MOST_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
export const MOST_PHOTO_BYTES = 64 * 1024 * 1024;
/** Pipelines that a face has templates of. */
const MOST_TEMPLATES = 16;

const key = z.base64().length(44);
export const bundleHead = z.object({
  bundle: z.uuid(),
  exportedAt: z.iso.datetime(),
  sender: z.object({ name: installationName, signingKey: key }),
  list: z.object({
    id: z.number().int().positive(),
    name: z.string().overwrite(displayName),
    description: z.string().overwrite(displayName).nullable(),
  }),
});
export type BundleHead = z.infer<typeof bundleHead>;

export const faceFacts = z.object({
  origin: z.object({
    site: z.string().regex(/^[0-9a-f]{64}$/),
    face: z.string().regex(/^\d{1,16}-[0-9a-f]{16}$/),
  }),
  name: faceName,
  /** In the photo where there is one, else in the small picture. */
  place: facePlace,
  quality: faceQuality,
  pipelines: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MOST_TEMPLATES)
    .refine((pipelines) => new Set(pipelines).size === pipelines.length),
  photo: z
    .object({
      format: z.enum(IMAGE_FORMATS),
      size: imageSize.nullable(),
    })
    .nullable(),
});
export type FaceFacts = z.infer<typeof faceFacts>;
export const bundleEnd = z.object({ faces: z.number().int(), signature: z.base64() });

export interface BundlePhoto {
  content: Uint8Array;
  format: ImageFormat;
  size: { width: number; height: number } | null;
}

/** A face as it travels. */
export interface BundleFace {
  origin: FaceOrigin;
  name: string;
  /** In the photo where there is one, else in the small picture. */
  place: FacePlace;
  quality: FaceFacts['quality'];
  templates: Template[];
  /** A JPEG of the aligned face. */
  chip: Uint8Array;
  photo: BundlePhoto | null;
}

/** How a bundle says whose it is: the beginning of the hash of their key. */
export function recipientOf(publicKey: Uint8Array): Buffer {
  return createHash('sha256').update(publicKey).digest().subarray(0, RECIPIENT_BYTES);
}

/** What the sender signs; `seen` goes on being used. */
export function signedMessage(seen: Hash, receiver: Uint8Array, faces: number): Buffer {
  const digest = seen.copy().digest('hex');
  return Buffer.from(JSON.stringify([PURPOSE, Buffer.from(receiver).toString('base64'), faces, digest]));
}
