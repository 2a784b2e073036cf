import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId } from '../../contracts/ids.ts';
import {
  personCreation,
  personDeleted,
  personFaceView,
  personsChanged,
  personsPage,
  personsQuery,
  personUpdate,
  personView,
  versionQuery,
} from '../../contracts/persons.ts';
import { envelope, errorBody } from '../../contracts/uploads.ts';
import { callerOf } from '../http/credentials.ts';
import { takeJson } from '../http/fieldForm.ts';
import { personCursorOf, personPositionOf, PERSON_BODY_BYTES, programAct } from '../http/personParts.ts';
import { cursorAfter, cursorPageOf } from '../http/paging.ts';
import {
  changedPersons,
  faceViewOf,
  personViewOf,
  requirePerson,
  CHANGING_PERSONS,
  PERSON_TAGS,
  PERSONS,
  READING_PERSONS,
} from './personViews.ts';
import { personChangeRoutes } from './personChanges.ts';
import type { PublicPorts } from '../ports.ts';

/** Persons for programs: the list, one of them, and changes. No route of programs erases a photo. */
export async function personRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => PERSON_BODY_BYTES);
    readingRoutes(scope, ports);
    creationRoutes(scope, ports);
    personChangeRoutes(scope, ports);
    done();
  });
}

function readingRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { persons } = ports;
  routes.get(
    PERSONS,
    {
      config: READING_PERSONS,
      schema: {
        operationId: 'listPersons',
        summary: 'Persons of the company, newest first',
        description:
          'Follow `links.next` until it is null: persons that are added in the meantime move no row.',
        tags: PERSON_TAGS,
        querystring: personsQuery,
        response: { 200: personsPage.describe('One page of persons.'), 422: errorBody },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { cursor, limit, text, externalId } = request.query;
      const filter = { text, externalId };
      const after = cursor === undefined ? undefined : personPositionOf(cursor);
      const [found, total] = await Promise.all([
        persons.list(companyId, { order: 'newest', limit, ...filter, after }),
        persons.count(companyId, filter),
      ]);
      const next = cursorAfter(found, limit, personCursorOf);
      const page = cursorPageOf(request, { limit, total, next, filters: filter }, found.map(personViewOf));
      return { success: true as const, message: MESSAGES.persons, ...page };
    },
  );
  routes.get(
    `${PERSONS}/:personId`,
    {
      config: READING_PERSONS,
      schema: {
        operationId: 'getPerson',
        summary: 'One person',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        response: { 200: envelope(personView).describe('The person.'), 404: errorBody },
      },
    },
    async (request) => ({
      success: true as const,
      message: MESSAGES.person,
      data: await requirePerson(ports, callerOf(request).companyId, request.params.personId),
    }),
  );
  routes.get(
    `${PERSONS}/:personId/faces`,
    {
      config: READING_PERSONS,
      schema: {
        operationId: 'listPersonFaces',
        summary: 'The enrolled faces of a person, oldest first',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        response: {
          200: envelope(z.array(personFaceView)).describe('All faces of the person.'),
          404: errorBody,
        },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { personId } = request.params;
      await requirePerson(ports, companyId, personId);
      const faces = await persons.describe(companyId, await persons.facesOf(companyId, personId));
      return { success: true as const, message: MESSAGES.personFaces, data: faces.map(faceViewOf) };
    },
  );
}

function creationRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { personService } = ports;
  routes.post(
    PERSONS,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'createPerson',
        summary: 'Create a person of enrolled faces',
        description: 'A face that belongs to a person is refused (409): move it, or merge the two persons.',
        tags: PERSON_TAGS,
        body: personCreation,
        response: {
          201: envelope(personsChanged).describe('The person was created.'),
          404: errorBody,
          409: errorBody,
        },
      },
    },
    async (request, reply) => {
      const { companyId } = callerOf(request);
      const { faces, ...person } = request.body;
      const act = programAct(request, ports);
      const created = await personService.create(companyId, faces, person, act);
      const data = await changedPersons(ports, companyId, created.decision, [created.person]);
      return reply.code(201).send({ success: true as const, message: MESSAGES.personCreated, data });
    },
  );
  routes.patch(
    `${PERSONS}/:personId`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'updatePerson',
        summary: 'Change name, note, external id or cover photo of a person',
        description: 'Absent fields stay as they are.',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        body: personUpdate,
        response: { 200: envelope(personView).describe('The person.'), 404: errorBody, 409: errorBody },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, coverFaceId: cover, ...fields } = request.body;
      const seen = { id: request.params.personId, version };
      const act = programAct(request, ports);
      await personService.change(companyId, seen, { ...fields, cover }, act);
      return {
        success: true as const,
        message: MESSAGES.personChanged,
        data: await requirePerson(ports, companyId, seen.id),
      };
    },
  );
  routes.delete(
    `${PERSONS}/:personId`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'deletePerson',
        summary: 'Delete a person; the faces stay enrolled and belong to no person',
        description: 'Erases no photo: an operator erases photos in the dashboard.',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        querystring: versionQuery,
        response: {
          200: envelope(personDeleted).describe('The person was deleted.'),
          404: errorBody,
          409: errorBody,
          422: errorBody,
        },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const seen = { id: request.params.personId, version: request.query.version };
      const act = programAct(request, ports);
      const deleted = await personService.dissolve(companyId, seen, null, act);
      const { decisionId } = await changedPersons(ports, companyId, deleted.decision, [seen.id]);
      const data = { decisionId };
      return { success: true as const, message: MESSAGES.personDeleted, data };
    },
  );
}
