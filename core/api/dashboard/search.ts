import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import {
  searchAnswer,
  searchReportQuery,
  type SearchAnswer,
  type SearchCandidate,
  type SearchReportQuery,
} from '../../contracts/dashboard/search.ts';
import { trusted } from '../../contracts/ids.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import type { AuditLog } from '../../domain/ports/audit.ts';
import type { DashboardQueries, FaceImageView } from '../../domain/ports/dashboard.ts';
import type { Companies } from '../../domain/ports/companies.ts';
import type { Faces, GalleryPort } from '../../domain/ports/gallery.ts';
import type { Clock } from '../../domain/ports/machine.ts';
import type { RecognitionPort } from '../../domain/ports/recognition.ts';
import type { Reports } from '../../domain/ports/reports.ts';
import { DEFAULT_FMR, scoreAtFmr, STRONG_FMR, type Calibration } from '../../domain/scores/scores.ts';
import type { Blacklists } from '../../domain/ports/screening.ts';
import { searchImage, type SearchedFace } from '../../domain/search/search.ts';
import { SEARCH, searchCoverage, type SearchCoverage } from '../../domain/search/coverage.ts';
import { hexOf } from '../../domain/common/encoding.ts';
import type { CryptoPort } from '../../domain/ports/crypto.ts';
import { recordExport } from './access/export.ts';
import { DASHBOARD, operatorOf, requirePermission } from './access/guard.ts';
import { ApiError } from '../http/errors.ts';
import { placeholderFace, portraitBody, interpretScore } from './scoreInterpretation.ts';

const CANDIDATES = 20;

interface SearchPorts {
  vision: RecognitionPort;
  gallery: GalleryPort;
  faces: Faces;
  blacklists: Blacklists;
  companies: Companies;
  views: DashboardQueries;
  audit: AuditLog;
  reports: Reports;
  process: { version: string };
  clock: Clock;
  crypto: CryptoPort;
}

/** An investigator's search: the body is the image itself, which is kept nowhere. Enrols nothing. */
export async function searchRoutes(app: FastifyInstance, ports: SearchPorts): Promise<void> {
  await app.register((scope, _options, done) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      ['image/jpeg', 'image/png'],
      { parseAs: 'buffer' },
      (_request, body, parsed) => {
        parsed(null, body);
      },
    );
    scope.post(
      `${DASHBOARD}/search`,
      {
        config: requirePermission('search:run'),
        schema: { hide: true, response: { 200: searchAnswer } },
        bodyLimit: MOST_BYTES,
        preParsing: (request, _reply, payload, next) => {
          request.bodyMeter?.allow(MOST_BYTES, request);
          next(null, payload);
        },
      },
      async (request) => {
        if (!Buffer.isBuffer(request.body)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
        return search(ports, operatorOf(request), request.body);
      },
    );
    scope.withTypeProvider<ZodTypeProvider>().post(
      `${DASHBOARD}/search/report`,
      {
        config: requirePermission('exports:create'),
        schema: { hide: true, querystring: searchReportQuery },
        bodyLimit: MOST_BYTES,
        preParsing: (request, _reply, payload, next) => {
          request.bodyMeter?.allow(MOST_BYTES, request);
          next(null, payload);
        },
      },
      async (request, reply) => {
        if (!Buffer.isBuffer(request.body)) throw new ApiError('UNSUPPORTED_MEDIA_TYPE');
        const pdf = await report(ports, operatorOf(request), request.body, request.query);
        return reply.type('application/pdf').send(Buffer.from(pdf));
      },
    );
    done();
  });
}

/**
 * The photo is kept nowhere, so a report searches with it again: it tells what was found now, which it says. On the
 * record as a search and as an export, before it is answered.
 */
