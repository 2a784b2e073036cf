/** Operations of several services on the faces of one company, as data that can be sent to another process. */
import { randomBytes, randomUUID } from 'node:crypto';
import type { TrustValidationStatus } from '../../core/contracts/codes.ts';
import type {
  BlacklistId,
  CompanyId,
  FaceId,
  ImageId,
  TrustFlowId,
  TrustValidationId,
  UploadId,
} from '../../core/contracts/ids.ts';
import type { Candidate, GalleryRestrictions } from '../../core/domain/ports/gallery.ts';
import type { WrittenImage } from '../../core/domain/ports/images.ts';
import { enrolItem } from './answerItem.ts';
import { TEST_ACT } from './act.ts';
import { randomOf } from './seed.ts';
import type { ServiceNode } from './severalServices.ts';
import { faceAlong, TEST_PIPELINE } from './site.ts';

export type FaceOperation = { company: CompanyId } & (
  | {
      kind: 'enrol';
      flow: { trustFlowId: TrustFlowId; versionId: number };
      seed: number;
      matchable: boolean;
      status: TrustValidationStatus;
    }
  | { kind: 'decide'; validation: TrustValidationId; status: TrustValidationStatus }
  | { kind: 'list'; list: BlacklistId; seed: number }
  | { kind: 'move'; from: BlacklistId; to: BlacklistId; faces: readonly FaceId[] }
  | { kind: 'erase'; list: BlacklistId; face: FaceId }
  | { kind: 'search'; seed: number; restrictions: GalleryRestrictions }
);

/** The result of an operation. */
export interface OperationResult {
  validation?: TrustValidationId;
  faces?: FaceId[];
  candidates?: Candidate[];
}

/** A unit vector of four components. */
export function seededTemplate(seed: number): Float32Array {
  const random = randomOf(seed, 1);
  const raw = Array.from({ length: 4 }, () => random() - 0.5);
  const length = Math.hypot(...raw);
  return Float32Array.from(raw, (component) => component / length);
}

/** An image without a file, which no operation reads. */
function newImage(): WrittenImage {
  const sha256 = randomBytes(32).toString('hex');
  return { id: randomUUID() as ImageId, key: randomBytes(32), bytes: 1, sha256, format: 'jpeg' };
}

const templateOf = (seed: number) => ({ pipelineId: TEST_PIPELINE, vector: seededTemplate(seed) });
const newFace = (seed: number) => ({ ...faceAlong(0), template: templateOf(seed) });
const IMAGE = { width: 100, height: 100, format: 'jpeg' } as const;

/** @throws {UnavailableError} the service cannot do it now; it may have been done all the same */
export async function perform(
  { storage, gallery }: ServiceNode,
  operation: FaceOperation,
): Promise<OperationResult> {
  const { validations, faceListings, blacklists } = storage;
  const { company } = operation;
  switch (operation.kind) {
    case 'enrol':
      return enrol(storage, operation);
    case 'decide': {
      const state = await validations.state(company, operation.validation, TEST_PIPELINE);
      if (state === undefined) throw new Error(`Validation ${operation.validation} is missing.`);
      const { status } = operation;
      const decision = { seen: state.status, status, action: 'verified' as const, note: '' };
      await validations.decide(company, operation.validation, decision, TEST_ACT);
      return {};
    }
    case 'list':
      return list(storage, operation);
    case 'move':
      await faceListings.move(company, operation, operation.faces, TEST_ACT);
      return {};
    case 'erase':
      await blacklists.deleteFace(company, operation.list, operation.face, TEST_ACT);
      return {};
    case 'search': {
      const query = { ...operation.restrictions, probe: templateOf(operation.seed) };
      return { candidates: await gallery.search(company, query) };
    }
  }
}

async function enrol(
  { validations }: ServiceNode['storage'],
  { company, flow, seed, matchable, status }: Extract<FaceOperation, { kind: 'enrol' }>,
): Promise<OperationResult> {
  const { id: validation } = await validations.create(company, { ...flow, metadata: null }, TEST_ACT);
  const kept = await validations.setSelfie(
    company,
    validation,
    { image: newImage(), facts: IMAGE, face: newFace(seed), onePerson: false, name: String(seed), matchable },
    TEST_ACT,
  );
  if (kept === undefined) return {};
  const outcome = { status, matches: [], facts: null, selfies: [kept.faceId], createdAt: TEST_ACT.at };
  await validations.finalise(company, validation, outcome, TEST_ACT);
  return { validation };
}

/** Other photos that wait are enrolled too. */
async function list(
  { uploads, queue }: ServiceNode['storage'],
  { company, list: blacklistId, seed }: Extract<FaceOperation, { kind: 'list' }>,
): Promise<OperationResult> {
  await uploads.accept(company, {
    id: randomUUID() as UploadId,
    target: { kind: 'blacklist', blacklistId },
    accepted: TEST_ACT,
    images: [{ fileName: `${seed}.jpg`, image: newImage() }],
  });
  const faces: FaceId[] = [];
  for (const item of await queue.lease(4)) {
    const face = newFace(Number(item.fileName.replace('.jpg', '')));
    const enrolled = await enrolItem(queue, item, { image: IMAGE, face }, TEST_ACT.at);
    if (enrolled !== undefined) faces.push(enrolled.faceId);
  }
  return { faces };
}
