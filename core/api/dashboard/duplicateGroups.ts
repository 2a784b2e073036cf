import {
  duplicateApi,
  decisionAnswer,
  DUPLICATE_FILE_COLUMNS,
  GROUP_LISTED,
  type GroupDetail,
} from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { csvLine } from '../../contracts/csv.ts';
import { type PersonId } from '../../contracts/ids.ts';
import { actorNames } from './actorNames.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { DuplicateGroup, GroupFilter } from '../../domain/ports/persons.ts';
import { existing } from '../http/errors.ts';
import { recordExport } from './access/export.ts';
import { sendCsv } from './listExports.ts';
import { serve } from './access/guard.ts';
import { groupRows, listedFaces, readings } from './duplicateBodies.ts';
import {
  decisionOf,
  groupCursorOf,
  groupFilterOf,
  groupPositionOf,
  measuredScore,
} from '../http/personParts.ts';
import { cursorAfter } from '../http/paging.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/** Groups per page by default, and groups that an export reads at once. */
const [PAGE, EXPORT_PAGE] = [50, 200];

/** Groups of faces that may show one person: the list, one of them, the decisions, and their undo. */
export function duplicateGroupRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const { duplicateGroups, groups, personService } = ports;
  serve(app, duplicateApi.groups, async ({ operator, query }) => {
    const { companyId } = operator;
    await groups.refresh(companyId);
    const { cursor, limit = PAGE, order } = query;
    const filter = await groupFilterOf(ports.groups, companyId, query);
    const after = cursor === undefined ? undefined : groupPositionOf(cursor);
    const [found, total] = await Promise.all([
      duplicateGroups.list(companyId, filter, { order, limit, after }),
      duplicateGroups.count(companyId, filter),
    ]);
    return {
      items: await groupRows(ports, operator, found),
      nextCursor: cursorAfter(found, limit, groupCursorOf),
      total,
    };
  });
  serve(app, duplicateApi.group, async ({ operator, params }) => {
    await groups.refresh(operator.companyId);
    const group = existing(await duplicateGroups.find(operator.companyId, params.id));
    return groupBody(ports, operator, group);
  });
  serve(app, duplicateApi.counts, async ({ companyId }) => {
    await groups.refresh(companyId);
    const [states, unfinished] = await Promise.all([
      duplicateGroups.countStates(companyId),
      ports.duplicateRuns.unfinished(companyId),
    ]);
    return {
      open: states.proposed + states.partlyDecided + states.awaitingConfirmation,
      deferred: states.deferred,
      running: unfinished?.state === 'running',
    };
  });
  serve(app, duplicateApi.export, async ({ operator, body, reply }) => {
    await groups.refresh(operator.companyId);
    const filter = await groupFilterOf(ports.groups, operator.companyId, body.filter);
    const rows = await duplicateGroups.count(operator.companyId, filter);
    await recordExport(ports, operator, { kind: 'duplicateGroups', object: null, rows });
    return sendCsv(reply, 'vouch-duplicates.csv', lines(ports, operator, filter));
  });
  serve(app, duplicateApi.decide, async ({ operator, act, params, body: { version, ...decision } }) => {
    const seen = { id: params.id, version };
    const decided = await personService.decide(operator.companyId, seen, decision, act);
    return answerOf(ports, operator, { ...decided, group: seen.id });
  });
  serve(app, duplicateApi.undo, async ({ operator, act, params }) => {
    const { companyId } = operator;
    const undone = await personService.undo(companyId, params.id, act);
    const group = (await duplicateGroups.groupsOf(companyId, undone.faces)).values().next().value;
    return answerOf(ports, operator, { person: undone.person, decision: null, group: group?.id ?? null });
  });
}

