/**
 * A transfer package: a blacklist on its way from one installation to another. It is an age file encrypted to the receiver.
 * Inside is a container: `blacklist.json` first, then for each face its facts, templates, small picture and perhaps its photo.
 * The sender signs the manifest, which names the receiver's key, so that a receiver cannot pass a package on as if it were
 * meant for another installation.
 */
import { z } from 'zod';
import { installationName } from '../contracts/blacklistTransfer.ts';
import { faceListing, LISTING_TEXTS, ofTexts } from '../contracts/faceListing.ts';
import { IMAGE_FORMATS } from '../contracts/faces.ts';
import {
  faceName,
  facePlace,
  faceQuality,
  imageSize,
  MAX_DIMENSIONS,
} from '../domain/recognition/faceValidation.ts';
import { manifestFields } from '../encryption/container.ts';
import { displayName } from '../contracts/displayName.ts';

/** Type of the stanza in the age header; its arguments are the format and the fingerprint of the receiver's key. */
export const LABEL = 'vouch-blacklist';
export const FORMAT = 1;
export const KIND = 'vouch blacklist';
/** The first file. */
export const HEAD = 'blacklist.json';

/** @param number of the face in the package, from 1 */
export function faceFile(number: number, name: string): string {
  return `faces/${number}/${name}`;
}

/** Largest parts of a package, far above those of any installation, so that a damaged one cannot fill the memory. */
export const MAX_FACTS_BYTES = 64 * 1024;
export const MAX_TEMPLATE_BYTES = MAX_DIMENSIONS * Float32Array.BYTES_PER_ELEMENT;
/** Pipelines that a face has templates of. */
const MAX_TEMPLATES = 16;

/** A raw key of 32 bytes. */
export const key = z.base64().length(44);
export const packageHead = z.object({
  packageId: z.uuid(),
  exportedAt: z.iso.datetime(),
  sender: z.object({ name: installationName, signingKey: key }),
  list: z.object({
    id: z.number().int().positive(),
    name: z.string().overwrite(displayName),
    description: z.string().overwrite(displayName).nullable(),
  }),
});
export type PackageHead = z.infer<typeof packageHead>;

export const faceFacts = z.object({
  origin: z.object({
    installation: z.string().regex(/^[0-9a-f]{64}$/),
    face: z.string().regex(/^\d{1,16}-[0-9a-f]{16}$/),
  }),
  name: faceName,
  /** In the photo where there is one, else in the small picture. */
  place: facePlace,
  quality: faceQuality,
  pipelines: z
    .array(z.string().min(1).max(200))
    .min(1)
    .max(MAX_TEMPLATES)
    .refine((pipelines) => new Set(pipelines).size === pipelines.length),
  // A code point is at most two units of UTF-16.
  listing: faceListing.extend(
    ofTexts((field) =>
      z
        .string()
        .overwrite(displayName)
        .max(2 * LISTING_TEXTS[field])
        .nullable(),
    ),
  ),
  photo: z
    .object({
      format: z.enum(IMAGE_FORMATS),
      size: imageSize,
    })
    .nullable(),
});
export type FaceFacts = z.infer<typeof faceFacts>;

export const packageManifest = manifestFields.extend({
  kind: z.literal(KIND),
  version: z.literal(FORMAT),
  /** X25519 key of the installation that the package is for. */
  receiver: key,
  faces: z.number().int(),
});
export type PackageManifest = z.infer<typeof packageManifest>;
