import { faceApi } from '../../contracts/dashboard/faceImages.ts';
import { hasExpired } from '../../contracts/faceListing.ts';
import type { FastifyInstance } from 'fastify';
import { recordExport } from './access/export.ts';
import { serve } from './access/guard.ts';
import type { StoredFace } from '../../storage/dashboard/dashboardQueries.ts';
import type { RecordFacts, RecordRemark } from '../../contracts/faceRecords.ts';
import { writeFac, type WrittenFace } from '../../decoding/records/fac.ts';
import { write39794 } from '../../decoding/records/iso39794.ts';
import { sniffImageFormat } from '../../domain/values/bytes.ts';
import { imageOfAtMost } from '../http/sentImage.ts';
import { MAX_BYTES } from './search.ts';
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
    return {
      id: found.faceId,
      faceImage: faceImageBody(operator, found),
      listing,
      expired,
      original: found.original,
      remarks: recordRemarks(found),
    };
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
  serve(app, faceApi.record, async ({ operator, companyId, act, params: { id }, query, reply }) => {
    const [found] = await ports.views.faceImages(companyId, [id]);
    const { eyes, imageId } = existing(found);
    const file = existing(await ports.images.read(companyId, imageId));
    const tokenImage = await ports.converter.tokenImage(companyId, file.content, eyes);
    // The eye further left in the picture is the person's right one.
    const written = { ...tokenImage, eyes: { left: tokenImage.eyes[1], right: tokenImage.eyes[0] } };
    await ports.audit.record(act, { company: companyId, action: 'image.read', object: `face:${id}` });
    await recordExport(ports, operator, { kind: 'faceRecord', object: `face:${id}`, rows: 1 });
    return reply.type('application/octet-stream').send(Buffer.from(WRITERS[query.standard](written)));
  });
  serve(
    app,
    { ...faceApi.convert, takes: takeFiles, ...imageOfAtMost(MAX_BYTES) },
    async ({ companyId, request: { body }, reply }) => {
      if (!Buffer.isBuffer(body)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
      const converted = await ports.converter.convert(new Uint8Array(body), {
        company: companyId,
        priority: 'interactive',
      });
      if (converted.kind === 'unconvertible') throw new ApiError(converted.reason);
      return reply
        .type(`image/${sniffImageFormat(converted.content) ?? 'jpeg'}`)
        .header('x-vouch-original', converted.original)
        .send(Buffer.from(converted.content));
    },
  );
}

const WRITERS: Record<RecordFacts['standard'], (face: WrittenFace) => Uint8Array> = {
  'ISO/IEC 19794-5:2005': (face) => writeFac(face, 2005),
  'ISO/IEC 19794-5:2011': (face) => writeFac(face, 2011),
  'ISO/IEC 39794-5:2019': write39794,
};

function takeFiles(scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, parsed) => {
    parsed(null, body);
  });
}

/** Further apart than this, in distances between the eyes, two places of one eye are not the same. */
const SAME_EYE = 0.25;

/** Where a record says otherwise than its picture shows. */
function recordRemarks({ original, width, height, eyes: [first, second] }: StoredFace): RecordRemark[] {
  const record = original?.record;
  if (record == null) return [];
  const most = SAME_EYE * Math.hypot(second.x - first.x, second.y - first.y);
  const stated = record.eyes && [record.eyes.right, record.eyes.left];
  const apart = stated?.some(({ x, y }, index) => {
    const found = index === 0 ? first : second;
    return Math.hypot(x - found.x, y - found.y) > most;
  });
  const otherSize = record.size !== null && (record.size.width !== width || record.size.height !== height);
  return [...(apart === true ? (['eyes'] as const) : []), ...(otherSize ? (['size'] as const) : [])];
}
