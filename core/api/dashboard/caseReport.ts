import type { TrustValidationStatus } from '../../contracts/codes.ts';
import { firstOfEach } from '../../contracts/dashboard/searchView.ts';
import {
  referenceOf,
  type CaseReportQuery,
  type ValidationDetail as ShownDetail,
} from '../../contracts/dashboard/validations.ts';
import type { TrustValidationId, CompanyId } from '../../contracts/ids.ts';
import type { ValidationDetail, ScreeningFacts } from '../../contracts/validations.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { StoredFace, StoredMatch } from '../../storage/dashboard/dashboardQueries.ts';
import type { CaseReport, ReportedFace, ReportedMatch } from '../../domain/ports/reports.ts';
import { DEFAULT_FMR, STRONG_FMR } from '../../domain/scores/scores.ts';
import { ApiError, existing } from '../http/errors.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { beginReport } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import { bySeverity, ofTexts } from '../../contracts/faceListing.ts';
import { storedInterpretation } from './scoreInterpretation.ts';

/** Matches shown side by side when no match is named; all of them stand in the table. */
const SHOWN = 5;

/**
 * The PDF of one validation: its photo, its matches, the decision and its history. The export is in the audit log before
 * the first byte leaves.
 * @param query `match`: the only one that is shown side by side; 404 where the validation has no such match
 */
export async function createCaseReport(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: TrustValidationId,
  { language, match }: CaseReportQuery,
): Promise<Uint8Array> {
  const { frame, shown } = await beginReport(ports, operator, language, async () => {
    const read = await readCase(ports, operator, id, match);
    const rows = read.shown.length + 1;
    return { exported: { kind: 'caseReport', object: `validation:${id}`, rows }, shown: read };
  });
  return ports.reports.faceCase({ ...frame, ...shown });
}

async function readCase(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  id: TrustValidationId,
  chosen: CaseReportQuery['match'],
) {
  const { companyId } = operator;
  const [found, faceImage, stored] = await Promise.all([
    ports.validations.detail(companyId, id),
    ports.views.faceImageOf(companyId, id),
    ports.views.matches(companyId, id),
  ]);
  if (found === undefined) throw new ApiError('NOT_FOUND');
  const { screening } = found;
  const read = await readMatches(ports, companyId, stored, screening);
  const picked =
    chosen === undefined ? undefined : existing(read.find(({ match }) => isCalled(match, chosen)));
  const persons = firstOfEach(read, photoOf, picked);
  const shown = picked === undefined ? [...persons.keys()].slice(0, SHOWN) : [persons.indexOf(picked)];
  const matches = await Promise.all(
    persons.map((match) => reportedMatch(ports, operator, match, { id, name: found.name })),
  );
  const own = faceImage && (await reportedFace(ports, operator, { ...faceImage, name: found.name }, id));
  const names = await actorNames(ports, companyId);
  return { ...about(found, names), own: own ?? null, hits: hitsOf(read), matches, shown };
}

/** A photo that matched may be listed as more severe than the nearest one of its person. */
function hitsOf(read: readonly CaseMatch[]): CaseReport['hits'] {
  const severest = read.toSorted((one, other) =>
    bySeverity(one.match.severity ?? undefined, other.match.severity ?? undefined),
  );
  return firstOfEach(severest, photoOf).flatMap(({ match, reading }) => {
    const { blacklistName: list, name, faceId: id } = match;
    const listing = listingOf(match);
    return list === null || listing === null ? [] : [{ list, listing, reading, name, id }];
  });
}

function listingOf(match: StoredMatch): ReportedMatch['listing'] {
  return match.severity === null ? null : { severity: match.severity, ...ofTexts((field) => match[field]) };
}

/** The facts of the validation itself: its screening and its history, with the names of those who acted. */
function about(
  {
    id,
    name,
    metadata,
    trustFlowName,
    status,
    source,
    createdAt,
    finalizedAt,
    screening,
    history,
  }: ValidationDetail,
  names: ReadonlyMap<string, string>,
) {
  return {
    id,
    name,
    reference: referenceOf(metadata),
    trustFlowName,
    status: status as TrustValidationStatus,
    source,
    createdAt: new Date(createdAt),
    finalizedAt: finalizedAt === null ? null : new Date(finalizedAt),
    screening: {
      at: screening === null ? null : new Date(screening.screenedAt),
      ...screenedLists(screening),
    },
    history: history.map(({ at, actor, action, toStatus, note }) => ({
      at: new Date(at),
      by: names.get(actor) ?? null,
      action,
      status: toStatus as TrustValidationStatus,
      note,
    })),
  };
}

