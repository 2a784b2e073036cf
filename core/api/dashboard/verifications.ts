import {
  validationApi,
  verificationAnswer,
  type VerificationQuery,
  FRAME_BYTES,
} from '../../contracts/dashboard/validations.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { problem } from '../../contracts/errors/problem.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { hexOf } from '../../domain/values/bytes.ts';
import { OperatorVerifications } from '../../domain/screening/operatorVerification.ts';
import { idempotencyKeyOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { imageBodyOf, imageOf, invalidImage } from '../http/sentImage.ts';
import { serve } from './access/guard.ts';
import { takeJson } from '../http/fieldForm.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** All photos of a verification, four bytes for three: two of the largest that a company may set (50 MB), or five of 22 MB. */
const BODY_LIMIT = 3 * 50 * 1024 * 1024;

/** An operator's verification of one person, by the same rules as the verifications of programs. */
export function verificationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const runs = new OperatorVerifications(ports);
  const verify = {
    ...validationApi.verify,
    takes: (scope: FastifyInstance) => takeJson(scope, () => BODY_LIMIT),
  };
  serve(app, verify, async ({ operator, query, body, request }) => {
    const key = z.uuid().safeParse(idempotencyKeyOf(request));
    if (!key.success) throw new ApiError('IDEMPOTENCY_KEY_INVALID');
    return run(ports, runs, operator, { ...query, ...body, id: key.data });
  });
}

async function run(
  ports: DashboardRoutePorts,
  runs: OperatorVerifications,
  { companyId, actor }: SignedIn,
  {
    id,
    flow,
    photos,
    name,
    reference,
  }: VerificationQuery & { id: string; photos: readonly (string | Uint8Array)[] },
): Promise<z.infer<typeof verificationAnswer>> {
  const company = await callingCompany(ports.companies, { companyId });
  const images = photos.map((photo) => imageOf(photo, company.settings.maxImageBytes));
  // The same file twice is one photo.
  const byHash = new Map(images.map((image) => [hexOf(ports.crypto.sha256(image)), image]));
  const request = {
    id,
    flowId: flow,
    photos: [...byHash.values()],
    name: name === '' ? undefined : name,
    reference: reference === '' ? undefined : reference,
  };
  const answer = await runs.run(company, request, actor);
  switch (answer.kind) {
    case 'refused':
      return {
        refused: answer.code,
        photo: images.indexOf(request.photos[answer.photo]!),
        found: answer.found ?? null,
        validationId: null,
      };
    case 'other-person':
      return {
        refused: 'OTHER_PERSON',
        photo: images.indexOf(request.photos[answer.photo]!),
        found: null,
        validationId: null,
      };
    case 'wrong-type':
      throw invalidImage(problem('IMAGE_WRONG_TYPE', { field: 'image' }));
    case 'no-storage':
      throw new ApiError('STORAGE_NOT_CONFIGURED');
    case 'unknown':
      throw new ApiError('NOT_FOUND');
    case 'finalised': {
      // The answer to a repetition is the result of the first photos, and must not be shown for others.
      const stored = await ports.views.faceImages(companyId, answer.faces);
      if (stored.length !== byHash.size || !stored.every(({ sha256 }) => byHash.has(sha256 ?? '')))
        throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      return { refused: null, photo: null, found: null, validationId: answer.id };
    }
  }
}

/**
 * Checks the frames of a camera by the quality checks of enrolment, for the guidance beside the live picture. A frame is
 * measured and dropped: no template, no file, no entry of the audit log. Frames go before enrolment, so at most half of
 * the workers check frames at once, and one frame of each operator.
 */
export function cameraRoutes(app: FastifyInstance, { companies, vision }: DashboardRoutePorts): void {
  const most = Math.max(1, Math.floor(vision.workers / 2));
  const checking = new Set<string>();
  serve(app, { ...validationApi.checkFrame, image: FRAME_BYTES }, async ({ companyId, actor, request }) => {
    const image = imageBodyOf(request);
    if (checking.has(actor) || checking.size >= most) throw new ApiError('TOO_MANY_ATTEMPTS');
    checking.add(actor);
    try {
      const { gate } = (await callingCompany(companies, { companyId })).settings;
      const result = await vision.of(companyId).measure(image, { kind: 'frame', gate });
      return result.kind === 'refused'
        ? { refusals: [result.code], quality: null }
        : { refusals: [...result.refusals], quality: result.faces[0]?.quality.score ?? null };
    } finally {
      checking.delete(actor);
    }
  });
}
