/** Puts new groups in place of those that their faces were in. */
import type { Selectable } from 'kysely';
import type { CompanyId, DuplicateGroupId, FaceId } from '../../contracts/ids.ts';
import type { FoundGroup } from '../../domain/ports/persons.ts';
import { send, together, type Transaction } from '../engine/database.ts';
import { listed } from '../engine/dialect.ts';
import type { Schema } from '../engine/schema.ts';
import { rowsWith, deleteRows, changeRows } from '../engine/rows.ts';

interface Replacement {
  faces: readonly FaceId[];
  groups: readonly FoundGroup[];
  until: number;
  rejected: (faces: readonly FaceId[]) => boolean;
  at: Date;
}
type Row = Selectable<Schema['duplicate_group']>;

export async function replaceGroups(
  trx: Transaction,
  company: CompanyId,
  replacement: Replacement,
): Promise<boolean> {
  const { groups, faces, until, rejected, at } = replacement;
  const [waiting, [followed], present] = await together(
    trx,
    rowsWith(trx, 'face_to_group', { company_id: company })
      .select('id')
      .where('face_id', 'in', listed(faces)),
    rowsWith(trx, 'duplicate_grouping', { company_id: company }).select('last_change'),
    groupsWith(trx, company, faces),
  );
  const changes = waiting.map(({ id }) => id);
  const last = Math.max(followed?.last_change ?? 0, ...changes);
  // Whether it still waits or another service has grouped its faces in the meantime: it was not read.
  if (last > until) return false;
  if (changes.length > 0) await markFollowed(trx, company, changes, last);
  const members = await membersOf(
    trx,
    company,
    present.map(({ id }) => id),
  );
  const byOldest = new Map<FaceId, Row>();
  // A group that is alive keeps its id before one that was rejected or superseded.
  for (const row of present.toSorted((a, b) => Number(isOver(a)) - Number(isOver(b)) || a.id - b.id))
    if (!byOldest.has(row.oldest_face)) byOldest.set(row.oldest_face, row);
  const kept = new Set<DuplicateGroupId>();
  for (const group of groups) {
    const row = byOldest.get(group.faces[0]!);
    if (row === undefined) await insertGroup(trx, company, group, at);
    else {
      kept.add(row.id);
      await updateGroup(trx, company, { row, before: members.get(row.id) ?? [], group, at });
    }
  }
  const grouped = new Set(groups.flatMap((group) => [...group.faces]));
  for (const row of present.filter(({ id }) => !kept.has(id))) {
    const its = members.get(row.id) ?? [];
    if (rejected(its)) await endGroup(trx, company, row, 'rejected', at);
    // A group that nothing was decided about, and whose faces are near no other one any more, is forgotten.
    else if (its.some((face) => grouped.has(face))) await endGroup(trx, company, row, 'superseded', at);
    else await send(trx, deleteRows(trx, 'duplicate_group', { company_id: company, id: row.id }));
  }
  return true;
}

/** Marks changes as followed: the faces of their groups are grouped now. @param last the last of all that were followed */
async function markFollowed(
  trx: Transaction,
  company: CompanyId,
  changes: readonly number[],
  last: number,
): Promise<void> {
  await send(
    trx,
    deleteRows(trx, 'face_to_group', { company_id: company }).where('id', 'in', listed(changes)),
  );
  await send(
    trx,
    trx
      .insertInto('duplicate_grouping')
      .values({ company_id: company, run_id: null, last_change: last })
      .onConflict((conflict) => conflict.column('company_id').doUpdateSet({ last_change: last })),
  );
}

const isOver = ({ state }: Row): boolean => state === 'rejected' || state === 'superseded';

function groupsWith(trx: Transaction, company: CompanyId, faces: readonly FaceId[]) {
  return rowsWith(trx, 'duplicate_group', { company_id: company })
    .selectAll()
    .where('id', 'in', (eb) =>
      eb
        .selectFrom('duplicate_group_face')
        .select('group_id')
        .where('company_id', '=', company)
        .where('face_id', 'in', listed(faces)),
    )
    .orderBy('id');
}

async function membersOf(
  trx: Transaction,
  company: CompanyId,
  groups: readonly DuplicateGroupId[],
): Promise<Map<DuplicateGroupId, FaceId[]>> {
  if (groups.length === 0) return new Map();
  const rows = await rowsWith(trx, 'duplicate_group_face', { company_id: company })
    .select(['group_id', 'face_id'])
    .where('group_id', 'in', listed(groups))
    .orderBy('group_id')
    .orderBy('face_id')
    .execute();
  const members = new Map<DuplicateGroupId, FaceId[]>();
  for (const { group_id: id, face_id: face } of rows) members.set(id, [...(members.get(id) ?? []), face]);
  return members;
}

function columnsOf({ faces, state, identical, link, widest }: FoundGroup, at: Date) {
  return {
    oldest_face: faces[0]!,
    state,
    link,
    widest,
    size: faces.length,
    identical: identical ? 1 : 0,
    changed_at: at.getTime(),
  };
}

async function insertGroup(trx: Transaction, company: CompanyId, group: FoundGroup, at: Date): Promise<void> {
  const { id } = await trx
    .insertInto('duplicate_group')
    .values({ company_id: company, created_at: at.getTime(), ...columnsOf(group, at) })
    .returning('id')
    .executeTakeFirstOrThrow();
  await insertMembers(trx, company, id, group.faces);
}

async function updateGroup(
  trx: Transaction,
  company: CompanyId,
  { row, before, group, at }: { row: Row; before: readonly FaceId[]; group: FoundGroup; at: Date },
): Promise<void> {
  const { faces } = group;
  const sameFaces = faces.length === before.length && faces.every((face, index) => face === before[index]);
  const columns = columnsOf(group, at);
  const { link, widest } = columns;
  await send(
    trx,
    trx
      .updateTable('duplicate_group')
      .set((eb) =>
        // The distances alone change when another pipeline or another person serves the same faces.
        sameFaces && columns.state === row.state
          ? { link, widest }
          : { ...columns, version: eb('version', '+', 1) },
      )
      .where((eb) => eb.and({ company_id: company, id: row.id })),
  );
  if (sameFaces) return;
  await insertMembers(
    trx,
    company,
    row.id,
    faces.filter((face) => !before.includes(face)),
  );
  await send(
    trx,
    deleteRows(trx, 'duplicate_group_face', { company_id: company, group_id: row.id }).where(
      'face_id',
      'in',
      listed(before.filter((face) => !faces.includes(face))),
    ),
  );
}

async function insertMembers(
  trx: Transaction,
  company: CompanyId,
  group: DuplicateGroupId,
  faces: readonly FaceId[],
): Promise<void> {
  for (const face of faces)
    await send(
      trx,
      trx.insertInto('duplicate_group_face').values({ group_id: group, face_id: face, company_id: company }),
    );
}

async function endGroup(
  trx: Transaction,
  company: CompanyId,
  row: Row,
  state: 'rejected' | 'superseded',
  at: Date,
): Promise<void> {
  if (row.state === state) return;
  await send(
    trx,
    changeRows(trx, 'duplicate_group', { company_id: company, id: row.id }).set((eb) => ({
      state,
      version: eb('version', '+', 1),
      changed_at: at.getTime(),
    })),
  );
}
