import { hasExpired } from '../../contracts/faceListing.ts';
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { enrolledFace } from '../../contracts/dashboard/faceImages.ts';
import { pathId } from '../../contracts/ids.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const config = requirePermission('images:read');
const schema = { hide: true, params: z.object({ id: pathId.face }) };

/**
 * The pictures of an enrolled face; kept by no cache, because an erased face must be gone from the browser too. A look
 * at a photo is recorded in the audit log before the answer; the small aligned faces of lists are not: every scroll is hundreds.
 */
export function imageRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.get(
    `${DASHBOARD}/faces/:id`,
    { config, schema: { ...schema, response: { 200: enrolledFace } } },
    async (request) => {
      const operator = operatorOf(request);
      const [found] = await ports.views.faceImages(operator.companyId, [request.params.id]);
      if (found === undefined) throw new ApiError('NOT_FOUND');
      const { listing } = found;
      const expired = listing !== null && hasExpired(listing, ports.clock.now());
      return { id: found.faceId, faceImage: faceImageBody(operator, found), listing, expired };
    },
  );
  routes.get(`${DASHBOARD}/faces/:id/thumbnail`, { config, schema }, async (request, reply) => {
    const thumbnail = await ports.views.thumbnail(operatorOf(request).companyId, request.params.id);
    if (thumbnail === undefined) throw new ApiError('NOT_FOUND');
    return reply.type('image/jpeg').send(Buffer.from(thumbnail));
  });
  routes.get(`${DASHBOARD}/faces/:id/image`, { config, schema }, async (request, reply) => {
    const { companyId } = operatorOf(request);
    const [faceImage] = await ports.views.faceImages(companyId, [request.params.id]);
    const file = faceImage && (await ports.images.read(companyId, faceImage.imageId));
    if (file === undefined) throw new ApiError('NOT_FOUND');
    await ports.audit.record(
      { by: operatorOf(request).actor, at: ports.clock.now() },
      { company: companyId, action: 'image.read', object: `face:${request.params.id}` },
    );
    return reply.type(`image/${file.format}`).send(Buffer.from(file.content));
  });
}
