/** The report of a search: the result that the operator was shown, as the operator saw it. */
import {
  LISTED,
  type SearchAnswer,
  type SearchCandidate,
  type SearchReportRequest,
} from '../../contracts/dashboard/search.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import { bestMatch, shownCandidates } from '../../contracts/dashboard/searchView.ts';
import { trusted } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { ReportedCandidate } from '../../domain/ports/reports.ts';
import type { KeptSearch } from '../../domain/search/keptSearches.ts';
import { ApiError } from '../http/errors.ts';
import { beginReport } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';

/**
 * A PDF of a kept result. It searches for nothing: faces, scores and order are those of the search. Of a face that was
 * erased since, it has neither name nor picture. In the audit log as an export before it is answered.
 */
export async function reportOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  { answer, picture }: KeptSearch,
  request: SearchReportRequest,
): Promise<Uint8Array> {
  const { view, language } = request;
  const face = answer.faces[request.face];
  if (face === undefined) throw new ApiError('NOT_FOUND');
  const listed = shownCandidates(answer, face, view, LISTED);
  const { frame, shown } = await beginReport(ports, operator, language, async () => {
    const read = await describedFaces(ports, operator, answer, request, listed);
    const rows = read.candidates.length;
    return { exported: { kind: 'searchReport', object: `search:${answer.id}`, rows }, shown: read };
  });
  return ports.reports.search({
    ...frame,
    ...shown,
    searchedAt: new Date(answer.at),
    probe: {
      fileName: request.file,
      sha256: answer.sha256,
      width: answer.width ?? 0,
      height: answer.height ?? 0,
      picture,
    },
    pipelineId: answer.pipelineId,
    watchlists: answer.watchlists,
    view,
    scale: answer.scale,
    face: request.face,
    thumbnail: Buffer.from(face.thumbnail.slice(face.thumbnail.indexOf(',') + 1), 'base64'),
    matches: listed.matches.length,
    belowCount: listed.belowCount,
    mayBeMore: listed.mayBeMore,
  });
}

/** The candidates of the report, and the best one of each face of the photo. */
async function describedFaces(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  answer: SearchAnswer,
  { view, candidate: chosen }: SearchReportRequest,
  { matches, below }: ReturnType<typeof shownCandidates<SearchCandidate>>,
) {
  const described = await describer(ports, operator, answer);
  const candidates = await Promise.all(
    [...matches, ...below].map(async ({ candidate, reading }) => ({
      ...(await described(candidate, reading)),
      isChosen: candidate.faceId === chosen,
    })),
  );
  const faces = await Promise.all(
    answer.faces.map(async (each) => {
      const best = bestMatch(answer, each, view);
      return {
        box: each.box,
        quality: Math.round(each.quality),
        best: best === null ? null : await described(best.candidate, best.reading),
      };
    }),
  );
  const hits = await Promise.all(
    answer.faces.flatMap((each, face) =>
      shownCandidates(answer, each, { ...view, list: 'blacklists', below: false }, LISTED).matches.map(
        async ({ candidate, reading }) => ({ ...(await described(candidate, reading)), face }),
      ),
    ),
  );
  return { candidates, faces, hits };
}

/** A candidate as a report has it, by what is still stored of its face. */
async function describer(
  { faces, views }: DashboardRoutePorts,
  { companyId }: SignedIn,
  answer: SearchAnswer,
): Promise<(candidate: SearchCandidate, reading: ScoreInterpretation) => Promise<ReportedCandidate>> {
  const ids = answer.faces.flatMap(({ candidates }) => candidates.map(({ faceId }) => trusted.face(faceId)));
  const stored = await faces.summaries(companyId, [...new Set(ids)]);
  const left = new Set<number>(stored.map(({ faceId }) => faceId));
  return async ({ faceId, name, blacklistName, trustValidationId, listing, faceImage }, reading) => {
    const isErased = !left.has(faceId);
    return {
      name: isErased ? null : name,
      list: blacklistName,
      person: isErased ? null : (faceImage.person?.name ?? null),
      listing: isErased ? null : listing,
      id: trustValidationId ?? faceId,
      reading,
      sha256: isErased ? null : faceImage.sha256,
      thumbnail: isErased ? undefined : await views.thumbnail(companyId, trusted.face(faceId)),
    };
  };
}
