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
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The largest image size that a company may set, bytes. */
const MAX_BYTES = 50 * 1024 * 1024;

/** An operator's verification of one person, by the same rules as the verifications of programs. */
export function verificationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const runs = new OperatorVerifications(ports);
  serve(app, { ...validationApi.verify, image: MAX_BYTES }, async ({ operator, query, request }) => {
    const key = z.uuid().safeParse(idempotencyKeyOf(request));
    if (!key.success) throw new ApiError('IDEMPOTENCY_KEY_INVALID');
    return run(ports, runs, operator, {
      ...query,
      id: key.data,
      image: imageBodyOf(request),
    });
  });
}

async function run(
  ports: DashboardRoutePorts,
  runs: OperatorVerifications,
  { companyId, actor }: SignedIn,
  { id, flow, image, name, reference }: VerificationQuery & { id: string; image: Uint8Array },
): Promise<z.infer<typeof verificationAnswer>> {
  const company = await callingCompany(ports.companies, { companyId });
  const request = {
    id,
    flowId: flow,
    image: imageOf(image, company.settings.maxImageBytes),
    name: name === '' ? undefined : name,
    reference: reference === '' ? undefined : reference,
  };
  const answer = await runs.run(company, request, actor);
  switch (answer.kind) {
    case 'refused':
      return { refused: answer.code, found: answer.found ?? null, validationId: null };
    case 'wrong-type':
      throw invalidImage(problem('IMAGE_WRONG_TYPE', { field: 'image' }));
    case 'no-storage':
      throw new ApiError('STORAGE_NOT_CONFIGURED');
    case 'unknown':
      throw new ApiError('NOT_FOUND');
    case 'finalised': {
      // The answer to a repetition is the result of the first photo, and must not be shown for another one.
      const faceImage = await ports.views.faceImageOf(companyId, answer.id);
      if (faceImage?.sha256 !== hexOf(ports.crypto.sha256(image)))
        throw new ApiError('IDEMPOTENCY_KEY_REUSED');
      return { refused: null, found: null, validationId: answer.id };
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
