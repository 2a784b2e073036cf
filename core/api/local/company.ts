/** Routes of the local administrator for one company, which the dashboard must not have. */
import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { watchReport } from '../../contracts/dashboard/folders.ts';
import { erasureCandidate } from '../../contracts/erasure.ts';
import { FAILURES } from '../../contracts/errors/failures.ts';
import { CodedError, problem } from '../../contracts/errors/problem.ts';
import {
  credentialCheck,
  erasureSearch,
  localSearch,
  localSearchQuery,
  madeElsewhere,
  pipelinePurge,
  purgedTemplates,
  recoveryCodeHash,
  retentionRun,
  storageChange,
  storedCredential,
} from '../../contracts/local.ts';
import { heldText } from '../../contracts/retention.ts';
import { asLocalAdmin } from '../../domain/ports/auditContext.ts';
import { bandOf, similarityScore } from '../../domain/scores/scores.ts';
import { SEARCH, searchCoverage } from '../../domain/search/coverage.ts';
import { searchImage } from '../../domain/search/search.ts';
import { DASHBOARD, operatorOf, requirePermission } from '../dashboard/access/guard.ts';
import { callingCompany } from '../http/callingCompany.ts';
import type { LocalPorts } from '../ports.ts';
import { imageBodyOf, imageOfAtMost, takeImage } from '../http/sentImage.ts';

const LOCAL = `${DASHBOARD}/local`;
const config = requirePermission('session');
/** Bytes of a photo that is searched. */
const MAX_IMAGE_BYTES = 64 * 1024 * 1024;

export async function companyRoutes(app: FastifyInstance, ports: LocalPorts): Promise<void> {
  credentialRoutes(app, ports);
  recordRoutes(app, ports);
  await app.register((scope, _options, done) => {
    takeImage(scope);
    photoRoutes(scope, ports);
    done();
  });
}

/**
 * Credentials whose secret the terminal has made. It shows a secret before it asks the service to store it, so that a secret
 * that could not be written is never active.
 */
function credentialRoutes(
  app: FastifyInstance,
  { apiTokens, hmacKeys, recoveryCodes, clock }: LocalPorts,
): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const path = `${LOCAL}/credentials`;
  const taken = () => new CodedError(problem('USER_ID_TAKEN'));
  const expiryOf = (expiresAt: string | undefined): Date | null => {
    const expiry = expiresAt === undefined ? null : new Date(expiresAt);
    if (expiry !== null && expiry <= clock.now()) throw new CodedError(problem('ALREADY_EXPIRED'));
    return expiry;
  };
  routes.post(`${path}/check`, { config, schema: { body: credentialCheck } }, async (request, reply) => {
    const { expiresAt, userId } = request.body;
    // Read for its refusal: the company must exist.
    void operatorOf(request).companyId;
    expiryOf(expiresAt);
    if (userId !== undefined && (await hmacKeys.findByUserId(userId)) !== undefined) throw taken();
    return reply.code(204).send();
  });
  routes.post(
    path,
    { config, schema: { body: madeElsewhere, response: { 200: storedCredential } } },
    async (request) => {
      const { companyId } = operatorOf(request);
      const { body } = request;
      const expiresAt = expiryOf(body.expiresAt);
      if (body.kind === 'token')
        return {
          ...(await apiTokens.create(
            companyId,
            { ...body, hash: Buffer.from(body.hash, 'hex'), expiresAt },
            asLocalAdmin(clock),
          )),
          companyId,
        };
      const key = await hmacKeys.create(companyId, { ...body, expiresAt }, asLocalAdmin(clock));
      if (key === undefined) throw taken();
      return { ...key, companyId };
    },
  );
  routes.put(
    `${LOCAL}/recovery-code`,
    { config, schema: { body: recoveryCodeHash } },
    async (request, reply) => {
      const hash = Buffer.from(request.body.hash, 'hex');
      await recoveryCodes.replace(operatorOf(request).companyId, hash, asLocalAdmin(clock));
      return reply.code(204).send();
    },
  );
}

