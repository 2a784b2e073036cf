/** Routes of the local administrator for one company, which the dashboard must not have. */
import { mosipApi, type MosipState } from '../../contracts/mosip.ts';
import type { CompanyId } from '../../contracts/ids.ts';
import { localApi, type localSearch, type localSearchQuery } from '../../contracts/local.ts';
import { pipelineApi } from '../../contracts/pipelines.ts';
import { folderApi } from '../../contracts/dashboard/folders.ts';
import { erasureApi } from '../../contracts/erasure.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { FAILURES } from '../../contracts/errors/failures.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import { heldText } from '../../contracts/retention.ts';
import { asLocalAdmin } from '../../domain/ports/auditContext.ts';
import { MAX_CANDIDATES } from '../../domain/erasure/erasureService.ts';
import {
  DEFAULT_FMR,
  distanceAtFmr,
  falsePositiveIdentificationRate,
  matchBandOf,
  SAME_PICTURE,
  similarityScore,
  thresholdForSearch,
} from '../../domain/scores/scores.ts';
import { recordSearch, SEARCH, searchCoverage, withPersons } from '../../domain/search/coverage.ts';
import { searchImage } from '../../domain/search/search.ts';
import { serve } from '../dashboard/access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { LocalPorts } from '../ports.ts';
import { imageBodyOf } from '../http/sentImage.ts';

/** Bytes of a photo that is searched. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

export function companyRoutes(app: FastifyInstance, ports: LocalPorts): void {
  credentialRoutes(app, ports);
  recordRoutes(app, ports);
  photoRoutes(app, ports);
  mosipRoutes(app, ports);
}

/**
 * Credentials whose secret the terminal has made. It shows a secret before it asks the service to store it, so that a secret
 * that could not be written is never active.
 */
function credentialRoutes(
  app: FastifyInstance,
  { apiTokens, hmacKeys, recoveryCodes, clock }: LocalPorts,
): void {
  const taken = () => new CodedError(problem('USER_ID_TAKEN'));
  const expiryOf = (expiresAt: string | undefined): Date | null => {
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    if (expiry !== null && expiry <= clock.now()) throw new CodedError(problem('ALREADY_EXPIRED'));
    return expiry;
  };
  serve(app, localApi.checkCredential, async ({ companyId, body: { expiresAt, userId } }) => {
    // Read for its refusal: the company must exist.
    void companyId;
    expiryOf(expiresAt);
    if (userId !== undefined && (await hmacKeys.findByUserId(userId)) !== undefined) throw taken();
  });
  serve(app, localApi.storeCredential, async ({ companyId, act, body }) => {
    const expiresAt = expiryOf(body.expiresAt);
    if (body.kind === 'token')
      return {
        ...(await apiTokens.create(
          companyId,
          { ...body, hash: Buffer.from(body.hash, 'hex'), expiresAt },
          act,
        )),
        companyId,
      };
    const key = await hmacKeys.create(companyId, { ...body, expiresAt }, act);
    if (key === undefined) throw taken();
    return { ...key, companyId };
  });
  serve(app, localApi.setRecoveryCode, async ({ companyId, act, body }) => {
    const hash = Buffer.from(body.hash, 'hex');
    await recoveryCodes.replace(companyId, hash, act);
  });
}

/** The storage folder of a company, its watched folders, and the erasure of its records. */
function recordRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const { companies } = ports;
  serve(app, localApi.setStorage, async ({ operator, act, body: { storageFolder: folder } }) => {
    const company = await callingCompany(companies, operator);
    const reason = await ports.images.moveTo(company, folder, act);
    if (reason !== undefined) throw new CodedError(problem('COMPANY_FOLDER_UNUSABLE', { folder, reason }));
  });
  serve(app, localApi.runRetention, async ({ operator }) => {
    const company = await callingCompany(companies, operator);
    const done = await ports.retention.run(company);
    if (done.kind === 'held')
      throw new CodedError(problem('RETENTION_HELD', { reason: heldText(done.held, company.name) }));
    return { erased: done.erased, unerased: done.unerased };
  });
  serve(app, pipelineApi.purge, async ({ operator, act, body: { pipeline } }) => {
    const company = await callingCompany(companies, operator);
    return { templates: await ports.pipelineService.discard(company, pipeline, act) };
  });
  serve(app, folderApi.reportWatch, ({ companyId, body }) => {
    ports.watchedFolders.keep(companyId, body);
  });
  serve(app, erasureApi.find, ({ companyId, query: { name } }) =>
    ports.erasures.byName(companyId, name, MAX_CANDIDATES),
  );
}

