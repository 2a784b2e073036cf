/** Parts that the routes about groups and persons share, for the dashboard and for programs. */
import { z } from 'zod';
import { OPEN_GROUPS, type GroupFilter as AskedFilter } from '../../contracts/dashboard/duplicates.ts';
import { pathId, type CompanyId, type PersonId, type PipelineId } from '../../contracts/ids.ts';
import type { GroupService } from '../../domain/duplicates/groups.ts';
import type { GroupFilter, GroupPosition } from '../../domain/ports/persons.ts';
import type { DecisionRecord, DuplicateGroup, Person } from '../../storage/persons/personRows.ts';
import type { PipelineRegistry } from '../../domain/recognition/pipelineRegistry.ts';
import { similarityScore } from '../../domain/scores/scores.ts';
import { cursorText, unknownCursor } from './paging.ts';
import { periodOf } from './query.ts';
import type { FastifyRequest } from 'fastify';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import { callerOf, idempotencyKeyOf } from './credentials.ts';
import { ApiError } from './errors.ts';
import { IDEMPOTENCY_KEY } from '../../contracts/uploads.ts';

/** Changes of groups and persons that a program asks for. */

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A repetition with the same Idempotency-Key has no second effect. */
    takesKey?: boolean;
  }
}

/** Bytes of a request that changes groups or persons: 500 ids of faces with a name, a note and a reason fit in. */
export const PERSON_BODY_BYTES = 64 * 1024;

/**
 * The program behind a request, the time, and the key under which the request can be repeated.
 * @throws {ApiError} 422: the Idempotency-Key has other characters than a key may have
 */
export function programAct(
  request: Pick<FastifyRequest, 'body' | 'caller' | 'headers' | 'method' | 'url'>,
  { clock }: { clock: Clock },
): AuditContext {
  const act = { by: callerOf(request).credential, at: clock.now() };
  const key = idempotencyKeyOf(request);
  if (key === undefined) return act;
  if (!IDEMPOTENCY_KEY.test(key)) throw new ApiError('IDEMPOTENCY_KEY_INVALID');
  const content = JSON.stringify([request.method, request.url, request.body ?? {}]);
  // Two programs of a company may count their requests alike.
  return { ...act, request: { key: `${act.by} ${key}`, content } };
}

/** The filter of a request, in the terms of the store. */
export async function groupFilterOf(
  groups: GroupService,
  company: CompanyId,
  asked: AskedFilter,
): Promise<GroupFilter> {
  const { state, list, source, certainty, identical, text } = asked;
  const states = state === 'open' ? OPEN_GROUPS : [state];
  const link = certainty === undefined ? undefined : (await groups.certainty(company))?.distanceOf(certainty);
  return {
    states,
    list,
    source,
    ...periodOf(asked),
    link,
    identical: identical === undefined ? undefined : identical === 'only',
    text,
  };
}

/** Where the page after this group begins, as text. */
export function groupCursorOf({ link, size, id }: DuplicateGroup): string {
  return encode([link, size, id]);
}

/** @throws {ApiError} 422: no page begins there */
export function groupPositionOf(cursor: string): GroupPosition {
  const [value, size, id] = decode(cursor, z.tuple([z.number(), z.int32(), pathId.duplicateGroup]));
  return { value, size, id };
}

/** Where the page after this person begins, as text. */
export function personCursorOf({ name, id }: Pick<Person, 'name' | 'id'>): string {
  return encode([name, id]);
}

/** @throws {ApiError} 422: no page begins there */
export function personPositionOf(cursor: string): { name: string; id: PersonId } {
  const [name, id] = decode(cursor, z.tuple([cursorText, pathId.person]));
  return { name, id };
}

function encode(position: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(position)).toString('base64url');
}

function decode<T>(cursor: string, shape: z.ZodType<T>): T {
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch {
    throw unknownCursor();
  }
}

/** The score of the least similar pair of a decision by the calibration of its pipeline; see `DecisionRecord.measured`. */
export function measuredScore(
  { recognition }: { recognition: Pick<PipelineRegistry, 'calibrationOf'> },
  company: CompanyId,
  { measured }: DecisionRecord,
): { score: number | null; pipeline: PipelineId } | null {
  if (measured === null) return null;
  const { distance, pipeline } = measured;
  const calibration = recognition.calibrationOf(company, pipeline);
  return { score: calibration === undefined ? null : similarityScore(calibration, distance), pipeline };
}

/** A decision in the words of a reviewer; undefined: the entry decides nothing about faces. */
export function decisionOf({ kind }: DecisionRecord): 'same' | 'different' | 'unsure' | undefined {
  switch (kind) {
    case 'same':
    case 'named':
    case 'choose':
    case 'merge':
      return 'same';
    case 'different':
    case 'split':
    case 'move':
      return 'different';
    case 'unsure':
      return 'unsure';
    case 'dissolve':
    case 'change':
    case 'undo':
      return undefined;
  }
}
