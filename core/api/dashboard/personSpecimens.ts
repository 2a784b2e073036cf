import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { pathId } from '../../contracts/ids.ts';
import { SIGNATURE_FAULT_PROBLEMS } from '../../contracts/signatures.ts';
import {
  loadedSpecimens,
  newSpecimen,
  personSpecimens,
  signatureSpecimen,
  SPECIMEN_LIMITS,
} from '../../contracts/persons.ts';
import { specimenBody, specimenProblem } from '../../domain/persons/specimens.ts';
import { ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { invalidImage, readSignatureImage } from '../http/sentImage.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** One image as base64, four bytes for three. */
const BODY_LIMIT = 1.5 * SPECIMEN_LIMITS.bytes;

const PATH = `${DASHBOARD}/persons/:id/specimens`;
const person = z.object({ id: pathId.person });
const one = person.extend({ specimen: pathId.signatureSpecimen });

/** The signature specimens of a person. Each view of an image and each use in a comparison is recorded before the answer. */
export async function personSpecimenRoutes(app: FastifyInstance, ports: DashboardRoutePorts): Promise<void> {
  const { specimenService, companies, persons, clock } = ports;
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const act = (request: FastifyRequest) => ({ by: operatorOf(request).actor, at: clock.now() });
  routes.get(
    PATH,
    {
      config: requirePermission('images:read', { background: true }),
      schema: { hide: true, params: person, response: { 200: personSpecimens } },
    },
    async (request) => {
      const { companyId } = operatorOf(request);
      if ((await persons.find(companyId, request.params.id)) === undefined) throw new ApiError('NOT_FOUND');
      const company = await companies.find(companyId);
      const items = await specimenService.of(companyId, request.params.id);
      return { stored: company?.settings.signatureSpecimens === true, items: items.map(specimenBody) };
    },
  );
  routes.get(
    `${PATH}/:specimen/image`,
    { config: requirePermission('images:read'), schema: { hide: true, params: one } },
    async (request, reply) => {
      const { id, specimen } = request.params;
      const viewed = await specimenService.view(operatorOf(request).companyId, id, specimen, act(request));
      if (viewed === undefined) throw new ApiError('NOT_FOUND');
      return reply.type(`image/${viewed.format}`).send(Buffer.from(viewed.content));
    },
  );
  routes.post(
    `${PATH}/use`,
    {
      config: requirePermission('signatures:compare'),
      schema: { hide: true, params: person, response: { 200: loadedSpecimens } },
    },
    async (request) => {
      const { companyId } = operatorOf(request);
      const { id } = request.params;
      if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
      const used = await specimenService.use(companyId, id, act(request));
      return {
        items: used.map((specimen) => ({
          ...specimenBody(specimen),
          image: `data:image/${specimen.format};base64,${Buffer.from(specimen.content).toString('base64')}`,
        })),
      };
    },
  );
  routes.delete(
    `${PATH}/:specimen`,
    { config: requirePermission('persons:write'), schema: { hide: true, params: one } },
    async (request, reply) => {
      const { id, specimen } = request.params;
      if (!(await specimenService.erase(operatorOf(request).companyId, id, specimen, act(request))))
        throw new ApiError('NOT_FOUND');
      return reply.status(204).send();
    },
  );
  await app.register((scope, _options, done) => {
    takeJson(scope, () => BODY_LIMIT);
    scope.withTypeProvider<ZodTypeProvider>().post(
      PATH,
      {
        config: requirePermission('persons:write'),
        schema: { hide: true, params: person, body: newSpecimen, response: { 200: signatureSpecimen } },
      },
      async (request) => {
        const { companyId } = operatorOf(request);
        if ((await persons.find(companyId, request.params.id)) === undefined) throw new ApiError('NOT_FOUND');
        const read = readSignatureImage(request.body.image, SPECIMEN_LIMITS.bytes);
        if (read.kind === 'fault')
          throw invalidImage(SIGNATURE_FAULT_PROBLEMS[read.fault]('image', SPECIMEN_LIMITS.bytes));
        const added = await specimenService.add(companyId, request.params.id, read.bytes, act(request));
        if (added.kind === 'done') return specimenBody(added.specimen);
        const refusal = specimenProblem(added);
        throw added.kind === 'refused' || added.kind === 'unusable'
          ? invalidImage(refusal)
          : new ApiError(refusal);
      },
    );
    done();
  });
}