async function report(
  ports: SearchPorts,
  operator: SignedIn,
  image: Buffer,
  query: SearchReportQuery,
): Promise<Uint8Array> {
  const answer = await search(ports, operator, image);
  const face = answer.faces[query.face];
  const company = await ports.companies.find(operator.companyId);
  if (face === undefined || company === undefined) throw new ApiError('NOT_FOUND');
  const candidates = await Promise.all(
    face.candidates.map(async ({ faceId, name, blacklistName, trustValidationId, reading, portrait }) => ({
      faceId,
      name,
      list: blacklistName,
      id: trustValidationId ?? faceId,
      reading,
      sha256: portrait.sha256,
      chip: await ports.views.chip(operator.companyId, trusted.face(faceId)),
    })),
  );
  const made = ports.clock.now();
  await recordExport(ports, operator, { kind: 'searchReport', object: null, rows: candidates.length });
  return ports.reports.search({
    language: query.language,
    company: company.name,
    operator: operator.name,
    made,
    version: ports.process.version,
    probe: {
      fileName: query.file,
      sha256: hexOf(ports.crypto.sha256(image)),
      width: answer.width ?? 0,
      height: answer.height ?? 0,
      quality: Math.round(face.quality),
      chip: Buffer.from(face.chip.slice(face.chip.indexOf(',') + 1), 'base64'),
      face: query.face + 1,
      faces: answer.faces.length,
    },
    pipelineId: answer.pipelineId,
    watchlists: answer.watchlists,
    rates: { possible: DEFAULT_FMR, strong: STRONG_FMR },
    possibleFrom: scoreAtFmr(DEFAULT_FMR),
    strongFrom: scoreAtFmr(STRONG_FMR),
    candidates,
    chosen: candidates.find(({ faceId }) => faceId === query.candidate) ?? null,
  });
}

/** What one searched photo may have; bytes. */
export const MOST_BYTES = 20 * 1024 * 1024;

async function search(ports: SearchPorts, operator: SignedIn, image: Buffer): Promise<SearchAnswer> {
  const { companyId } = operator;
  const { vision } = ports;
  const coverage = await searchCoverage(ports, companyId, SEARCH);
  const { watchlists, faces: searchedFaces } = coverage;
  const result = await searchImage(ports, companyId, image, {
    watchlists,
    limit: CANDIDATES,
    fmr: DEFAULT_FMR,
  });
  await ports.audit.record(
    { by: operator.actor, at: ports.clock.now() },
    {
      company: companyId,
      action: 'search.run',
      object: null,
      details: { watchlists: watchlists.length, faces: searchedFaces },
    },
  );
  const covered = { searchedFaces, watchlists: [...coverage.searched] };
  if (result.kind === 'refused')
    return {
      refused: result.code,
      width: null,
      height: null,
      faces: [],
      ...covered,
      pipelineId: vision.pipelineOf(companyId),
    };
  const { pipelineId, calibration } = result.recogniser;
  const found = result.faces.flatMap(({ candidates }) => candidates.map(({ faceId }) => faceId));
  const portraits = await ports.views.portraits(companyId, found);
  const byFace = new Map(portraits.map((portrait) => [portrait.faceId, portrait]));
  const { width, height } = result.image;
  const faces = result.faces.map(({ face, candidates }) => ({
    box: face.box,
    eyes: [face.eyes[0], face.eyes[1]] as [(typeof face.eyes)[0], (typeof face.eyes)[1]],
    quality: face.quality.score,
    chip: `data:image/jpeg;base64,${Buffer.from(face.chip).toString('base64')}`,
    candidates: candidates.map((candidate) =>
      candidateBody(
        {
          operator,
          calibration,
          searchedFaces,
          lists: coverage.names,
          portrait: byFace.get(candidate.faceId),
        },
        candidate,
      ),
    ),
  }));
  return { refused: null, width, height, faces, ...covered, pipelineId };
}

function candidateBody(
  context: {
    operator: SignedIn;
    calibration: Calibration;
    searchedFaces: number;
    lists: SearchCoverage['names'];
    portrait: FaceImageView | undefined;
  },
  candidate: SearchedFace['candidates'][number],
): SearchCandidate {
  const { operator, calibration, searchedFaces, lists, portrait } = context;
  const { faceId, name, watchlist, trustValidationId, distance, listing } = candidate;
  return {
    faceId,
    name,
    watchlist: watchlist.kind,
    blacklistName: watchlist.kind === 'blacklist' ? (lists.get(watchlist.blacklistId) ?? null) : null,
    trustValidationId,
    listing,
    reading: interpretScore(calibration, distance, searchedFaces),
    portrait: portrait === undefined ? placeholderFace(name) : portraitBody(operator, portrait),
  };
}
