import {
  searchApi,
  searchHistory,
  type SearchAnswer,
  LISTED,
  LISTED_PHOTOS,
  type SearchCandidate,
  type SearchReportRequest,
} from '../../contracts/dashboard/search.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  agreeingPhotos,
  bestBand,
  firstOfEach,
  photoOf,
  searchView,
  type SearchView,
  bestMatch,
  shownCandidates,
} from '../../contracts/dashboard/searchView.ts';
import { SCORE_BANDS } from '../../contracts/codes.ts';
import { mayRole } from '../../domain/identity/roles.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import {
  KeptSearches,
  type KeptSearch,
  KEPT_FOR,
  searchImage,
  type SearchedFace,
  type SearchResult,
} from '../../domain/search/search.ts';
import {
  recordSearch,
  SEARCH,
  searchCoverage,
  withPersons,
  type SearchCoverage,
} from '../../domain/search/coverage.ts';
import { expectationOf } from '../../domain/search/expectation.ts';
import { serve } from './access/guard.ts';
import { imageBodyOf } from '../http/sentImage.ts';
import { ApiError, existing } from '../http/errors.ts';
import { actorNames } from '../../domain/audit/entryNames.ts';
import { sendPdf, beginReport } from './reports.ts';
import type { DashboardRoutePorts } from '../ports.ts';
import type { StoredFace } from '../../storage/dashboard/dashboardQueries.ts';
import {
  SAME_PICTURE,
  scoreScale,
  searchedRate,
  similarityScore,
  type Calibration,
} from '../../domain/scores/scores.ts';
import { hexOf } from '../../domain/values/bytes.ts';
import { interpretScore, placeholderFace, faceImageBody } from './scoreInterpretation.ts';
import type { ScoreInterpretation } from '../../contracts/dashboard/faceImages.ts';
import { trusted } from '../../contracts/ids.ts';
import type { ReportedCandidate } from '../../domain/ports/reports.ts';

// The answer to a search, as the dashboard is sent it.

/** @param image the searched file, which is in the answer by its hash alone */
async function answerOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  image: Uint8Array,
  { coverage, result }: { coverage: SearchCoverage; result: SearchResult },
): Promise<SearchAnswer> {
  const { companyId } = operator;
  const at = ports.clock.now();
  const frame = {
    id: ports.crypto.randomUuid(),
    at: at.toISOString(),
    expiresAt: new Date(at.getTime() + KEPT_FOR).toISOString(),
    sha256: hexOf(ports.crypto.sha256(image)),
    searchedFaces: coverage.faces,
    watchlists: await withPersons(
      ports.persons,
      companyId,
      ports.vision.pipelineOf(companyId),
      coverage.searched,
    ),
  };
  if (result.kind === 'refused') {
    const pipelineId = ports.vision.pipelineOf(companyId);
    const nothing = { width: null, height: null, faces: [], unclear: [], scale: [] };
    return { ...frame, ...nothing, refused: result.code, pipelineId };
  }
  const { pipelineId, calibration } = result.recogniser;
  const listed = result.faces.map(({ face, candidates }) => ({
    face,
    candidates: candidates.filter(({ place }) => place < LISTED_PHOTOS),
  }));
  const found = listed.flatMap(({ candidates }) => candidates.map(({ faceId }) => faceId));
  const faceImages = await ports.views.faceImages(companyId, [...new Set(found)]);
  const byFace = new Map(faceImages.map((faceImage) => [faceImage.faceId, faceImage]));
  const { width, height } = result.image;
  const faces = listed.map(({ face, candidates }) => ({
    box: face.box,
    eyes: [face.eyes[0], face.eyes[1]] as [(typeof face.eyes)[0], (typeof face.eyes)[1]],
    quality: face.quality.score,
    thumbnail: `data:image/jpeg;base64,${Buffer.from(face.thumbnail).toString('base64')}`,
    candidates: candidates.map((candidate) =>
      candidateBody({ operator, calibration, coverage, faceImage: byFace.get(candidate.faceId) }, candidate),
    ),
  }));
  const unclear = [...result.unclear];
  const scale = scoreScale(calibration);
  return { ...frame, refused: null, width, height, faces, unclear, pipelineId, scale };
}

/** The candidates of each group of watchlists that the answer lists. */
const CANDIDATES = LISTED;

