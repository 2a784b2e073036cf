import { specimenApi, SPECIMEN_LIMITS } from '../../contracts/persons.ts';
import type { FastifyInstance } from 'fastify';
import { invalidSpecimen, specimenBody } from '../../domain/persons/specimens.ts';
import { ApiError, existing } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { readSignatureImage } from '../http/sentImage.ts';
import { serve } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** One image as base64, four bytes for three. */
const BODY_LIMIT = 1.5 * SPECIMEN_LIMITS.bytes;

/** The signature specimens of a person. Each view of an image and each use in a comparison is recorded before the answer. */
export function personSpecimenRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { specimenService, companies, persons } = ports;
  serve(app, specimenApi.list, async ({ companyId, params: { id } }) => {
    if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
    const company = await companies.find(companyId);
    const items = await ports.signatureSpecimens.of(companyId, id);
    return { stored: company?.settings.signatureSpecimens === true, items: items.map(specimenBody) };
  });
  serve(app, specimenApi.image, async ({ companyId, act, params: { id, specimen }, reply }) => {
    const viewed = existing(await specimenService.view(companyId, id, specimen, act));
    return reply.type(`image/${viewed.format}`).send(Buffer.from(viewed.content));
  });
  serve(app, specimenApi.use, async ({ companyId, act, params: { id } }) => {
    if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
    const used = await specimenService.use(companyId, id, act);
    return {
      items: used.map((specimen) => ({
        ...specimenBody(specimen),
        image: `data:image/${specimen.format};base64,${Buffer.from(specimen.content).toString('base64')}`,
      })),
    };
  });
  serve(app, specimenApi.erase, async ({ companyId, act, params: { id, specimen } }) => {
    if (!(await specimenService.erase(companyId, id, specimen, act))) throw new ApiError('NOT_FOUND');
  });
  serve(
    app,
    { ...specimenApi.add, takes: (scope) => takeJson(scope, () => BODY_LIMIT) },
    async ({ companyId, act, params: { id }, body: { image } }) => {
      if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
      const read = readSignatureImage(image, SPECIMEN_LIMITS.bytes);
      if (read.kind === 'fault') throw invalidSpecimen(read.fault);
      return specimenBody(await specimenService.add(companyId, id, read.bytes, act));
    },
  );
}
