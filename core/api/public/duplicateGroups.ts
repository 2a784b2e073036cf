import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { groupDecisionRequest } from '../../contracts/dashboard/duplicates.ts';
import { groupDecided, groupDetailView, groupsPage, groupsQuery } from '../../contracts/duplicateGroups.ts';
import { MESSAGES } from '../../contracts/errors/messages.ts';
import { pathId } from '../../contracts/ids.ts';
import { envelope, errorBody } from '../../contracts/uploads.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import {
  groupCursorOf,
  groupFilterOf,
  groupPositionOf,
  PERSON_BODY_BYTES,
  programAct,
} from '../http/personParts.ts';
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
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { duplicateGroups, groups } = ports;
  routes.get(
    `${DETECTION}/groups`,
    {
      config: READING,
      schema: {
        operationId: 'listGroups',
        summary: 'Groups of faces that may show one person',
        description:
          'By default the open groups: proposed, partly decided and deferred ones, the most certain first. ' +
          'Follow `links.next` until it is null.',
        tags: TAGS,
        querystring: groupsQuery,
        response: { 200: groupsPage.describe('One page of groups.'), 422: errorBody },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      await groups.refresh(companyId);
      const { cursor, limit, ...filters } = request.query;
      const { order } = filters;
      const filter = await groupFilterOf(groups, companyId, filters);
      const after = cursor === undefined ? undefined : groupPositionOf(cursor);
      const [found, total] = await Promise.all([
        duplicateGroups.list(companyId, filter, { order, limit, after }),
        duplicateGroups.count(companyId, filter),
      ]);
      const next = cursorAfter(found, limit, groupCursorOf);
      const rows = await groupViews(ports, companyId, found);
      const page = cursorPageOf(request, { limit, total, next, filters }, rows);
      return { success: true as const, message: MESSAGES.groups, ...page };
    },
  );
  routes.get(
    `${DETECTION}/groups/:groupId`,
    {
      config: READING,
      schema: {
        operationId: 'getGroup',
        summary: 'One group with its faces, pairs and decisions',
        tags: TAGS,
        params: z.object({ groupId: pathId.duplicateGroup }),
        response: { 200: envelope(groupDetailView).describe('The group.'), 404: errorBody },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      await groups.refresh(companyId);
      const group = await duplicateGroups.find(companyId, request.params.groupId);
      if (group === undefined) throw new ApiError('NOT_FOUND');
      const data = await groupDetailOf(ports, companyId, group);
      return { success: true as const, message: MESSAGES.group, data };
    },
  );
}

function decisionRoutes(scope: FastifyInstance, ports: PublicPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { duplicateGroups, personService } = ports;
  routes.post(
    `${DETECTION}/groups/:groupId/decisions`,
    {
      config: { access: 'duplicates:review', takesKey: true },
      schema: {
        operationId: 'decideGroup',
        summary: 'Decide whether the faces of a group show one person',
        description:
          '`about` names the faces: the whole group; a pair; a split, in which the named faces show one person whom ' +
          'the others do not show; or a join with another group or face. The decision `same` about a whole group ' +
          'accepts it: its faces become one person.',
        tags: TAGS,
        params: z.object({ groupId: pathId.duplicateGroup }),
        body: groupDecisionRequest,
        response: {
          200: envelope(groupDecided).describe('The decision was recorded.'),
          404: errorBody,
          409: errorBody,
        },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const { version, ...decision } = request.body;
      const seen = { id: request.params.groupId, version };
      const act = programAct(request, ports);
      const decided = await personService.decide(companyId, seen, decision, act);
      const data = await decidedGroup(ports, companyId, { ...decided, group: seen.id });
      return { success: true as const, message: MESSAGES.decided, data };
    },
  );
  routes.post(
    `${DETECTION}/decisions/:decisionId/undo`,
    {
      config: { access: ['duplicates:review', 'persons:write'], takesKey: true },
      schema: {
        operationId: 'undoDecision',
        summary: 'Undo a decision about a group, or a change of persons',
        description: 'Later decisions keep their effect.',
        tags: TAGS,
        params: z.object({ decisionId: pathId.personDecision }),
        response: {
          200: envelope(groupDecided).describe('The decision was undone.'),
          404: errorBody,
          409: errorBody,
        },
      },
    },
    async (request) => {
      const { companyId } = callerOf(request);
      const act = programAct(request, ports);
      const undone = await personService.undo(companyId, request.params.decisionId, act);
      const group = (await duplicateGroups.groupsOf(companyId, undone.faces)).values().next().value;
      const after = { decision: null, person: undone.person, group: group?.id ?? null };
      const data = await decidedGroup(ports, companyId, after);
      return { success: true as const, message: MESSAGES.undone, data };
    },
  );
}