function candidateBody(
  context: {
    operator: SignedIn;
    calibration: Calibration;
    coverage: SearchCoverage;
    faceImage: StoredFace | undefined;
  },
  candidate: SearchedFace['candidates'][number],
): SearchCandidate {
  const { operator, calibration, coverage, faceImage } = context;
  const { faceId, name, person, watchlist, trustValidationId, listing, distance } = candidate;
  const blacklistId = watchlist.kind === 'blacklist' ? watchlist.blacklistId : null;
  return {
    faceId,
    name,
    personId: person,
    photos: candidate.photoDistances.length,
    furtherRates: candidate.photoDistances
      .slice(candidate.place === 0 ? LISTED_PHOTOS : Infinity)
      .map((each) => falseMatchRateOf(calibration, each)),
    photoRate: falseMatchRateOf(calibration, candidate.photoDistance),
    photoScore: similarityScore(calibration, candidate.photoDistance),
    samePicture: candidate.photoDistance <= SAME_PICTURE,
    watchlist: watchlist.kind,
    blacklistId,
    blacklistName: blacklistId === null ? null : (coverage.names.get(blacklistId) ?? null),
    trustValidationId,
    listing,
    falseMatchRate: falseMatchRateOf(calibration, distance),
    reading: interpretScore(calibration, distance, coverage.faces),
    faceImage: faceImage === undefined ? placeholderFace(name) : faceImageBody(operator, faceImage),
  };
}

/** Beyond the calibrated distances the rate is not known, and is taken as the highest: no threshold is reached there. */
function falseMatchRateOf(calibration: Calibration, distance: number): number {
  const farthest = calibration.points[0]?.distance ?? 0;
  return distance > farthest ? 1 : searchedRate(calibration, distance);
}

/** Expired results leave the memory within this time, milliseconds. */
const FORGET_EVERY = 60_000;

/** An investigator's search: the body is the image itself, which is stored nowhere. Enrols no face. */
export function searchRoutes(app: FastifyInstance, ports: DashboardRoutePorts): void {
  const kept = new KeptSearches();
  const forgetting = setInterval(() => kept.forgetExpired(ports.clock.now()), FORGET_EVERY).unref();
  app.addHook('onClose', (_app, done) => {
    clearInterval(forgetting);
    done();
  });
  serve(app, { ...searchApi.run, image: MAX_BYTES }, async ({ operator, query, request }) => {
    const found = await search(ports, operator, imageBodyOf(request), query);
    if (found.picture !== undefined) kept.keep(operator, { ...found, picture: found.picture });
    return found.answer;
  });
  resultRoutes(app, ports, kept);
}

/** Routes for a result after its search, and for the history of searches. */
function resultRoutes(app: FastifyInstance, ports: DashboardRoutePorts, kept: KeptSearches): void {
  const { audit, clock } = ports;
  const resultOf = (operator: SignedIn, id: string): KeptSearch => {
    const found = kept.find(operator, id, clock.now());
    if (found === undefined) throw new ApiError('SEARCH_EXPIRED');
    return found;
  };
  serve(app, searchApi.setView, async ({ operator, act, params: { id }, body }) => {
    const { answer } = resultOf(operator, id);
    await audit.record(act, {
      company: operator.companyId,
      action: 'search.changed',
      object: `search:${answer.id}`,
      details: { ...body },
    });
  });
  serve(app, searchApi.report, async ({ operator, params: { id }, body, reply }) => {
    const result = resultOf(operator, id);
    const pdf = await reportOf(ports, operator, result, body);
    return sendPdf(reply, pdf);
  });
  serve(app, searchApi.history, ({ operator }) => historyOf(ports, operator));
  serve(app, searchApi.expectation, ({ companyId }) => expectationOf(ports, companyId));
}

/** Largest size of a searched photo; bytes. */
export const MAX_BYTES = 20 * 1024 * 1024;

