import { searchApi, type SearchAddition } from '../../contracts/dashboard/search.ts';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { operatorOf, serve } from './access/guard.ts';
import { imageBodyOf } from '../http/sentImage.ts';
import { existing } from '../http/errors.ts';
import { readListingEdit } from '../../domain/blacklists/faceListings.ts';
import { receiveImages } from '../http/uploadForm.ts';
import { MAX_BYTES } from './search.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { takeBackAddition } from '../../domain/blacklists/blacklistService.ts';

/**
 * The one way by which a search leads to an enrolment: a person adds one face to a blacklist, under a name. It goes
 * through the intake of all blacklist faces, with every check of it, and the operator who added it can undo this.
 */
export function additionRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { accepted } = ports;
  const add = async (request: FastifyRequest, { blacklist, name, ...edit }: SearchAddition, image: Image) => {
    const { companyId, actor: by } = operatorOf(request);
    const { listing } = readListingEdit(edit, ports.clock.now());
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
  serve(app, searchApi.addFace, async ({ companyId, params: { id }, body, request }) => {
    const [faceImage] = await ports.views.faceImages(companyId, [id]);
    const image = existing(faceImage && (await ports.images.read(companyId, faceImage.imageId)));
    return add(request, body, image);
  });
  serve(app, searchApi.undoAddition, ({ companyId, actor, params: { id } }) =>
    takeBackAddition(ports, companyId, id, actor),
  );
  serve(app, { ...searchApi.addPhoto, image: MAX_BYTES }, ({ query, request }) => {
    const format = request.headers['content-type'] === 'image/png' ? 'png' : 'jpeg';
    return add(request, query, { content: imageBodyOf(request), format });
  });
}

interface Image {
  content: Uint8Array;
  format: 'jpeg' | 'png';
}
