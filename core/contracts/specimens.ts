/** Signature specimens of a person: known signatures that are stored for later comparisons. */
import { z } from 'zod';
import { KNOWN_SIGNATURE_LIMITS } from './knownSignatures.ts';

/** A person has at most as many as one comparison takes. */
export const SPECIMEN_LIMITS = {
  most: KNOWN_SIGNATURE_LIMITS.most,
  bytes: KNOWN_SIGNATURE_LIMITS.bytes,
} as const;

export const signatureSpecimen = z.object({
  id: z.number().int(),
  /** Lowercase hex SHA-256 of the file. */
  sha256: z.string(),
  format: z.enum(['jpeg', 'png']),
  bytes: z.number().int(),
  addedAt: z.iso.datetime(),
  /** The actor that added the specimen, as in the audit log, e.g. `operator:3`. */
  addedBy: z.string(),
});
export type SignatureSpecimenBody = z.infer<typeof signatureSpecimen>;

/** The specimens of a person, the oldest first. */
export const personSpecimens = z.object({
  /** Whether the company stores specimens. */
  stored: z.boolean(),
  items: z.array(signatureSpecimen),
});

/** The body that adds one. */
export const newSpecimen = z.object({
  /** JPEG or PNG as a data URI. */
  image: z.string(),
});

/** All specimens of a person with their images, for a comparison. */
export const loadedSpecimens = z.object({
  items: z.array(signatureSpecimen.extend({ image: z.string() })),
});
