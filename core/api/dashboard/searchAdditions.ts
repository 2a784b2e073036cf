import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { additionReceipt, searchAddition, type SearchAddition } from '../../contracts/dashboard/search.ts';
import { pathId, uploadId } from '../../contracts/ids.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { imageBodyOf, imageOfAtMost, takeImage } from '../http/sentImage.ts';
import { ApiError } from '../http/errors.ts';
import { newListingOf } from './faceListing.ts';
import { receiveImages } from '../http/uploadForm.ts';
import { MAX_BYTES } from './search.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { takeBackAddition } from '../../domain/blacklists/service.ts';

const PATH = `${DASHBOARD}/search/additions`;

/**
 * The one way by which a search leads to an enrolment: a person adds one face to a blacklist, under a name. It goes
 * through the intake of all blacklist faces, with every check of it, and the operator who added it can undo this.
 */
export async function additionRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const config = requirePermission('blacklists:add');
  const response = { 202: additionReceipt };
  const { accepted } = ports;
  const add = async (request: FastifyRequest, { blacklist, name, ...edit }: SearchAddition, image: Image) => {
    const { companyId, actor: by } = operatorOf(request);
    const listing = newListingOf(edit, ports.clock.now());
    const destination = { kind: 'blacklist', blacklistId: blacklist, from: 'search', listing } as const;
    const fileName = `${name}.${image.format === 'png' ? 'png' : 'jpg'}`;
    const content = Readable.from([image.content]);
    const { id } = await receiveImages(request, ports.intake, destination, {
      companyId,
      by,
      run: { source: 'dashboard', severalFaces: 'refuse' },
      files: [{ fieldName: 'images[]', fileName, content }],
    });
    accepted();
    return { uploadId: id };
  };
  const params = z.object({ id: pathId.face });
  const routes = app.withTypeProvider<ZodTypeProvider>();
  routes.post(
    `${PATH}/faces/:id`,
    { config, schema: { hide: true, params, body: searchAddition, response } },
    async (request, reply) => {
      const { companyId } = operatorOf(request);
      const [faceImage] = await ports.views.faceImages(companyId, [request.params.id]);
      const image = faceImage && (await ports.images.read(companyId, faceImage.imageId));
      if (image === undefined) throw new ApiError('NOT_FOUND');
      return reply.code(202).send(await add(request, request.body, image));
    },
  );
  const upload = z.object({ id: uploadId });
  routes.delete(`${PATH}/:id`, { config, schema: { hide: true, params: upload } }, async (request, reply) => {
    const { companyId, actor } = operatorOf(request);
    const outcome = await takeBackAddition(ports, companyId, request.params.id, actor);
    if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
    if (outcome === 'waiting') throw new ApiError('STILL_WAITING');
    return reply.code(204).send();
  });
  await app.register((scope, _options, done) => {
    takeImage(scope);
    scope.withTypeProvider<ZodTypeProvider>().post(
      PATH,
      {
        config,
        schema: { hide: true, querystring: searchAddition, response },
        ...imageOfAtMost(MAX_BYTES),
      },
      async (request, reply) => {
        const format = request.headers['content-type'] === 'image/png' ? 'png' : 'jpeg';
        const image = { content: imageBodyOf(request), format } as const;
        return reply.code(202).send(await add(request, request.query, image));
      },
    );
    done();
  });
}

interface Image {
  content: Uint8Array;
  format: 'jpeg' | 'png';
}
