import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { PERSON_LIMITS } from '../../contracts/dashboard/persons.ts';
import { problem } from '../../contracts/errors/problem.ts';
import { MAX_PHOTO_PERSON_BYTES, photoPersons } from '../../contracts/uploads.ts';
import type { RunDeclaration, RunSource } from '../../contracts/dashboard/enrolmentRuns.ts';
import type { CompanyId, UploadId } from '../../contracts/ids.ts';
import type {
  UploadDestination,
  UploadIntake,
  UploadReceipt,
  UploadSender,
} from '../../domain/enrolment/intake.ts';
import type { NewRun, UploadTarget } from '../../domain/ports/uploads.ts';
import { callerOf, idempotencyKeyOf, verifyAfterBody } from './credentials.ts';
import { ApiError } from './errors.ts';
import { formParts } from './formParts.ts';
import { hasMoreValues } from './fieldForm.ts';
import type { OpenUpload } from '../../domain/enrolment/intakeUpload.ts';
import type { IncomingFile } from '../../domain/enrolment/incomingFile.ts';

/** Files of a form that are read beyond the company's limit, so that the error names each invalid file. */
const EXTRA_FILES = 50;
/** The field that names the persons whom the photos show: JSON of {@link photoPersons}. */
const PERSONS_FIELD = 'persons';
/** Lists, objects, texts and commas of that field, for 1000 photos: an entry has four texts. */
const MAX_PERSON_VALUES = 10_000;
/** Bytes kept of a value that is not read. */
const IGNORED_VALUE = 1024;
/** Bytes that a form may have around its files. */
const FORM_OVERHEAD = 4 * 1024 * 1024;

/** Lets the routes of this scope take a multipart form, unread, and nothing else: 415. */
export function takeImageForms(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('multipart/form-data', (_request, payload, done) => {
    done(null, payload);
  });
}

/** The caller of a route: its company, its account, and the run of which the upload is a part. */
type Sender = UploadSender & {
  companyId: CompanyId;
  /** Whether the account may name the persons whom the photos show. */
  mayName: boolean;
};

type ImagesOfSender = Omit<Sender, 'mayName'> & {
  files: AsyncIterable<IncomingFile> | Iterable<IncomingFile>;
  persons?: z.infer<typeof photoPersons> | undefined;
};

/**
 * Streams the form of a request into the intake; a signature is verified between the last byte and the acceptance.
 * @param sender the company, the account that sends, and the run of the upload
 * @returns what was queued
 * @throws {CodedError} it was refused; then nothing of the request is kept
 */
export function receiveUpload(
  request: FastifyRequest,
  intake: UploadIntake,
  destination: UploadDestination,
  { mayName, companyId, ...sender }: Sender,
): Promise<UploadReceipt> {
  return intake.receive(companyId, {
    destination,
    sender,
    idempotencyKey: idempotencyKeyOf(request),
    take: async (upload) => {
      await receiveParts(request, upload, mayName);
      await verifyAfterBody(request);
    },
  });
}

/**
 * Hands images to the intake that are no part of a form.
 * @returns what was queued
 * @throws {CodedError} they were refused; then nothing of them is kept. @throws what `files` throws
 */
export function receiveImages(
  request: FastifyRequest,
  intake: UploadIntake,
  destination: UploadDestination,
  { files, persons, companyId, ...sender }: ImagesOfSender,
): Promise<UploadReceipt> {
  return intake.receive(companyId, {
    destination,
    sender,
    idempotencyKey: idempotencyKeyOf(request),
    take: async (upload) => {
      if (persons !== undefined) upload.receivePersons(persons);
      for await (const file of files) await upload.receiveFile(file);
    },
  });
}

/**
 * The upload that was accepted under an Idempotency-Key.
 * @param kind absent: of either kind
 * @throws {ApiError} 404: the company has no such upload; 409: its photos still arrive
 */
export async function uploadOfKey(
  intake: UploadIntake,
  companyId: CompanyId,
  key: string,
  kind?: UploadTarget['kind'],
): Promise<UploadId> {
  const found = await intake.find(companyId, key);
  if (found === 'receiving') throw new ApiError('IDEMPOTENCY_KEY_RUNNING');
  if (found === undefined || (kind !== undefined && found.target.kind !== kind))
    throw new ApiError('NOT_FOUND');
  return found.id;
}

/**
 * The calling program, with the run that its query declares. The terminal of this machine may send what the dashboard may:
 * other formats too.
 */
export function programOf(request: FastifyRequest, declared: RunDeclaration): Sender {
  const { companyId, credential, scopes, isTerminal = false } = callerOf(request);
  const mayName = scopes.includes('persons:write');
  const run = runOf(declared, 'program');
  return { companyId, by: credential, mayName, run, otherFormats: isTerminal };
}

/** The run that the query of an upload declares. */
export function runOf(declared: RunDeclaration, source: RunSource): NewRun {
  const { run, runName, runPhotos, severalFaces = 'refuse' } = declared;
  return { source, severalFaces, id: run, name: runName, photos: runPhotos };
}

async function receiveParts(request: FastifyRequest, upload: OpenUpload, mayName: boolean): Promise<void> {
  const { bodyMeter: body } = request;
  // A request without any body is a form without any file.
  if (body === null) return;
  // Its files go to the disk as they arrive.
  body.kept = undefined;
  const { images, imageBytes } = upload.limits;
  // Twice what a full batch can hold: the error for a batch that is a little too large names the files beyond the limit.
  body.allow(2 * images * imageBytes + FORM_OVERHEAD, request);
  const fieldBytes = mayName ? images * MAX_PHOTO_PERSON_BYTES : IGNORED_VALUE;
  const most = { files: images + EXTRA_FILES, fieldBytes };
  const parts = formParts(body, request.headers['content-type'] ?? '', most);
  for await (const part of parts)
    if (part.kind === 'file') await upload.receiveFile(part);
    else if (part.fieldName === PERSONS_FIELD) receivePersons(part.value, upload, mayName);
    else upload.receiveText(part.fieldName);
}

/** @throws {ApiError} 403: the account may not name persons */
function receivePersons(value: string, upload: OpenUpload, mayName: boolean): void {
  if (!mayName) throw new ApiError('PERSONS_NOT_ALLOWED');
  const persons = photoPersons.safeParse(parsedJson(value));
  if (persons.success) upload.receivePersons(persons.data);
  else upload.refuseField(PERSONS_FIELD, problem('PERSONS_NOT_A_LIST', { most: PERSON_LIMITS.name }));
}

/** @returns undefined: it is no JSON, was cut because it is too long, or has more values than persons of photos have */
function parsedJson(text: string): unknown {
  if (hasMoreValues(text, MAX_PERSON_VALUES)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
