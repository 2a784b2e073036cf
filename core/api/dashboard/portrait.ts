/** Portrait checks of a stored face, or of a file that is stored nowhere. Each is measured when it is asked for. */
import type { FastifyInstance } from 'fastify';
import { portraitApi, type PortraitChecks } from '../../contracts/portrait.ts';
import type { Box } from '../../contracts/faces.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { existing } from '../http/errors.ts';
import { imageBodyOf } from '../http/sentImage.ts';
import { serve } from './access/guard.ts';
import { MAX_BYTES } from './search.ts';
import type { DashboardRoutePorts } from '../ports.ts';

export function portraitRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, portraitApi.ofFace, async ({ companyId, act, params: { id } }) => {
    const [found] = await ports.views.faceImages(companyId, [id]);
    const { imageId, box } = existing(found);
    const file = existing(await ports.images.read(companyId, imageId));
    await ports.audit.record(act, { company: companyId, action: 'image.read', object: `face:${id}` });
    return checksOf(ports, companyId, file.content, box);
  });
  serve(app, { ...portraitApi.ofFile, image: MAX_BYTES }, ({ companyId, request }) =>
    checksOf(ports, companyId, imageBodyOf(request)),
  );
}

/** @param place of the face that is measured; absent: the largest is */
async function checksOf(
  { companies, vision }: DashboardRoutePorts,
  companyId: CompanyId,
  image: Uint8Array,
  place?: Box,
): Promise<PortraitChecks> {
  const { gate } = (await callingCompany(companies, { companyId })).settings;
  const measured = await vision.of(companyId).measure(image, { kind: 'portrait', gate });
  if (measured.kind === 'refused') return { refused: measured.code, checks: [] };
  const [face] =
    place === undefined ? measured.faces : measured.faces.filter(({ box }) => isSame(box, place));
  return { refused: face === undefined ? 'NO_FACE' : null, checks: [...(face?.portraitChecks ?? [])] };
}

/** Whether the middle of each box is in the other one. The faces of two people are further apart. */
function isSame(one: Box, other: Box): boolean {
  const [dx, dy] = [
    one.x - other.x + (one.width - other.width) / 2,
    one.y - other.y + (one.height - other.height) / 2,
  ];
  return (
    2 * Math.abs(dx) < Math.min(one.width, other.width) &&
    2 * Math.abs(dy) < Math.min(one.height, other.height)
  );
}
