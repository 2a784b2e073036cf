/** Changes of which faces belong to which person, for programs. */
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId, type CompanyId, type PersonId } from '../../contracts/ids.ts';
import {
  personFacesAddition,
  personPairRequest,
  personsChanged,
  personSplitRequest,
} from '../../contracts/persons.ts';
import { envelope } from '../../contracts/uploads.ts';
import { serveProgram } from '../http/program.ts';
import { changedPersons, CHANGING_PERSONS, PERSON_TAGS, PERSONS } from './personViews.ts';
import type { PublicPorts } from '../ports.ts';

const pair = z.object({ targetPersonId: pathId.person, sourcePersonId: pathId.person });
const CHANGED = {
  answer: envelope(personsChanged).describe('The persons as they are now.'),
  message: MESSAGES.personChanged,
  failures: [404, 409],
} as const;

/** Adds faces to a person, takes faces out of one, moves a face, and merges two persons. */
export function personChangeRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  onePersonRoutes(scope, ports);
  twoPersonRoutes(scope, ports);
}

function onePersonRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { personService } = ports;
  serveProgram(scope, {
    route: `POST ${PERSONS}/:personId/faces`,
    config: CHANGING_PERSONS,
    operationId: 'addPersonFaces',
    summary: 'Add enrolled faces to a person',
    description: 'A face that belongs to a person is refused (409): move it, or merge the two persons.',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    body: personFacesAddition,
    ...CHANGED,
    handle: async ({ companyId, act, params, body }) => {
      const { version, ...addition } = body;
      const to = { id: params.personId, version };
      const added = await personService.add(companyId, to, addition, act);
      return answerOf(ports, companyId, added.decision, [to.id]);
    },
  });
  serveProgram(scope, {
    route: `POST ${PERSONS}/:personId/split`,
    config: CHANGING_PERSONS,
    operationId: 'splitPerson',
    summary: 'Make a person of its own of some faces of a person',
    tags: PERSON_TAGS,
    params: z.object({ personId: pathId.person }),
    body: personSplitRequest,
    ...CHANGED,
    handle: async ({ companyId, act, params, body }) => {
      const { version, ...split } = body;
      const from = { id: params.personId, version };
      const done = await personService.split(companyId, from, split, act);
      return answerOf(ports, companyId, done.decision, [from.id, done.person]);
    },
  });
}

/** `version` in the body of a request is that of the target. */
function twoPersonRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { personService } = ports;
  serveProgram(scope, {
    route: `POST ${PERSONS}/:targetPersonId/merge/:sourcePersonId`,
    config: CHANGING_PERSONS,
    operationId: 'mergePersons',
    summary: 'Merge a person into another one',
    description:
      'The faces of the source come to the target, which keeps name, note, external id and cover photo. ' +
      '`version` is that of the target.',
    tags: PERSON_TAGS,
    params: pair,
    body: personPairRequest,
    ...CHANGED,
    handle: async ({ companyId, act, params, body: { version, sourceVersion, reason } }) => {
      const target = { id: params.targetPersonId, version };
      const source = { id: params.sourcePersonId, version: sourceVersion };
      const merged = await personService.merge(companyId, { target, source }, reason, act);
      return answerOf(ports, companyId, merged.decision, [target.id]);
    },
  });
  serveProgram(scope, {
    route: `POST ${PERSONS}/:targetPersonId/move/:sourcePersonId/faces/:faceId`,
    config: CHANGING_PERSONS,
    operationId: 'movePersonFace',
    summary: 'Move a face from a person to another one',
    description: '`version` is that of the target.',
    tags: PERSON_TAGS,
    params: pair.extend({ faceId: pathId.face }),
    body: personPairRequest,
    ...CHANGED,
    handle: async ({ companyId, act, params, body: { version, sourceVersion, reason } }) => {
      const { targetPersonId, sourcePersonId, faceId } = params;
      const to = { id: targetPersonId, version };
      const from = { id: sourcePersonId, version: sourceVersion };
      const moved = await personService.move(companyId, from, { faces: [faceId], to, reason }, act);
      return answerOf(ports, companyId, moved.decision, [to.id, from.id]);
    },
  });
}

async function answerOf(
  ports: PublicPorts,
  company: CompanyId,
  decision: number,
  concerned: readonly (PersonId | null)[],
) {
  return { data: await changedPersons(ports, company, decision, concerned) };
}