/** The storage folder of a company, its watched folders, and the erasure of its records. */
function recordRoutes(app: FastifyInstance, ports: LocalPorts): void {
  const routes = app.withTypeProvider<ZodTypeProvider>();
  const { clock, companies } = ports;
  routes.put(
    `${LOCAL}/company/storage`,
    { config, schema: { body: storageChange } },
    async (request, reply) => {
      const { storageFolder: folder } = request.body;
      const company = await callingCompany(companies, operatorOf(request));
      const reason = await ports.images.moveTo(company, folder, asLocalAdmin(clock));
      if (reason !== undefined) throw new CodedError(problem('COMPANY_FOLDER_UNUSABLE', { folder, reason }));
      return reply.code(204).send();
    },
  );
  routes.post(
    `${LOCAL}/retention/run`,
    { config, schema: { response: { 200: retentionRun } } },
    async (request) => {
      const company = await callingCompany(companies, operatorOf(request));
      const done = await ports.retention.run(company);
      if (done.kind === 'held')
        throw new CodedError(problem('RETENTION_HELD', { reason: heldText(done.held, company.name) }));
      return { erased: done.erased, unerased: done.unerased };
    },
  );
  routes.post(
    `${LOCAL}/pipelines/purge`,
    { config, schema: { body: pipelinePurge, response: { 200: purgedTemplates } } },
    async (request) => {
      const { pipeline } = request.body;
      const { id, name: company } = await callingCompany(companies, operatorOf(request));
      const discarded = await ports.pipelineService.discard(id, pipeline, asLocalAdmin(clock));
      if (discarded.kind === 'in-use')
        throw new CodedError(problem('PIPELINE_IN_USE', { pipeline, company }));
      if (discarded.kind === 'discarded') return { templates: discarded.templates };
      const stored = discarded.stored.join(', ') || 'no pipeline';
      throw new CodedError(problem('PIPELINE_WITHOUT_TEMPLATES', { company, pipeline, stored }));
    },
  );
  routes.post(`${LOCAL}/watch`, { config, schema: { body: watchReport } }, async (request, reply) => {
    ports.watchedFolders.keep(operatorOf(request).companyId, request.body);
    return reply.code(204).send();
  });
  routes.get(
    `${LOCAL}/erasures/find`,
    { config, schema: { querystring: erasureSearch, response: { 200: z.array(erasureCandidate) } } },
    (request) => ports.erasureService.find(operatorOf(request).companyId, request.query.name),
  );
}

/** Searches by a photo, which is the body and is stored nowhere. */
function photoRoutes(scope: FastifyInstance, ports: LocalPorts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { clock } = ports;
  routes.post(
    `${LOCAL}/erasures/find`,
    { config, schema: { response: { 200: z.array(erasureCandidate) } }, ...imageOfAtMost(MAX_IMAGE_BYTES) },
    async (request) => {
      const { companyId } = operatorOf(request);
      const found = await ports.erasureService.findByPhoto(
        companyId,
        imageBodyOf(request),
        asLocalAdmin(clock),
      );
      if (found.kind === 'refused') throw new CodedError(problem(found.code));
      return found.candidates;
    },
  );
  // Unlike the search of the dashboard: the nearest faces in one order, also below every threshold, with their distances.
  routes.post(
    `${LOCAL}/search`,
    {
      config,
      schema: { querystring: localSearchQuery, response: { 200: localSearch } },
      ...imageOfAtMost(MAX_IMAGE_BYTES),
    },
    async (request) => {
      const { companyId } = operatorOf(request);
      return search(ports, companyId, imageBodyOf(request), request.query.limit);
    },
  );
}

async function search(
  ports: LocalPorts,
  company: Parameters<typeof searchImage>[1],
  image: Uint8Array,
  limit: number,
): Promise<z.infer<typeof localSearch>> {
  const { watchlists, searched, faces, names } = await searchCoverage(ports, company, SEARCH);
  const result = await searchImage(ports, company, image, { groups: [watchlists], limit });
  await ports.audit.record(asLocalAdmin(ports.clock), {
    company,
    action: 'search.run',
    object: null,
    details: { watchlists: watchlists.length, faces },
  });
  const covered = { searchedFaces: faces, watchlists: [...searched] };
  if (result.kind === 'refused') return { refused: FAILURES[result.code].sentence, ...covered, faces: [] };
  const { calibration } = result.recogniser;
  return {
    refused: null,
    ...covered,
    faces: result.faces.map(({ face, candidates }) => ({
      box: face.box,
      quality: face.quality.score,
      candidates: candidates.map(({ faceId, name, watchlist, trustValidationId, distance, enrolledAt }) => ({
        faceId,
        name,
        watchlist: watchlist.kind,
        blacklistName: watchlist.kind === 'blacklist' ? (names.get(watchlist.blacklistId) ?? null) : null,
        trustValidationId,
        distance,
        similarityScore: similarityScore(calibration, distance),
        band: bandOf(calibration, distance),
        enrolledAt: enrolledAt.toISOString(),
      })),
    })),
  };
}
