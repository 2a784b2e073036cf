/** Decisions, persons and groups as rows. */
import type { Selectable } from 'kysely';
import type { FaceId } from '../../contracts/ids.ts';
import type { DecisionRecord, DuplicateGroup } from '../../domain/ports/persons.ts';
import type { Schema } from '../engine/schema.ts';

export function toRecord(
  row: Selectable<Schema['person_decision']> & { undone_at: number | null; awaiting: number },
  faces: DecisionRecord['faces'],
): DecisionRecord {
  return {
    id: row.id,
    kind: row.kind,
    faces,
    by: row.decided_by,
    at: new Date(row.decided_at),
    reason: row.reason,
    measured:
      row.distance === null || row.pipeline_id === null
        ? null
        : { distance: row.distance, pipeline: row.pipeline_id },
    undoes: row.undoes,
    undoneAt: row.undone_at === null ? null : new Date(row.undone_at),
    awaitsConfirmation: row.awaiting === 1,
    person: row.person_id,
    otherPerson: row.other_person_id,
  };
}

export function toGroup(row: Selectable<Schema['duplicate_group']>): DuplicateGroup {
  const { id, version, state, link, widest, size } = row;
  return {
    id,
    version,
    state,
    link,
    widest,
    size,
    identical: row.identical === 1,
    createdAt: new Date(row.created_at),
    changedAt: new Date(row.changed_at),
  };
}

export const isRising = (a: FaceId, b: FaceId): number => a - b;
