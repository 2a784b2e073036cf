import { problem, type Problem } from '../../contracts/errors/problem.ts';
import type { z } from 'zod';
import type { faceCompareRequest } from '../../contracts/faceComparisons.ts';
import {
  SIGNATURE_LIMITS,
  type SignatureFault,
  type SignatureMatchRequest,
} from '../../contracts/signatures.ts';
import type { ImagePair } from '../../domain/ports/comparisons.ts';
import { signatureProblems } from './comparisonBodies.ts';
import { ApiError, invalidFields, type FieldErrors, type UncheckedBody } from './errors.ts';
import { sniffImageFormat } from '../../domain/values/bytes.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';

// Reading the data URIs in which callers send images inside a field.

/** Bytes of a body with two images, four for three, of the largest size that a company may set (50 MB). */
export const PAIR_BODY_LIMIT = 3 * 50 * 1024 * 1024;

/** Some writers leave the media type out, or write it as `image/*`. */
const HEAD = /^data:(?:([a-z0-9.+-]+\/[a-z0-9.+*-]+)?(?:;[a-z0-9-]+=[a-z0-9."-]+)*;)?base64,/i;
/** Characters in which the head must end: what comes later is not searched. */
const LONGEST_HEAD = 128;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Characters that encoders insert when they fold and indent lines. A space within a line was a "+" that a form lost. */
const FOLDS = /[\t\n\f\r]+ */g;

type DataUriFault = 'NOT_A_DATA_URI' | 'WRONG_MEDIA_TYPE' | 'NOT_BASE64' | 'EMPTY' | 'TOO_MANY_BYTES';

/**
 * Decodes `data:<media type>;base64,<data>`. Parameters of the media type (`;charset=utf-8`) and white space around the
 * URI and line breaks inside the data are allowed; percent-encoded and URL-safe base64 are not.
 * @param limits `bytes` of the decoded content; `mediaType` that is taken (empty: none is named), whatever the content turns out to be
 */
function readDataUri(
  uri: string,
  limits: { bytes: number; mediaType: RegExp },
): { kind: 'bytes'; bytes: Uint8Array } | { kind: 'fault'; fault: DataUriFault } {
  const fault = (code: DataUriFault) => ({ kind: 'fault', fault: code }) as const;
  const text = uri.trimStart();
  const head = HEAD.exec(text.slice(0, LONGEST_HEAD));
  if (!head) return fault('NOT_A_DATA_URI');
  if (!limits.mediaType.test(head[1] ?? '')) return fault('WRONG_MEDIA_TYPE');
  const payload = text.slice(head[0].length).trim().replace(FOLDS, '');
  if (payload.length === 0) return fault('EMPTY');
  if (decodedLength(payload) > limits.bytes) return fault('TOO_MANY_BYTES');
  if (!isWhole(payload) || !BASE64.test(payload)) return fault('NOT_BASE64');
  return { kind: 'bytes', bytes: new Uint8Array(Buffer.from(payload, 'base64')) };
}

/** As browsers read data URIs: the padding may be left out, but not half of it. */
function isWhole(base64: string): boolean {
  return base64.endsWith('=') ? base64.length % 4 === 0 : base64.length % 4 !== 1;
}

function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(base64.length * 0.75) - padding;
}

/**
 * The two photos of a comparison and the caller's references.
 * @throws {ApiError} 422 on every image at fault
 */
export function photosOf(sent: z.infer<typeof faceCompareRequest>, most: number): ImagePair {
  const errors = photoProblems(sent, most);
  if (errors.size > 0) throw invalidFields(errors);
  return {
    image1: photoOf('image1', sent.image1, most),
    image2: photoOf('image2', sent.image2, most),
    templateId: sent.template_id,
    verificationId: sent.verification_id,
  };
}

/** The faults of the photos of a comparison, in the words of {@link photosOf}. */
export function photoProblems(sent: UncheckedBody, most: number): FieldErrors {
  return problemsOf(sent, ['image1', 'image2'], (image, key) => photoOf(key, image, most));
}

/** The faults of the one image of a request, in the words of {@link imageOf}. */
export function imageProblems(sent: UncheckedBody, most: number): FieldErrors {
  return problemsOf(sent, ['image'], (image, key) => imageOf(image, most, key));
}

/** The error that a reader throws about the images of these fields. A field without an image is its schema's concern. */
function problemsOf(
  sent: UncheckedBody,
  keys: readonly string[],
  read: (image: string | Uint8Array, key: string) => unknown,
): FieldErrors {
  const errors = new Map<string, readonly Problem[]>();
  for (const key of keys) {
    const image = sent[key];
    if (typeof image !== 'string' && !(image instanceof Uint8Array)) continue;
    try {
      read(image, key);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const [field, problems] of error.errors ?? []) errors.set(field, problems);
    }
  }
  return errors;
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
    const read = readDataUri(sent, { bytes: most, mediaType: FACE_TYPE });
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

/** The content decides; these say that it may be an image. */
const FACE_TYPE = /^(?:image\/.*|application\/octet-stream)?$/i;

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
  throw invalidFields(signaturePairProblems({ ...sent }));
}

/** The faults of the two images, in the words of {@link signaturesOf}. */
export function signaturePairProblems(sent: UncheckedBody): FieldErrors {
  const image1 = signatureFaultOf(sent.image1);
  const image2 = signatureFaultOf(sent.image2);
  const problems = signatureProblems({ ...(image1 && { image1 }), ...(image2 && { image2 }) });
  return new Map(Object.entries(problems));
}

/** @returns undefined: the image can be read, or the field has none, which is its schema's concern */
export function signatureFaultOf(sent: unknown, bytes?: number): SignatureFault | undefined {
  if (typeof sent !== 'string') return undefined;
  const image = readSignatureImage(sent, bytes);
  return image.kind === 'fault' ? image.fault : undefined;
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

/** Lets the routes of this scope take one image as their whole body, and nothing else: 415. */
export function takeImage(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser(['image/jpeg', 'image/png'], { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body);
  });
}

/** Options of a route whose body is an image of at most so many bytes: 413 beyond them. */
export function imageOfAtMost(bytes: number) {
  return {
    bodyLimit: bytes,
    preParsing: (
      request: FastifyRequest,
      _reply: unknown,
      payload: unknown,
      next: (error: null, payload: never) => void,
    ) => {
      request.bodyMeter?.allow(bytes, request);
      next(null, payload as never);
    },
  };
}

/** @throws {ApiError} 415: the request has no image */
export function imageBodyOf({ body }: FastifyRequest): Uint8Array {
  if (!Buffer.isBuffer(body)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
  return body;
}
