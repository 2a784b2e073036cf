import { listApi } from '../../contracts/dashboard/lists.ts';
import {
  validationApi,
  type ValidationDetail,
  type ValidationQuery,
  type ValidationRow,
  type ValidationSort,
  referenceOf,
} from '../../contracts/dashboard/validations.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { trusted, type FaceId, type TrustValidationId } from '../../contracts/ids.ts';
import { bySeverity, ofTexts } from '../../contracts/faceListing.ts';
import type { ScreeningFacts } from '../../contracts/validations.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { StoredMatch } from '../../storage/dashboard/dashboardQueries.ts';
import type { ListedValidation, ValidationPosition } from '../../storage/dashboard/validationList.ts';
import { decideBatch } from '../../domain/screening/batchDecision.ts';
import { ViewAuditDeduplicator } from '../../domain/audit/auditService.ts';
import { serve } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { cursorAfter, cursorText, unknownCursor } from '../http/paging.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { personNames } from './personNames.ts';
import { readMatches, createCaseReport, screenedLists } from './caseReport.ts';
import { filterOf, orderOf } from './listExports.ts';
import { placeholderFace, pictureUrl, faceImageBody } from './scoreInterpretation.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { sendPdf } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

const PAGE = 200;

/** The list, one validation, and a reviewer's decision. */
export function validationRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  // One decision on several validations.
  serve(app, listApi.decideAll, async ({ operator, body: { validations, ...decision } }) => {
    const { actor } = operator;
    const company = await callingCompany(ports.companies, operator);
    const results = await decideBatch(ports, company, decision, validations, actor);
    return { results };
  });
  const looks = new ViewAuditDeduplicator(ports.clock);

  serve(app, validationApi.list, ({ operator, query }) => page(ports, operator, query));
  serve(app, validationApi.read, async ({ operator, act, params: { id } }) => {
    const shown = await detail(ports, operator, id);
    // On the record before it is answered, like a photo.
    const object = `validation:${id}` as const;
    await looks.once(operator.actor, object, () =>
      ports.audit.record(act, { company: operator.companyId, action: 'validation.viewed', object }),
    );
    return shown;
  });
  serve(app, validationApi.decide, async ({ operator, params: { id }, body }) => {
    const company = await callingCompany(ports.companies, operator);
    const outcome = await ports.verifications.decide(company, id, body, operator.actor);
    if (outcome === 'unknown') throw new ApiError('NOT_FOUND');
    if (outcome !== 'decided') throw new ApiError('DECIDED_MEANWHILE');
    return detail(ports, operator, id);
  });
  serve(app, validationApi.report, async ({ operator, params: { id }, query, reply }) => {
    const pdf = await createCaseReport(ports, operator, id, query);
    return sendPdf(reply, pdf);
  });
}

async function page(ports: DashboardRoutePorts, operator: SignedIn, query: ValidationQuery) {
  const { views } = ports;
  const filter = filterOf(query);
  const limit = query.limit ?? PAGE;
  const after = positionOf(query);
  const [rows, counts] = await Promise.all([
    views.validations(operator.companyId, filter, {
      ...orderOf(query),
      limit,
      after,
    }),
    views.countValidations(operator.companyId, filter),
  ]);
  const faces = rows.flatMap(({ faceId, bestMatch }) => [faceId, bestMatch?.faceId]);
  const personOf = await personNames(ports, operator, faces);
  return {
    items: rows.map((row) => rowBody(operator, row, personOf)),
    nextCursor: cursorAfter(rows, limit, (last) => JSON.stringify([last.position.value, last.id])),
    ...counts,
  };
}

const rowNumber = z.int().min(1);
/** The value of the sorted column and the number of the last row of a page. */
const CURSORS = {
  created: z.tuple([z.int(), rowNumber]),
  name: z.tuple([cursorText, rowNumber]),
  status: z.tuple([z.int(), rowNumber]),
  score: z.tuple([z.number(), rowNumber]),
  finalized: z.tuple([z.int(), rowNumber]),
} as const satisfies Record<ValidationSort, z.ZodType>;