async function search(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  image: Uint8Array,
  view: SearchView,
): Promise<{ answer: SearchAnswer; picture: Uint8Array | undefined }> {
  const { companyId } = operator;
  const began = ports.clock.now();
  const coverage = await searchCoverage(ports, companyId, SEARCH);
  const [watchlist, ...blacklists] = coverage.watchlists;
  const result = await searchImage(ports, companyId, image, {
    // A large watchlist must not displace a face of a blacklist.
    groups: [watchlist === undefined ? [] : [watchlist], blacklists],
    limit: CANDIDATES,
  });
  const answer = await answerOf(ports, operator, image, { coverage, result });
  await recordSearch(
    ports,
    operator.actor,
    companyId,
    { ...coverage, began },
    {
      object: `search:${answer.id}`,
      details: { found: answer.faces.length, band: bestOf(answer, view), ...view },
    },
  );
  return { answer, picture: result.kind === 'refused' ? undefined : result.picture };
}

function bestOf(answer: SearchAnswer, view: SearchView): (typeof SCORE_BANDS)[number] {
  const bands = answer.faces.map((face) => bestBand(answer, face, view));
  return bands.includes('strong') ? 'strong' : bands.includes('possible') ? 'possible' : 'none';
}

/** Searches that the history lists. */
const MAX_SEARCHES = 200;
/** The facts that the audit log keeps of a search; a search in the terminal has fewer. */
const recorded = z.object({
  watchlists: z.array(z.unknown()).transform(({ length }) => length),
  faces: z.number().int(),
  found: z.number().int().nullable().default(null),
  band: z.enum(SCORE_BANDS).nullable().default(null),
  oneIn: z.number().int().nullable().default(null),
  per: searchView.shape.per,
});

/** The company's searches for a role that may read the audit log, else those of the operator. */
async function historyOf(
  ports: DashboardRoutePorts,
  { companyId, role, actor }: SignedIn,
): Promise<z.infer<typeof searchHistory>> {
  const names = await actorNames(ports, companyId);
  const entries = await ports.audit.list(companyId, {
    filter: { action: 'search.run', ...(!mayRole(role, 'audit:read') && { actor }) },
    limit: MAX_SEARCHES,
  });
  return {
    items: entries.map(({ sequence, at, actor: by, details }) => {
      const { faces, ...rest } = recorded.parse(JSON.parse(details));
      return {
        sequence,
        at: new Date(at).toISOString(),
        operator: names.get(by) ?? by,
        compared: faces,
        ...rest,
      };
    }),
  };
}

// The report of a search: the result that the operator was shown, as the operator saw it.

/**
 * A PDF of a kept result. It searches for nothing: faces, scores and order are those of the search. Of a face that was
 * erased since, it has neither name nor picture. In the audit log as an export before it is answered.
 */
async function reportOf(
  ports: DashboardRoutePorts,
  operator: SignedIn,
  { answer, picture }: KeptSearch,
  request: SearchReportRequest,
): Promise<Uint8Array> {
  const { view, language } = request;
  const face = existing(answer.faces[request.face]);
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
    matches: firstOfEach(listed.matches, ({ candidate }) => photoOf(candidate)).length,
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
  const described = await describer(ports, operator, answer, view);
  const found = [...matches, ...below];
  const persons = firstOfEach(
    found,
    ({ candidate }) => photoOf(candidate),
    found.find(({ candidate }) => candidate.faceId === chosen),
  );
  const candidates = await Promise.all(
    persons.map(async ({ candidate, reading }) => ({
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
  view: SearchView,
): Promise<(candidate: SearchCandidate, reading: ScoreInterpretation) => Promise<ReportedCandidate>> {
  const ids = answer.faces.flatMap(({ candidates }) => candidates.map(({ faceId }) => trusted.face(faceId)));
  const stored = await faces.summaries(companyId, [...new Set(ids)]);
  const left = new Set<number>(stored.map(({ faceId }) => faceId));
  return async (candidate, reading) => {
    const { faceId, name, blacklistName, trustValidationId, listing, faceImage } = candidate;
    const isErased = !left.has(faceId);
    const face = existing(answer.faces.find(({ candidates }) => candidates.includes(candidate)));
    return {
      name: isErased ? null : name,
      list: blacklistName,
      person: isErased ? null : (faceImage.person?.name ?? null),
      listing: isErased ? null : listing,
      id: trustValidationId ?? faceId,
      reading,
      photos: {
        all: candidate.photos,
        agreeing: agreeingPhotos(answer, face, view, candidate),
        samePicture: candidate.samePicture,
      },
      sha256: isErased ? null : faceImage.sha256,
      thumbnail: isErased ? undefined : await views.thumbnail(companyId, trusted.face(faceId)),
    };
  };
}
