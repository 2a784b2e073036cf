import { problem } from '../../contracts/errors/problem.ts';
import type { Readable } from 'node:stream';
import { Busboy, type BusboyInstance } from '@fastify/busboy';
import { ApiError } from './errors.ts';

/** A part of a multipart form. A file's content must be read to its end before the next part comes. */
export type FormPart =
  | { kind: 'file'; fieldName: string; fileName: string | undefined; content: Readable }
  | { kind: 'text'; fieldName: string; value: string };

/** Fields of a form. */
export const MAX_FIELDS = 200;
/** Room for field names and file names. */
const LIMITS = { headerPairs: 20, headerSize: 16 * 1024, fields: MAX_FIELDS };

/**
 * The parts of a multipart/form-data body in their order, while it streams in. Parts that are complete but not yet
 * asked for wait in memory: small ones only, and never more than the limits let through.
 * @param most how many files are worth telling, those beyond are skipped; and bytes of a field's value, cut beyond them
 * @throws {ApiError} 400 when it is no complete multipart form, 413 when it has more fields than any form of ours
 */
export async function* formParts(
  body: Readable,
  contentType: string,
  most: { files: number; fieldBytes: number },
): AsyncGenerator<FormPart> {
  // A body that was destroyed before it is read calls no listener.
  if (body.destroyed) throw body.errored instanceof ApiError ? body.errored : notAForm();
  const parser = createParser(contentType, most);
  const parts: FormPart[] = [];
  const reading = new Set<Readable>();
  const state: { ended: boolean; failure?: Error; wake?: () => void } = { ended: false };
  const proceed = () => {
    state.wake?.();
    delete state.wake;
  };
  const fail = (failure: unknown) => {
    state.failure ??= failure instanceof ApiError ? failure : notAForm();
    for (const content of reading) content.destroy(state.failure);
    proceed();
  };

  // The parser can omit the name, although its types require one.
  parser.on('file', (fieldName: string | undefined, content, fileName: string | undefined) => {
    reading.add(content);
    content.on('close', () => reading.delete(content));
    content.on('error', fail);
    parts.push({ kind: 'file', fieldName: fieldName ?? '', fileName, content });
    proceed();
  });
  parser.on('field', (fieldName: string | undefined, value: string) => {
    parts.push({ kind: 'text', fieldName: fieldName ?? '', value });
    proceed();
  });
  parser.on('fieldsLimit', () => {
    fail(tooManyFields());
  });
  parser.on('error', fail);
  parser.on('finish', () => {
    state.ended = true;
    proceed();
  });
  body.on('error', fail);
  body.pipe(parser);

  try {
    for (;;) {
      if (state.failure !== undefined) throw state.failure;
      const part = parts.shift();
      if (part !== undefined) yield part;
      else if (state.ended) return;
      else await new Promise<void>((resolve) => (state.wake = resolve));
    }
  } finally {
    body.unpipe(parser);
    body.resume();
    for (const content of reading) content.destroy();
  }
}

function createParser(contentType: string, most: { files: number; fieldBytes: number }): BusboyInstance {
  const limits = { ...LIMITS, files: most.files, fieldSize: most.fieldBytes };
  try {
    return new Busboy({ headers: { 'content-type': contentType }, limits });
  } catch {
    // No boundary, or one that cannot be.
    throw notAForm();
  }
}

/** 413: no form of ours has so many fields. */
export function tooManyFields(): ApiError {
  return new ApiError(problem('FORM_TOO_MANY_FIELDS', { most: MAX_FIELDS }));
}

/** 400: the body is no complete multipart form. */
export function notAForm(): ApiError {
  return new ApiError('BODY_NOT_A_FORM');
}