/** Searches by a photo, which is the body and is stored nowhere. */
function photoRoutes(scope: FastifyInstance, ports: LocalPorts): void {
  serve(scope, { ...erasureApi.findByPhoto, image: MAX_IMAGE_BYTES }, ({ companyId, act, request }) =>
    ports.erasureService.findByPhoto(companyId, imageBodyOf(request), act),
  );
  // Unlike the search of the dashboard: the nearest faces in one order, also below every threshold, with their distances.
  serve(scope, { ...localApi.search, image: MAX_IMAGE_BYTES }, ({ companyId, query, request }) =>
    search(ports, companyId, imageBodyOf(request), query),
  );
}

async function search(
  ports: LocalPorts,
  company: Parameters<typeof searchImage>[1],
  image: Uint8Array,
  { limit, oneIn }: z.infer<typeof localSearchQuery>,
): Promise<z.infer<typeof localSearch>> {
  const { by, at: began } = asLocalAdmin(ports.clock);
  const { watchlists, searched, faces, names } = await searchCoverage(ports, company, SEARCH);
  const result = await searchImage(ports, company, image, { groups: [watchlists], limit });
  const view = oneIn === undefined ? {} : { details: { per: 'search' as const, oneIn } };
  await recordSearch(ports, by, company, { watchlists, faces, began }, view);
  const pipeline = ports.vision.pipelineOf(company);
  const lists = await withPersons(ports.persons, company, pipeline, searched);
  const covered = { searchedFaces: faces, watchlists: lists };
  if (result.kind === 'refused')
    return { refused: FAILURES[result.code].sentence, ...covered, threshold: null, faces: [] };
  const { calibration } = result.recogniser;
  const persons = lists.reduce((sum, list) => sum + list.persons, 0);
  const {
    fmr,
    maxDistance: possible,
    keptRate,
  } = oneIn === undefined
    ? {
        fmr: DEFAULT_FMR,
        maxDistance: distanceAtFmr(calibration, DEFAULT_FMR),
        keptRate: falsePositiveIdentificationRate(DEFAULT_FMR, persons),
      }
    : thresholdForSearch(calibration, 1 / oneIn, persons);
  return {
    refused: null,
    ...covered,
    threshold: {
      similarityScore: similarityScore(calibration, possible),
      falsePositiveIdentificationRate: keptRate,
      falseMatchRate: fmr,
    },
    faces: result.faces.map(({ face, candidates }) => ({
      box: face.box,
      quality: face.quality.score,
      candidates: candidates.map(
        ({ faceId, name, watchlist, trustValidationId, distance, enrolledAt, ...photo }) => ({
          faceId,
          name,
          person: {
            id: photo.person,
            photos: photo.photoDistances.length,
            agreeing: photo.photoDistances.filter((each) => each <= possible).length,
            photoSimilarityScore: similarityScore(calibration, photo.photoDistance),
            samePicture: photo.photoDistance <= SAME_PICTURE,
          },
          watchlist: watchlist.kind,
          blacklistName: watchlist.kind === 'blacklist' ? (names.get(watchlist.blacklistId) ?? null) : null,
          trustValidationId,
          distance,
          similarityScore: similarityScore(calibration, distance),
          band: distance <= possible ? matchBandOf(calibration, distance) : 'none',
          enrolledAt: enrolledAt.toISOString(),
        }),
      ),
    })),
  };
}

/** The connection to MOSIP, which leaves the machine. */
function mosipRoutes(app: FastifyInstance, { mosipConnections, mosipLinks }: LocalPorts): void {
  const state = async (company: CompanyId): Promise<MosipState> => {
    const found = await mosipConnections.find(company);
    if (found === undefined) return { connection: null, connected: false };
    const { password: _password, account, privateKey, ...shown } = found;
    const connection = { ...shown, account: account?.url ?? null, encrypted: privateKey !== null };
    return { connection, connected: mosipLinks.isConnected(company) };
  };
  serve(app, mosipApi.state, ({ companyId }) => state(companyId));
  serve(app, mosipApi.connect, async ({ companyId, act, body }) => {
    await mosipConnections.keep(companyId, body, act);
    await mosipLinks.follow();
    return state(companyId);
  });
  serve(app, mosipApi.disconnect, async ({ companyId, act }) => {
    await mosipConnections.keep(companyId, null, act);
    await mosipLinks.follow();
    return state(companyId);
  });
}
