import type { FastifyInstance, FastifyRequest } from 'fastify';
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
import { operatorOf, routesOf } from './access/guard.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** One image as base64, four bytes for three. */
const BODY_LIMIT = 1.5 * SPECIMEN_LIMITS.bytes;

const PATH = '/persons/:id/specimens';
const person = z.object({ id: pathId.person });
const one = person.extend({ specimen: pathId.signatureSpecimen });

/** The signature specimens of a person. Each view of an image and each use in a comparison is recorded before the answer. */
export function personSpecimenRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { specimenService, companies, persons, clock } = ports;
  const routes = routesOf(app);
  const act = (request: FastifyRequest) => ({ by: operatorOf(request).actor, at: clock.now() });
  routes.get(
    PATH,
    { needs: 'images:read', background: true, params: person, answer: personSpecimens },
    async ({ operator: { companyId }, params: { id } }) => {
      if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
      const company = await companies.find(companyId);
      const items = await specimenService.of(companyId, id);
      return { stored: company?.settings.signatureSpecimens === true, items: items.map(specimenBody) };
    },
  );
  routes.get(
    `${PATH}/:specimen/image`,
    { needs: 'images:read', params: one },
    async ({ operator: { companyId }, params: { id, specimen }, request, reply }) => {
      const viewed = await specimenService.view(companyId, id, specimen, act(request));
      if (viewed === undefined) throw new ApiError('NOT_FOUND');
      return reply.type(`image/${viewed.format}`).send(Buffer.from(viewed.content));
    },
  );
  routes.post(
    `${PATH}/use`,
    { needs: 'signatures:compare', params: person, answer: loadedSpecimens },
    async ({ operator: { companyId }, params: { id }, request }) => {
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
    { needs: 'persons:write', params: one },
    async ({ operator: { companyId }, params: { id, specimen }, request, reply }) => {
      if (!(await specimenService.erase(companyId, id, specimen, act(request))))
        throw new ApiError('NOT_FOUND');
      return reply.status(204).send();
    },
  );
  routesOf(app).post(
    PATH,
    {
      needs: 'persons:write',
      params: person,
      body: newSpecimen,
      answer: signatureSpecimen,
      takes: (scope) => takeJson(scope, () => BODY_LIMIT),
    },
    async ({ operator: { companyId }, params: { id }, body: { image }, request }) => {
      if ((await persons.find(companyId, id)) === undefined) throw new ApiError('NOT_FOUND');
      const read = readSignatureImage(image, SPECIMEN_LIMITS.bytes);
      if (read.kind === 'fault')
        throw invalidImage(SIGNATURE_FAULT_PROBLEMS[read.fault]('image', SPECIMEN_LIMITS.bytes));
      const added = await specimenService.add(companyId, id, read.bytes, act(request));
      if (added.kind === 'done') return specimenBody(added.specimen);
      const refusal = specimenProblem(added);
      throw added.kind === 'refused' || added.kind === 'unusable'
        ? invalidImage(refusal)
        : new ApiError(refusal);
    },
  );
}