/** The compared lists and their rates. @param facts null: the verification was not screened */
export function screenedLists(facts: ScreeningFacts | null): Omit<ShownDetail['screening'], 'at'> {
  if (facts === null)
    return { duplicates: false, blacklists: [], notScreened: [], photos: 0, thresholds: [] };
  const { blacklists, duplicateDetection, notScreened, perSearch = [] } = facts;
  const thresholdOf = (id: number | null, list: string | null) => {
    const followed = perSearch.find(({ blacklistId }) => blacklistId === id);
    if (followed === undefined) {
      const targetFmr = id === null ? facts.targetFmr : facts.blacklistTargetFmr;
      return { list, targetFmr, perSearch: null };
    }
    const { persons, targetFpir, keptFpir, targetFmr } = followed;
    return { list, targetFmr, perSearch: { persons, targetFpir, keptFpir } };
  };
  return {
    duplicates: duplicateDetection,
    blacklists: blacklists.map(({ blacklistName }) => blacklistName),
    notScreened: notScreened.map(({ blacklistId, blacklistName }) => blacklistName ?? String(blacklistId)),
    photos: facts.selfies,
    thresholds: [
      ...(duplicateDetection ? [thresholdOf(null, null)] : []),
      ...blacklists.map(({ blacklistId, blacklistName }) => thresholdOf(blacklistId, blacklistName)),
    ],
  };
}

function isCalled({ kind, faceId, trustValidationId }: StoredMatch, chosen: string): boolean {
  return kind === 'blacklist'
    ? chosen === `blacklist:${faceId}`
    : chosen === `duplicate:${trustValidationId}`;
}

const photoOf = ({ match: { faceId, personMatch, blacklistId } }: CaseMatch) => ({
  faceId,
  personId: personMatch.id,
  list: blacklistId,
});

async function reportedMatch(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  { match, reading, targetFmr, face, probe }: CaseMatch,
  { id, name }: { id: TrustValidationId; name: string },
): Promise<ReportedMatch> {
  const number = match.kind === 'blacklist' ? match.faceId : (match.trustValidationId ?? match.faceId);
  const side = (view: StoredFace | undefined, called: string, of: number) =>
    view === undefined
      ? erasedFace(called, of)
      : reportedFace(ports, operator, { ...view, name: called }, of);
  return {
    list: match.kind === 'blacklist' ? match.blacklistName : null,
    listing: listingOf(match),
    reading,
    rates: { possible: targetFmr, strong: STRONG_FMR },
    photos: { ...match.personMatch, all: match.personMatch.photos },
    probe: await side(probe, name, id),
    face: await side(face, match.name, number),
  };
}

async function reportedFace(
  { views }: DashboardRoutePorts,
  { companyId, role }: SignedIn,
  view: StoredFace,
  id: number,
): Promise<ReportedFace> {
  const { faceId, name, width, height, quality, pipelineId, enrolledAt, sha256 } = view;
  const thumbnail = mayRole(role, 'images:read') ? await views.thumbnail(companyId, faceId) : undefined;
  return {
    name,
    person: mayRole(role, 'persons:read') ? (view.person?.name ?? null) : null,
    id,
    size: { width, height },
    quality: Math.round(quality),
    pipelineId,
    enrolledAt: new Date(enrolledAt),
    sha256,
    thumbnail,
  };
}

function erasedFace(name: string, id: number): ReportedFace {
  const gone = { person: null, size: null, quality: null, pipelineId: null, enrolledAt: null, sha256: null };
  return { ...gone, name, id, thumbnail: undefined };
}

type CaseMatch = Awaited<ReturnType<typeof readMatches>>[number];

/** Interprets stored matches with the calibration of the pipeline that measured them, which can differ from today's. */
export async function readMatches(
  { views, gallery, vision }: DashboardRoutePorts,
  company: CompanyId,
  matches: readonly StoredMatch[],
  screening: ScreeningFacts | null,
) {
  const faceImages = await views.faceImages(
    company,
    matches.flatMap(({ faceId, probeFaceId }) => [faceId, probeFaceId]),
  );
  const byFace = new Map(faceImages.map((faceImage) => [faceImage.faceId, faceImage]));
  const measuredBy = screening?.pipelineId ?? vision.pipelineOf(company);
  const calibration = vision.calibrationOf(company, measuredBy);
  return Promise.all(
    matches.map(async (match) => {
      const { blacklistId, faceId, probeFaceId } = match;
      const watchlist =
        blacklistId === null
          ? ({ kind: 'duplicate' } as const)
          : ({ kind: 'blacklist', blacklistId } as const);
      const size = await gallery.size(company, watchlist);
      const targetFmr =
        screening?.perSearch?.find((list) => list.blacklistId === blacklistId)?.targetFmr ??
        (blacklistId === null ? screening?.targetFmr : screening?.blacklistTargetFmr) ??
        DEFAULT_FMR;
      return {
        match,
        /** Its score as people read it. */
        reading: storedInterpretation(calibration, match, size, targetFmr),
        /** Where a match in its list began, as the false match rate of one comparison. */
        targetFmr,
        /** The face that matched, and the selfie that was compared; undefined: it was erased. */
        face: byFace.get(faceId),
        probe: byFace.get(probeFaceId),
      };
    }),
  );
}
