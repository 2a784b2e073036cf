import type { FastifyInstance } from 'fastify';
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
import { envelope } from '../../contracts/uploads.ts';
import { serveProgram } from '../http/program.ts';
import { takeJson } from '../http/fieldForm.ts';
import { personCursorOf, personPositionOf, PERSON_BODY_BYTES } from '../http/personParts.ts';
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
  const { persons } = ports;
  serveProgram(scope, {
    route: `GET ${PERSONS}`,
    config: READING_PERSONS,
    operationId: 'listPersons',
    summary: 'Persons of the company, newest first',
    description: 'Follow `links.next` until it is null: persons that are added in the meantime move no row.',
    tags: PERSON_TAGS,
    querystring: personsQuery,
    answer: personsPage.describe('One page of persons.'),
    message: MESSAGES.persons,
    failures: [422],
    handle: async ({ companyId, query: { cursor, limit, text, externalId }, request }) => {
      const filter = { text, externalId };
      const after = cursor === undefined ? undefined : personPositionOf(cursor);
      const [found, total] = await Promise.all([
        persons.list(companyId, { order: 'newest', limit, ...filter, after }),
        persons.count(companyId, filter),
      ]);
      const next = cursorAfter(found, limit, personCursorOf);
      return cursorPageOf(request, { limit, total, next, filters: filter }, found.map(personViewOf));
    },
  });
  serveProgram(scope, {
    route: `GET ${PERSONS}/:personId`,
    config: READING_PERSONS,
    operationId: 'getPerson',
    summary: 'One person',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    answer: envelope(personView).describe('The person.'),
    message: MESSAGES.person,
    failures: [404],
    handle: async ({ companyId, params }) => ({
      data: await requirePerson(ports, companyId, params.personId),
    }),
  });
  serveProgram(scope, {
    route: `GET ${PERSONS}/:personId/faces`,
    config: READING_PERSONS,
    operationId: 'listPersonFaces',
    summary: 'The enrolled faces of a person, oldest first',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    answer: envelope(z.array(personFaceView)).describe('All faces of the person.'),
    message: MESSAGES.personFaces,
    failures: [404],
    handle: async ({ companyId, params: { personId } }) => {
      await requirePerson(ports, companyId, personId);
      const faces = await persons.describe(companyId, await persons.facesOf(companyId, personId));
      return { data: faces.map(faceViewOf) };
    },
  });
}

function creationRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { personService } = ports;
  serveProgram(scope, {
    route: `POST ${PERSONS}`,
    config: CHANGING_PERSONS,
    operationId: 'createPerson',
    summary: 'Create a person of enrolled faces',
    description: 'A face that belongs to a person is refused (409): move it, or merge the two persons.',
    tags: PERSON_TAGS,
    body: personCreation,
    status: 201,
    answer: envelope(personsChanged).describe('The person was created.'),
    message: MESSAGES.personCreated,
    failures: [404, 409],
    handle: async ({ companyId, act, body }) => {
      const { faces, ...person } = body;
      const created = await personService.create(companyId, faces, person, act);
      return { data: await changedPersons(ports, companyId, created.decision, [created.person]) };
    },
  });
  serveProgram(scope, {
    route: `PATCH ${PERSONS}/:personId`,
    config: CHANGING_PERSONS,
    operationId: 'updatePerson',
    summary: 'Change name, note, external id or cover photo of a person',
    description: 'Absent fields stay as they are.',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    body: personUpdate,
    answer: envelope(personView).describe('The person.'),
    message: MESSAGES.personChanged,
    failures: [404, 409],
    handle: async ({ companyId, act, params, body }) => {
      const { version, coverFaceId: cover, ...fields } = body;
      const seen = { id: params.personId, version };
      await personService.change(companyId, seen, { ...fields, cover }, act);
      return {
        data: await requirePerson(ports, companyId, seen.id),
      };
    },
  });
  serveProgram(scope, {
    route: `DELETE ${PERSONS}/:personId`,
    config: CHANGING_PERSONS,
    operationId: 'deletePerson',
    summary: 'Delete a person; the faces stay enrolled and belong to no person',
    description: 'Erases no photo: an operator erases photos in the dashboard.',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    querystring: versionQuery,
    answer: envelope(personDeleted).describe('The person was deleted.'),
    message: MESSAGES.personDeleted,
    failures: [404, 409, 422],
    handle: async ({ companyId, act, params, query }) => {
      const seen = { id: params.personId, version: query.version };
      const deleted = await personService.dissolve(companyId, seen, null, act);
      const { decisionId } = await changedPersons(ports, companyId, deleted.decision, [seen.id]);
      return { data: { decisionId } };
    },
  });
}
