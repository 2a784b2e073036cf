import {
  duplicateApi,
  decisionAnswer,
  DUPLICATE_FILE_COLUMNS,
  GROUP_LISTED,
  type GroupDetail,
  type GroupQuery,
  type GroupRow,
  type ListedFace,
} from '../../contracts/dashboard/duplicates.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { csvLine } from '../../contracts/csv.ts';
import {
  type PersonId,
  type CompanyId,
  type FaceId,
  trusted,
  type DuplicateGroupId,
  type PipelineId,
} from '../../contracts/ids.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { GroupFilter } from '../../domain/ports/persons.ts';
import type { DuplicateGroup } from '../../storage/persons/personRows.ts';
import { existing, ApiError } from '../http/errors.ts';
import { recordExport } from './access/export.ts';
import { sendCsv } from './listExports.ts';
import { serve } from './access/guard.ts';
import {
  decisionOf,
  groupCursorOf,
  groupFilterOf,
  groupPositionOf,
  measuredScore,
} from '../http/personParts.ts';
import { cursorAfter } from '../http/paging.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import { interpretScore, placeholderFace, faceImageBody } from './scoreInterpretation.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import { beginReport, sendPdf } from './reports.ts';

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
    return sendCsv(reply, 'vouch-duplicates.csv', lines(ports, operator, filter, body.filter.order));
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
            at: record.at,
            reason: record.reason,
            measured: measuredScore(ports, companyId, record),
            undoneAt: record.undoneAt,
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
  order: GroupQuery['order'],
): AsyncIterable<string> {
  yield csvLine(DUPLICATE_FILE_COLUMNS);
  for (let last: DuplicateGroup | undefined; ;) {
    const after = last && { value: last.link, size: last.size, id: last.id };
    const found = await ports.duplicateGroups.list(operator.companyId, filter, {
      order,
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
          face.enrolledAt,
          String(face.trustValidationId ?? ''),
          String(face.person?.id ?? ''),
          face.person?.name ?? '',
        ]);
    }
    last = found.length === EXPORT_PAGE ? found.at(-1) : undefined;
    if (last === undefined) return;
  }
}

// Groups, faces and decisions as the dashboard is sent them.

/** Faces with their pictures, by rising ids; missing ones are left out. */
export async function listedFaces(
  { persons, views }: Pick<DashboardRoutePorts, 'persons' | 'views'>,
  operator: SignedIn,
  faces: readonly FaceId[],
): Promise<ListedFace[]> {
  const { companyId } = operator;
  const [described, images] = await Promise.all([
    persons.describe(companyId, faces),
    views.faceImages(companyId, faces),
  ]);
  const byFace = new Map(images.map((image) => [image.faceId, image]));
  return described.map((face) => {
    const image = byFace.get(face.id);
    return {
      ...face,
      faceImage: image === undefined ? placeholderFace(face.name) : faceImageBody(operator, image),
    };
  });
}

/** How a distance reads against the faces that the last run compared. @param measuredBy absent: the pipeline of that run */
export async function readings(
  { duplicateRuns, recognition }: DashboardRoutePorts,
  company: CompanyId,
  measuredBy?: PipelineId,
): Promise<(distance: number) => ScoreInterpretation> {
  const run = await duplicateRuns.latest(company);
  const pipeline = measuredBy ?? run?.pipeline ?? recognition.pipelineOf(company);
  const calibration = recognition.calibrationOf(company, pipeline);
  if (calibration === undefined) throw new ApiError('NOT_FOUND');
  return (distance) => interpretScore(calibration, distance, run?.total ?? 0);
}

/** Rows of groups, each with its first faces. */
async function groupRows(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  groups: readonly DuplicateGroup[],
): Promise<GroupRow[]> {
  if (groups.length === 0) return [];
  const { companyId } = operator;
  const members = await Promise.all(
    groups.map(({ id }) => ports.duplicateGroups.facesOf(companyId, id, GROUP_LISTED.row)),
  );
  const listed = new Map((await listedFaces(ports, operator, members.flat())).map((face) => [face.id, face]));
  const [read, certainty] = await Promise.all([
    readings(ports, companyId),
    ports.groups.certainty(companyId),
  ]);
  return groups.map(({ widest, link, ...group }, index) => ({
    ...group,
    certainty: group.identical ? 1 : (certainty?.at(link) ?? 0),
    reading: read(widest),
    faces: members[index]!.flatMap((face) => listed.get(face) ?? []),
  }));
}

/** The PDF of a group of possible duplicates. The export is in the audit log before the first byte leaves. */
export function duplicateGroupReportRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  serve(app, duplicateApi.report, async ({ operator, params: { id }, body: { language }, reply }) => {
    const { frame, shown } = await beginReport(ports, operator, language, async () => {
      const read = await readGroup(ports, operator, id);
      const rows = read.group.faces.length;
      return { exported: { kind: 'duplicateGroupReport', object: null, rows }, shown: read };
    });
    return sendPdf(reply, await ports.reports.duplicateGroup({ ...frame, ...shown }));
  });
}

async function readGroup(ports: DashboardRoutePorts, operator: SignedIn, id: DuplicateGroupId) {
  const { companyId, role } = operator;
  await ports.groups.refresh(companyId);
  const found = existing(await ports.duplicateGroups.find(companyId, id));
  const group = await groupBody(ports, operator, found);
  const thumbnails = new Map<number, Uint8Array>();
  if (mayRole(role, 'images:read'))
    for (const face of group.faces) {
      const thumbnail = await ports.views.thumbnail(companyId, trusted.face(face.id));
      if (thumbnail !== undefined) thumbnails.set(face.id, thumbnail);
    }
  return { group, thumbnails };
}
