import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { groupDecisionRequest } from '../../contracts/dashboard/duplicates.ts';
import { groupDecided, groupDetailView, groupsPage, groupsQuery } from '../../contracts/duplicateGroups.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId } from '../../contracts/ids.ts';
import { envelope } from '../../contracts/uploads.ts';
import { serveProgram } from '../http/program.ts';
import { ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { groupCursorOf, groupFilterOf, groupPositionOf, PERSON_BODY_BYTES } from '../http/personParts.ts';
import { cursorAfter, cursorPageOf } from '../http/paging.ts';
import { decidedGroup, groupDetailOf, groupViews } from './personViews.ts';
import type { PublicPorts } from '../ports.ts';

const DETECTION = '/api/v3/duplicate-detection';
const TAGS = ['Duplicate detection'];
const READING = { access: 'duplicates:read' } as const;

/** Groups of faces that may show one person, for programs: the list, one of them, decisions and their undo. */
export async function duplicateGroupRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    takeJson(scope, () => PERSON_BODY_BYTES);
    readingRoutes(scope, ports);
    decisionRoutes(scope, ports);
    done();
  });
}

function readingRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { duplicateGroups, groups } = ports;
  serveProgram(scope, {
    route: `GET ${DETECTION}/groups`,
    config: READING,
    operationId: 'listGroups',
    summary: 'Groups of faces that may show one person',
    description:
      'By default the open groups: proposed, partly decided and deferred ones, the most certain first. ' +
      'Follow `links.next` until it is null.',
    tags: TAGS,
    querystring: groupsQuery,
    answer: groupsPage.describe('One page of groups.'),
    message: MESSAGES.groups,
    failures: [422],
    handle: async ({ companyId, query, request }) => {
      await groups.refresh(companyId);
      const { cursor, limit, ...filters } = query;
      const { order } = filters;
      const filter = await groupFilterOf(groups, companyId, filters);
      const after = cursor === undefined ? undefined : groupPositionOf(cursor);
      const [found, total] = await Promise.all([
        duplicateGroups.list(companyId, filter, { order, limit, after }),
        duplicateGroups.count(companyId, filter),
      ]);
      const next = cursorAfter(found, limit, groupCursorOf);
      const rows = await groupViews(ports, companyId, found);
      return cursorPageOf(request, { limit, total, next, filters }, rows);
    },
  });
  serveProgram(scope, {
    route: `GET ${DETECTION}/groups/:groupId`,
    config: READING,
    operationId: 'getGroup',
    summary: 'One group with its faces, pairs and decisions',
    tags: TAGS,
    params: z.object({ groupId: pathId.duplicateGroup }),
    answer: envelope(groupDetailView).describe('The group.'),
    message: MESSAGES.group,
    failures: [404],
    handle: async ({ companyId, params }) => {
      await groups.refresh(companyId);
      const group = await duplicateGroups.find(companyId, params.groupId);
      if (group === undefined) throw new ApiError('NOT_FOUND');
      return { data: await groupDetailOf(ports, companyId, group) };
    },
  });
}

function decisionRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const { duplicateGroups, personService } = ports;
  serveProgram(scope, {
    route: `POST ${DETECTION}/groups/:groupId/decisions`,
    config: { access: 'duplicates:review', takesKey: true },
    operationId: 'decideGroup',
    summary: 'Decide whether the faces of a group show one person',
    description:
      '`about` names the faces: the whole group; a pair; a split, in which the named faces show one person whom ' +
      'the others do not show; or a join with another group or face. The decision `same` about a whole group ' +
      'accepts it: its faces become one person.',
    tags: TAGS,
    params: z.object({ groupId: pathId.duplicateGroup }),
    body: groupDecisionRequest,
    answer: envelope(groupDecided).describe('The decision was recorded.'),
    message: MESSAGES.decided,
    failures: [404, 409],
    handle: async ({ companyId, act, params, body }) => {
      const { version, ...decision } = body;
      const seen = { id: params.groupId, version };
      const decided = await personService.decide(companyId, seen, decision, act);
      return { data: await decidedGroup(ports, companyId, { ...decided, group: seen.id }) };
    },
  });
  serveProgram(scope, {
    route: `POST ${DETECTION}/decisions/:decisionId/undo`,
    config: { access: ['duplicates:review', 'persons:write'], takesKey: true },
    operationId: 'undoDecision',
    summary: 'Undo a decision about a group, or a change of persons',
    description: 'Later decisions keep their effect.',
    tags: TAGS,
    params: z.object({ decisionId: pathId.personDecision }),
    answer: envelope(groupDecided).describe('The decision was undone.'),
    message: MESSAGES.undone,
    failures: [404, 409],
    handle: async ({ companyId, act, params }) => {
      const undone = await personService.undo(companyId, params.decisionId, act);
      const group = (await duplicateGroups.groupsOf(companyId, undone.faces)).values().next().value;
      const after = { decision: null, person: undone.person, group: group?.id ?? null };
      return { data: await decidedGroup(ports, companyId, after) };
    },
  });
}