/** @throws {ApiError} 422 for a cursor that no page gave */
function positionOf({ cursor, sort = 'created' }: ValidationQuery): ValidationPosition | undefined {
  if (cursor === undefined) return undefined;
  try {
    const [value, last] = CURSORS[sort].parse(JSON.parse(cursor));
    return { value, id: trusted.trustValidation(last) };
  } catch {
    throw unknownCursor();
  }
}

type PersonOf = Awaited<ReturnType<typeof personNames>>;

function rowBody(operator: SignedIn, row: ListedValidation, personOf: PersonOf): ValidationRow {
  const shown = <Row extends { faceId: FaceId | null }>({ faceId, ...facts }: Row) => ({
    ...facts,
    thumbnailUrl: pictureUrl(operator, faceId, 'thumbnail'),
    person: personOf(faceId),
  });
  return { ...shown(row), bestMatch: row.bestMatch && shown(row.bestMatch) };
}

async function detail(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: TrustValidationId,
): Promise<ValidationDetail> {
  const { companyId } = operator;
  const [found, faceImage, matches] = await Promise.all([
    ports.validations.detail(companyId, id),
    ports.views.faceImageOf(companyId, id),
    ports.views.matches(companyId, id),
  ]);
  if (found === undefined) throw new ApiError('NOT_FOUND');
  const { screening, history, incompleteReason, metadata, ...facts } = found;
  const names = await actorNames(ports, companyId);
  return {
    ...facts,
    thumbnailUrl: pictureUrl(operator, faceImage?.faceId ?? null, 'thumbnail'),
    incompleteReason: incompleteReason?.code ?? null,
    reference: referenceOf(metadata),
    faceImage: faceImage === undefined ? null : faceImageBody(operator, faceImage),
    ...(await entries(ports, operator, matches, { screening, shown: faceImage?.faceId })),
    screening: {
      ...screenedLists(screening),
      at: screening?.screenedAt ?? null,
    },
    history: history.map(({ actor, toStatus, ...entry }) => ({
      ...entry,
      operator: names.get(actor) ?? null,
      status: toStatus,
    })),
  };
}

async function entries(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  matches: readonly StoredMatch[],
  { screening, shown }: { screening: ScreeningFacts | null; shown: FaceId | undefined },
): Promise<Pick<ValidationDetail, 'duplicates' | 'blacklists'>> {
  const described = (await readMatches(ports, operator.companyId, matches, screening)).map(
    ({ match, reading, face, probe }) => ({
      match,
      personMatch: match.personMatch,
      reading,
      faceImage: face === undefined ? placeholderFace(match.name) : faceImageBody(operator, face),
      earlierSelfie: probe === undefined || probe.faceId === shown ? null : faceImageBody(operator, probe),
    }),
  );
  return {
    duplicates: described.flatMap(({ match: { trustValidationId, name, kind }, ...shownBy }) =>
      kind === 'duplicate' && trustValidationId !== null ? [{ trustValidationId, name, ...shownBy }] : [],
    ),
    blacklists: described
      .flatMap(({ match, ...shownBy }) => {
        const { blacklistId, blacklistName, name, faceId, severity } = match;
        return blacklistId === null || blacklistName === null || severity === null
          ? []
          : [
              {
                blacklistId,
                blacklistName,
                fullName: name,
                blacklistFaceUploadId: faceId,
                severity,
                ...ofTexts((field) => match[field]),
                ...shownBy,
              },
            ];
      })
      // Strong matches come by severity; the others stay in the order of their distance.
      .toSorted((a, b) =>
        a.reading.band === 'strong' && b.reading.band === 'strong' ? bySeverity(a.severity, b.severity) : 0,
      ),
  };
}
