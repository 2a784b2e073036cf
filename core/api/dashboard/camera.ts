import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { ApiError } from '../http/errors.ts';
import { imageBodyOf, imageOfAtMost, takeImage } from '../http/imageBody.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { FRAME_BYTES, frameCheck } from '../../contracts/dashboard/verifications.ts';

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