/** A group with its photos, pairs and decisions. */
export async function groupBody(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  group: DuplicateGroup,
): Promise<GroupDetail> {
  const { companyId } = operator;
  const faces = await ports.duplicateGroups.facesOf(companyId, group.id);
  const listed = faces.slice(0, GROUP_LISTED.faces);
  const [[row], read, view, records, names] = await Promise.all([
    groupRows(ports, operator, [group]),
    readings(ports, companyId),
    ports.groups.describe(companyId, listed),
    ports.persons.decisionsOf(companyId, faces),
    actorNames(ports, companyId),
  ]);
  const near = (view?.alsoNear ?? []).slice(0, GROUP_LISTED.faces);
  const [of, nearFaces, shown] = await Promise.all([
    ports.duplicateGroups.groupsOf(
      companyId,
      near.map(({ face }) => face),
    ),
    listedFaces(
      ports,
      operator,
      near.map(({ face }) => face),
    ),
    listedFaces(ports, operator, listed),
  ]);
  const byFace = new Map(nearFaces.map((face) => [face.id, face]));
  return {
    ...row!,
    faces: shown,
    pairs: (view?.pairs ?? []).slice(0, GROUP_LISTED.pairs).map(({ distance, ...pair }) => ({
      ...pair,
      reading: read(distance),
    })),
    pairCount: (faces.length * (faces.length - 1)) / 2,
    alsoNear: near.flatMap(({ face, distance, why }) => {
      const listedFace = byFace.get(face);
      const other = of.get(face);
      return listedFace === undefined
        ? []
        : {
            face: listedFace,
            group: other === undefined ? null : { id: other.id, version: other.version },
            reading: read(distance),
            why,
          };
    }),
    history: records.flatMap((record) => {
      const decision = decisionOf(record);
      return decision === undefined
        ? []
        : {
            id: record.id,
            decision,
            faces: record.faces.map(({ face }) => face),
            by: record.by,
            byName: names.get(record.by) ?? null,
            at: record.at.toISOString(),
            reason: record.reason,
            measured: measuredScore(ports, companyId, record),
            undoneAt: record.undoneAt?.toISOString() ?? null,
            awaitsConfirmation: record.awaitsConfirmation,
          };
    }),
  };
}

async function answerOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  {
    decision,
    person,
    group,
  }: { decision: number | null; person: PersonId | null; group: DuplicateGroup['id'] | null },
): Promise<z.infer<typeof decisionAnswer>> {
  const { companyId } = operator;
  const found = group === null ? undefined : await ports.duplicateGroups.find(companyId, group);
  const shown = found === undefined || found.state === 'superseded' ? [] : [found];
  const [[row], names] = await Promise.all([
    groupRows(ports, operator, shown),
    ports.persons.named(companyId, person === null ? [] : [person]),
  ]);
  const name = person === null ? undefined : names.get(person);
  return {
    decisionId: decision,
    group: row ?? null,
    person: person === null || name === undefined ? null : { id: person, name },
  };
}

/** One line for each face. The byte-order mark lets spreadsheets read the file as UTF-8. */
async function* lines(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  filter: GroupFilter,
): AsyncIterable<string> {
  yield csvLine(DUPLICATE_FILE_COLUMNS);
  for (let last: DuplicateGroup | undefined; ;) {
    const after = last && { value: last.link, size: last.size, id: last.id };
    const found = await ports.duplicateGroups.list(operator.companyId, filter, {
      order: 'certainty',
      limit: EXPORT_PAGE,
      after,
    });
    const rows = await groupRows(ports, operator, found);
    for (const [index, row] of rows.entries()) {
      const faces = await ports.duplicateGroups.facesOf(operator.companyId, found[index]!.id);
      for (const face of await ports.persons.describe(operator.companyId, faces))
        yield csvLine([
          String(row.id),
          row.state,
          row.certainty.toFixed(4),
          String(row.identical),
          String(row.size),
          row.reading.score.toFixed(2),
          String(face.id),
          face.name,
          face.blacklist?.name ?? '',
          face.source,
          face.runName ?? '',
          face.enrolledAt.toISOString(),
          String(face.trustValidationId ?? ''),
          String(face.person?.id ?? ''),
          face.person?.name ?? '',
        ]);
    }
    last = found.length === EXPORT_PAGE ? found.at(-1) : undefined;
    if (last === undefined) return;
  }
}
