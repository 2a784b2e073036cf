import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { z } from 'zod';
import type { faceCompareRequest } from '../../contracts/faceComparisons.ts';
import { readDataUri, type DataUriFault } from './dataUri.ts';
import {
  SIGNATURE_LIMITS,
  type SignatureFault,
  type SignatureMatchRequest,
} from '../../contracts/signatures.ts';
import { sniffImageFormat } from '../../domain/common/imageFormat.ts';
import type { ImagePair } from '../../domain/ports/comparisons.ts';
import type { OfEither } from '../../domain/ports/signatures.ts';
import { signatureProblems } from './comparisonBodies.ts';
import { ApiError, invalidFields } from './errors.ts';

/**
 * The two photos of a comparison and the caller's references.
 * @throws {ApiError} 422 on every image at fault
 */
export function photosOf(sent: z.infer<typeof faceCompareRequest>, most: number): ImagePair {
  const errors = new Map<string, Problem[]>();
  const read = (key: 'image1' | 'image2'): Uint8Array => {
    try {
      return photoOf(key, sent[key], most);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const [field, messages] of error.errors ?? []) errors.set(field, [...messages]);
      return new Uint8Array();
    }
  };
  const pair = {
    image1: read('image1'),
    image2: read('image2'),
    templateId: sent.template_id,
    verificationId: sent.verification_id,
  };
  if (errors.size > 0) throw invalidFields(errors);
  return pair;
}

/** @throws {ApiError} 422 on `key`, also where the content is neither a JPEG nor a PNG */
function photoOf(key: string, sent: string | Uint8Array, most: number): Uint8Array {
  const image = imageOf(sent, most, key);
  if (sniffImageFormat(image) === undefined)
    throw invalidImage(problem('IMAGE_WRONG_TYPE', { field: key }), key);
  return image;
}

/**
 * An image as a data URI, or as the bytes of a file part; its content is not looked at.
 * @param most bytes that it may have
 * @throws {ApiError} 422 on `key`
 */
export function imageOf(sent: string | Uint8Array, most: number, key = 'image'): Uint8Array {
  if (typeof sent === 'string') {
    const read = readDataUri(sent, { bytes: most, mediaType: /^image\//i });
    if (read.kind === 'fault') throw invalidImage(faultMessage(read.fault, most, key), key);
    return read.bytes;
  }
  if (sent.length === 0) throw invalidImage(problem('IMAGE_EMPTY', { field: key }), key);
  if (sent.length > most)
    throw invalidImage(
      problem('IMAGE_TOO_MANY_BYTES', { field: key, kilobytes: Math.floor(most / 1024) }),
      key,
    );
  return sent;
}

function faultMessage(fault: DataUriFault, most: number, key: string): Problem {
  const messages: Record<DataUriFault, Problem> = {
    NOT_A_DATA_URI: problem('IMAGE_NOT_A_DATA_URI', { field: key }),
    WRONG_MEDIA_TYPE: problem('IMAGE_WRONG_TYPE', { field: key }),
    NOT_BASE64: problem('IMAGE_NOT_BASE64', { field: key }),
    EMPTY: problem('IMAGE_EMPTY', { field: key }),
    TOO_MANY_BYTES: problem('IMAGE_TOO_MANY_BYTES', { field: key, kilobytes: Math.floor(most / 1024) }),
  };
  return messages[fault];
}

/** 422 on `key`. */
export function invalidImage(found: Problem, key = 'image'): ApiError {
  return invalidFields({ [key]: [found] });
}

/** `image/jpg` is no media type, although many clients send it; the content decides. */
const SIGNATURE_TYPE = /^image\/(png|jpe?g)$/i;

/**
 * The two images of a request to compare signatures.
 * @throws {ApiError} 422 on every image at fault
 */
export function signaturesOf(sent: SignatureMatchRequest): ImagePair {
  const image1 = readSignatureImage(sent.image1);
  const image2 = readSignatureImage(sent.image2);
  if (image1.kind === 'image' && image2.kind === 'image')
    return {
      image1: image1.bytes,
      image2: image2.bytes,
      templateId: sent.template_id,
      verificationId: sent.verification_id,
    };
  const faults: OfEither<SignatureFault> = {
    ...(image1.kind === 'fault' && { image1: image1.fault }),
    ...(image2.kind === 'fault' && { image2: image2.fault }),
  };
  throw invalidFields(signatureProblems(faults));
}

/** Decodes a data URI of at most so many bytes, 10 MiB by default, and checks that its content is a PNG or a JPEG. */
export function readSignatureImage(
  uri: string,
  bytes: number = SIGNATURE_LIMITS.bytes,
): { kind: 'image'; bytes: Uint8Array } | { kind: 'fault'; fault: SignatureFault } {
  const read = readDataUri(uri, { bytes, mediaType: SIGNATURE_TYPE });
  if (read.kind === 'fault') return read;
  if (!sniffImageFormat(read.bytes)) return { kind: 'fault', fault: 'NOT_AN_IMAGE' };
  return { kind: 'image', bytes: read.bytes };
}

/** The image of a data URI; no bytes where it cannot be read, whose hash is that of no image. */
export function imageBytesOf(uri: string, most?: number): Uint8Array {
  const image = readSignatureImage(uri, most);
  return image.kind === 'image' ? image.bytes : new Uint8Array();
}
