import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  verificationAnswer,
  verificationQuery,
  type VerificationQuery,
  FRAME_BYTES,
  frameCheck,
} from '../../contracts/dashboard/validations.ts';
import { problem } from '../../contracts/errors/problem.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { hexOf } from '../../domain/values/bytes.ts';
import { OperatorVerifications } from '../../domain/screening/operatorVerification.ts';
import { idempotencyKeyOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { imageBodyOf, imageOfAtMost, takeImage, imageOf, invalidImage } from '../http/sentImage.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** The largest image size that a company may set, bytes. */
const MAX_BYTES = 50 * 1024 * 1024;

/** An operator's verification of one person, by the same rules as the verifications of programs. */
export async function verificationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const runs = new OperatorVerifications(ports);
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${DASHBOARD}/verifications`,
      {
        config: requirePermission('verifications:create'),
        schema: { hide: true, querystring: verificationQuery, response: { 200: verificationAnswer } },
        ...imageOfAtMost(MAX_BYTES),
      },
      async (request) => {
        const key = z.uuid().safeParse(idempotencyKeyOf(request));
        if (!key.success) throw new ApiError('IDEMPOTENCY_KEY_INVALID');
        return run(ports, runs, operatorOf(request), {
          ...request.query,
          id: key.data,
          image: imageBodyOf(request),
        });
      },
    );
    done();
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
export async function cameraRoutes(
  app: FastifyInstance,
  { companies, vision }: DashboardRoutePorts,
): Promise<void> {
  const most = Math.max(1, Math.floor(vision.workers / 2));
  const checking = new Set<string>();
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${DASHBOARD}/camera/frames`,
      {
        // Frames are sent without the operator, so they must not keep a session open.
        config: requirePermission('faces:compare', { background: true }),
        schema: { hide: true, response: { 200: frameCheck } },
        ...imageOfAtMost(FRAME_BYTES),
      },
      async (request) => {
        const { companyId, actor } = operatorOf(request);
        const image = imageBodyOf(request);
        if (checking.has(actor) || checking.size >= most) throw new ApiError('TOO_MANY_ATTEMPTS');
        checking.add(actor);
        try {
          const { gate } = (await callingCompany(companies, { companyId })).settings;
          const result = await vision.of(companyId).measure(image, { kind: 'frame', gate });
          return { refusals: result.kind === 'refused' ? [result.code] : [...result.refusals] };
        } finally {
          checking.delete(actor);
        }
      },
    );
    done();
  });
}
