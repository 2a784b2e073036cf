/** Changes of which faces belong to which person, for programs. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId, type CompanyId, type PersonId } from '../../contracts/ids.ts';
import {
  personFacesAddition,
  personPairRequest,
  personsChanged,
  personSplitRequest,
} from '../../contracts/persons.ts';
import { envelope, errorBody } from '../../contracts/uploads.ts';
import { callerOf } from '../http/credentials.ts';
import { programAct } from '../http/personParts.ts';
import { changedPersons, CHANGING_PERSONS, PERSON_TAGS, PERSONS } from './personViews.ts';
import type { PublicPorts } from '../ports.ts';

const pair = z.object({ targetPersonId: pathId.person, sourcePersonId: pathId.person });
const response = {
  200: envelope(personsChanged).describe('The persons as they are now.'),
  404: errorBody,
  409: errorBody,
};

/** Adds faces to a person, takes faces out of one, moves a face, and merges two persons. */
export function personChangeRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  onePersonRoutes(scope, ports);
  twoPersonRoutes(scope, ports);
}

function onePersonRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { personService } = ports;
  routes.post(
    `${PERSONS}/:personId/faces`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'addPersonFaces',
        summary: 'Add enrolled faces to a person',
        description: 'A face that belongs to a person is refused (409): move it, or merge the two persons.',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        body: personFacesAddition,
        response,
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, ...addition } = request.body;
      const to = { id: request.params.personId, version };
      const act = programAct(request, ports);
      const added = await personService.add(companyId, to, addition, act);
      return answerOf(ports, companyId, added.decision, [to.id]);
    },
  );
  routes.post(
    `${PERSONS}/:personId/split`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'splitPerson',
        summary: 'Make a person of its own of some faces of a person',
        tags: PERSON_TAGS,
        params: z.object({ personId: pathId.person }),
        body: personSplitRequest,
        response,
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, ...split } = request.body;
      const from = { id: request.params.personId, version };
      const act = programAct(request, ports);
      const done = await personService.split(companyId, from, split, act);
      return answerOf(ports, companyId, done.decision, [from.id, done.person]);
    },
  );
}

/** `version` in the body of a request is that of the target. */
function twoPersonRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { personService } = ports;
  routes.post(
    `${PERSONS}/:targetPersonId/merge/:sourcePersonId`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'mergePersons',
        summary: 'Merge a person into another one',
        description:
          'The faces of the source come to the target, which keeps name, note, external id and cover photo. ' +
          '`version` is that of the target.',
        tags: PERSON_TAGS,
        params: pair,
        body: personPairRequest,
        response,
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, sourceVersion, reason } = request.body;
      const target = { id: request.params.targetPersonId, version };
      const source = { id: request.params.sourcePersonId, version: sourceVersion };
      const act = programAct(request, ports);
      const merged = await personService.merge(companyId, { target, source }, reason, act);
      return answerOf(ports, companyId, merged.decision, [target.id]);
    },
  );
  routes.post(
    `${PERSONS}/:targetPersonId/move/:sourcePersonId/faces/:faceId`,
    {
      config: CHANGING_PERSONS,
      schema: {
        operationId: 'movePersonFace',
        summary: 'Move a face from a person to another one',
        description: '`version` is that of the target.',
        tags: PERSON_TAGS,
        params: pair.extend({ faceId: pathId.face }),
        body: personPairRequest,
        response,
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, sourceVersion, reason } = request.body;
      const { targetPersonId, sourcePersonId, faceId } = request.params;
      const to = { id: targetPersonId, version };
      const from = { id: sourcePersonId, version: sourceVersion };
      const act = programAct(request, ports);
      const moved = await personService.move(companyId, from, { faces: [faceId], to, reason }, act);
      return answerOf(ports, companyId, moved.decision, [to.id, from.id]);
    },
  );
}

async function answerOf(
  ports: PublicPorts,
  company: CompanyId,
  decision: number,
  concerned: readonly (PersonId | null)[],
) {
  return {
    success: true as const,
    message: MESSAGES.personChanged,
    data: await changedPersons(ports, company, decision, concerned),
  };
}
