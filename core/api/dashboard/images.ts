import { faceApi } from '../../contracts/dashboard/faceImages.ts';
import { hasExpired } from '../../contracts/faceListing.ts';
import type { FastifyInstance } from 'fastify';
import { serve } from './access/guard.ts';
import { ApiError, existing } from '../http/errors.ts';
import { faceImageBody } from './scoreInterpretation.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/**
 * The pictures of an enrolled face; kept by no cache, because an erased face must be gone from the browser too. A look
 * at a photo is recorded in the audit log before the answer; the small aligned faces of lists are not: every scroll is hundreds.
 */
export function imageRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, faceApi.read, async ({ operator, params }) => {
    const [found] = await ports.views.faceImages(operator.companyId, [params.id]);
    if (found === undefined) throw new ApiError('NOT_FOUND');
    const { listing } = found;
    const expired = listing !== null && hasExpired(listing, ports.clock.now());
    return { id: found.faceId, faceImage: faceImageBody(operator, found), listing, expired };
  });
  serve(app, faceApi.thumbnail, async ({ companyId, params: { id }, reply }) => {
    const thumbnail = existing(await ports.views.thumbnail(companyId, id));
    return reply.type('image/jpeg').send(Buffer.from(thumbnail));
  });
  serve(app, faceApi.image, async ({ companyId, act, params: { id }, reply }) => {
    const [faceImage] = await ports.views.faceImages(companyId, [id]);
    const file = existing(faceImage && (await ports.images.read(companyId, faceImage.imageId)));
    await ports.audit.record(act, { company: companyId, action: 'image.read', object: `face:${id}` });
    return reply.type(`image/${file.format}`).send(Buffer.from(file.content));
  });
}
