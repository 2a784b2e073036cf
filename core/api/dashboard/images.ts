import { hasExpired } from '../../contracts/faceListing.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { enrolledFace } from '../../contracts/dashboard/faceImages.ts';
import { pathId } from '../../contracts/ids.ts';
import { routesOf } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/**
 * The pictures of an enrolled face; kept by no cache, because an erased face must be gone from the browser too. A look
 * at a photo is recorded in the audit log before the answer; the small aligned faces of lists are not: every scroll is hundreds.
 */
export function imageRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const routes = routesOf(app);
  routes.get(
    '/faces/:id',
    { needs: 'images:read', params: z.object({ id: pathId.face }), answer: enrolledFace },
    async ({ operator, params }) => {
      const [found] = await ports.views.faceImages(operator.companyId, [params.id]);
      if (found === undefined) throw new ApiError('NOT_FOUND');
      const { listing } = found;
      const expired = listing !== null && hasExpired(listing, ports.clock.now());
      return { id: found.faceId, faceImage: faceImageBody(operator, found), listing, expired };
    },
  );
  routes.get(
    '/faces/:id/thumbnail',
    { needs: 'images:read', params: z.object({ id: pathId.face }) },
    async ({ operator: { companyId }, params: { id }, reply }) => {
      const thumbnail = await ports.views.thumbnail(companyId, id);
      if (thumbnail === undefined) throw new ApiError('NOT_FOUND');
      return reply.type('image/jpeg').send(Buffer.from(thumbnail));
    },
  );
  routes.get(
    '/faces/:id/image',
    { needs: 'images:read', params: z.object({ id: pathId.face }) },
    async ({ operator, params: { id }, reply }) => {
      const { companyId } = operator;
      const [faceImage] = await ports.views.faceImages(companyId, [id]);
      const file = faceImage && (await ports.images.read(companyId, faceImage.imageId));
      if (file === undefined) throw new ApiError('NOT_FOUND');
      await ports.audit.record(
        { by: operator.actor, at: ports.clock.now() },
        { company: companyId, action: 'image.read', object: `face:${id}` },
      );
      return reply.type(`image/${file.format}`).send(Buffer.from(file.content));
    },
  );
}
