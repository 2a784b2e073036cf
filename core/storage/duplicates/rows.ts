/** A duplicate run as a row. */
import type { Selectable } from 'kysely';
import { z } from 'zod';
import { blacklistId, trusted } from '../../contracts/ids.ts';
import type { DuplicateRun } from '../../domain/ports/duplicates.ts';
import type { Schema } from '../engine/schema.ts';

const storedBlacklists = z.array(blacklistId);
const storedTail = z.object({
  faces: z.number(),
  pairs: z.number(),
  strong: z.number(),
  measuredTo: z.number(),
  law: z.object({ at: z.number(), level: z.number(), slope: z.number() }),
  error: z.object({ level: z.number(), slope: z.number(), both: z.number() }),
});
const storedProblem = z.enum(['PIPELINE_CHANGED']).nullable();

export function toRun(row: Selectable<Schema['duplicate_run']>): DuplicateRun {
  return {
    id: row.id,
    company: row.company_id,
    mode: row.mode,
    state: row.state,
    base: row.base_id ?? row.id,
    pipeline: row.pipeline_id,
    blacklists: storedBlacklists.parse(JSON.parse(row.blacklists)),
    oneIn: row.one_in,
    tail: row.tail === null ? null : storedTail.parse(JSON.parse(row.tail)),
    maxDistance: row.max_distance,
    lastFace: trusted.face(row.last_face),
    total: row.total,
    faces: row.faces,
    compared: row.compared,
    pairs: row.pairs,
    identical: row.identical,
    truncated: row.truncated,
    startedBy: row.started_by,
    startedAt: new Date(row.started_at),
    endedAt: row.ended_at === null ? null : new Date(row.ended_at),
    problem: storedProblem.parse(row.problem),
  };
}

/** The blacklists of a run as its column, the same for every order in which they were named. */
export function blacklistsColumn(blacklists: DuplicateRun['blacklists']): string {
  return JSON.stringify([...new Set(blacklists)].sort((a, b) => a - b));
}
