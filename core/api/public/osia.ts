/** The ABIS interface of OSIA over persons, encounters and searches (docs/guides/osia.md). */
import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import { z } from 'zod';
import {
  givenIds,
  OSIA,
  OSIA_LIMITS,
  osiaApi,
  plainQuery,
  type KeptEncounter,
  type OsiaCandidates,
  type OsiaEncounter,
  type OsiaOperation,
  type SentEncounter,
} from '../../contracts/osia.ts';
import { checked, CodedError, problem } from '../../contracts/errors/problem.ts';
import {
  encounterName,
  galleryName,
  type ComparedEncounter,
  type FoundPerson,
  type NewEncounter,
} from '../../domain/abis/encounters.ts';
import type { AuditContext, Company } from '../../domain/ports/auditContext.ts';
import { DEFAULT_FMR, scoreAtFmr } from '../../domain/scores/scores.ts';
import { recordSearch } from '../../domain/search/coverage.ts';
import { compareFaces } from '../../domain/search/faceComparison.ts';
import type { Encounter } from '../../storage/screening/encounters.ts';
import { callingCompany } from '../http/callingCompany.ts';
import { callerOf } from '../http/credentials.ts';
import { ApiError, invalidFields } from '../http/errors.ts';
import { takeJson } from '../http/fieldForm.ts';
import { imageOf } from '../http/sentImage.ts';
import type { PublicPorts } from '../ports.ts';

/** Bytes of a body beside its photos. */
const BESIDE = 64 * 1024;
const VENDOR = 'Vouch';
/** The measures of a face as one number, 0 to 100. */
const QUALITY_FORMAT = 'VOUCH';

/** A validated request of a company that has the interface on. */
interface Asked<P, Q, B> {
  company: Company;
  act: AuditContext;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
}
type Serve = <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  operation: OsiaOperation<P, Q, B, A>,
  handle: (asked: Asked<P, Q, B>) => Promise<z.output<A> | OneByOne<z.output<A>>>,
) => void;
/** The members of a list that is sent while it is read: with its photos it may be larger than the memory. */
type OneByOne<A> = A extends readonly (infer Member)[] ? AsyncIterable<Member> : never;

export async function osiaRoutes(app: FastifyInstance, ports: PublicPorts): Promise<void> {
  // Base64 makes four bytes of three.
  const photos = (count: number) => async (request: FastifyRequest) => {
    const { settings } = await callingCompany(ports.companies, callerOf(request));
    return count * 2 * settings.maxImageBytes + BESIDE;
  };
  const routes = (take: (scope: FastifyInstance) => void, add: (serve: Serve, ports: PublicPorts) => void) =>
    app.register((scope, _options, registered) => {
      take(scope);
      add(serveIn(scope, ports), ports);
      registered();
    });
  await routes((scope) => takeJson(scope, photos(1)), photoRoutes);
  await routes((scope) => takeJson(scope, photos(2)), pairRoute);
  await routes((scope) => takeJson(scope, () => BESIDE, 'list'), galleriesRoute);
  await routes(() => undefined, plainRoutes);
}

function serveIn(scope: FastifyInstance, ports: PublicPorts): Serve {
  return <P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
    operation: OsiaOperation<P, Q, B, A>,
    handle: (asked: Asked<P, Q, B>) => Promise<z.output<A> | OneByOne<z.output<A>>>,
  ) => {
    const { method, path, scope: access, params, query, body, answer } = operation;
    const status = operation.status ?? (answer === undefined ? 204 : 200);
    const schema: FastifySchema = {
      hide: true,
      ...(params !== undefined && { params }),
      querystring: query ?? plainQuery,
      ...(body !== undefined && { body }),
      ...(answer !== undefined && { response: { [status]: answer } }),
    };
    scope.route({
      method,
      url: OSIA + path,
      config: { access, describedBy: 'OSIA' },
      schema,
      handler: async (request, reply) => {
        const caller = callerOf(request);
        const company = await callingCompany(ports.companies, caller);
        if (!company.settings.osia) throw new ApiError('OSIA_DISABLED');
        const act = { by: caller.credential, at: ports.clock.now() };
        const sent = request as Pick<Asked<P, Q, B>, 'params' | 'query' | 'body'>;
        const asked = { params: sent.params, query: sent.query, body: sent.body, company, act };
        const made: unknown = await handle(asked).catch((error: unknown) => {
          const isUnknown = error instanceof CodedError && error.problem.code === 'NOT_FOUND';
          throw isUnknown && operation.hides404 === true ? new ApiError('ENCOUNTER_FIXED') : error;
        });
        if (answer === undefined) return reply.code(status).send();
        if (!isOneByOne(made)) return reply.code(status).send(made);
        return reply
          .code(status)
          .type('application/json; charset=utf-8')
          .send(Readable.from(listOf(made), { objectMode: false }));
      },
    });
  };
}

function isOneByOne(made: unknown): made is AsyncIterable<unknown> {
  return typeof made === 'object' && made !== null && Symbol.asyncIterator in made;
}

/** The JSON of a list, one member at a time. */
async function* listOf(members: AsyncIterable<unknown>): AsyncGenerator<string> {
  let before = '[';
  for await (const member of members) {
    yield before + JSON.stringify(member);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}

/** Requests with one photo, or with a filter. */
function photoRoutes(serve: Serve, ports: PublicPorts): void {
  const abis = ports.encounterService;
  const create = async (
    { company, act, body }: { company: Company; act: AuditContext; body: SentEncounter },
    personId: string,
    encounterId?: string,
  ) => {
    checked(givenIds, { personId, encounterId });
    const wanted = encounterOf(body, company.settings.maxImageBytes, encounterId);
    const { encounter } = await abis.create(company, personId, wanted, act);
    return { personId, encounterId: encounter };
  };
  serve(osiaApi.createEncounterNoIds, (asked) => create(asked, randomUUID()));
  serve(osiaApi.createEncounterNoId, (asked) => create(asked, asked.params.personId));
  serve(osiaApi.createEncounter, async (asked) => {
    await create(asked, asked.params.personId, asked.params.encounterId);
  });
  serve(osiaApi.updateEncounter, async ({ company, act, params: { personId, encounterId }, body }) => {
    const encounter = await abis.encounter(company.id, personId, encounterId);
    await abis.replace(company, encounter, encounterOf(body, company.settings.maxImageBytes), act);
  });
  serve(osiaApi.identify, async ({ company, act, params, query: { maxNbCand: limit, threshold }, body }) => {
    const watchlists = await abis.watchlists(company.id, params.galleryId);
    const probe = await abis.probe(company.id, photoOf(body.biometricData, company));
    return candidates(await abis.identify(company.id, [probe], { watchlists, limit, threshold }, act));
  });
  const identifyOthers = async (
    { company, act }: { company: Company; act: AuditContext },
    { galleryId, personId, encounterId }: { galleryId: string; personId: string; encounterId?: string },
    { maxNbCand: limit, threshold }: { maxNbCand: number; threshold?: number | undefined },
  ) => {
    const watchlists = await abis.watchlists(company.id, galleryId);
    const { encounters } = await abis.person(company.id, personId);
    const chosen =
      encounterId === undefined ? encounters : [await abis.encounter(company.id, personId, encounterId)];
    const probes = await abis.probesOf(company.id, chosen);
    const own = new Set(encounters.map(({ face }) => face));
    return candidates(await abis.identify(company.id, probes, { watchlists, limit, threshold }, act, own));
  };
  serve(osiaApi.identifyFromId, (asked) => identifyOthers(asked, asked.params, asked.query));
  serve(osiaApi.identifyFromEncounterId, (asked) => identifyOthers(asked, asked.params, asked.query));
  serve(osiaApi.verifyFromId, async ({ company, act, params: { galleryId, personId }, query, body }) => {
    const lists = await abis.watchlists(company.id, galleryId);
    const { encounters } = await abis.person(company.id, personId);
    const covered = new Set(
      lists.map((list) => galleryName({ blacklist: list.kind === 'duplicate' ? null : list.blacklistId })),
    );
    const among = encounters.filter((each) => covered.has(galleryName(each)));
    if (among.length === 0) throw new ApiError('NOT_FOUND');
    const probe = await abis.probe(company.id, photoOf(body.biometricData, company));
    const [found] = await abis.compare(company.id, [probe], among);
    const searched = { watchlists: lists, faces: among.length, began: act.at };
    await recordSearch(ports, act.by, company.id, searched);
    return { decision: isEnough(found, query.threshold), scores: (found?.compared ?? []).map(scoreOf) };
  });
}

/** The request with two photos. */
function pairRoute(serve: Serve, ports: PublicPorts): void {
  const abis = ports.encounterService;
  serve(osiaApi.verifyFromBio, async ({ company, act, query, body }) => {
    const pair = {
      image1: (await abis.picture(company.id, photoOf(body.biometricData1, company, 'biometricData1'))).image,
      image2: (await abis.picture(company.id, photoOf(body.biometricData2, company, 'biometricData2'))).image,
      templateId: 'osia',
      verificationId: query.transactionId,
    };
    const { similarity, band, certainty, reasons } = await compareFaces(ports, company, act.by, pair);
    const refused = reasons.image1 ?? reasons.image2;
    if (refused !== undefined) throw new ApiError(problem(refused));
    if (similarity === null || band === null || certainty === null)
      throw new Error('A comparison without a reason has a similarity.');
    const others = { band, falseMatchRate: certainty.falseMatchRate };
    const score = { score: similarity, biometricType: 'FACE' as const, others };
    return { decision: isEnough(score, query.threshold), scores: [score] };
  });
}

/** The request whose body is a list. */
function galleriesRoute(serve: Serve, { encounterService: abis }: PublicPorts): void {
  serve(osiaApi.updateEncounterGalleries, async ({ company, params: { personId, encounterId } }) => {
    const { blacklist } = await abis.encounter(company.id, personId, encounterId);
    if (blacklist !== null) throw new ApiError('ENCOUNTER_FIXED');
  });
}

/** Requests without a body. */
function plainRoutes(serve: Serve, { encounterService: abis, audit }: PublicPorts): void {
  serve(osiaApi.readAllEncounters, async ({ company, act, params: { personId } }) => {
    const { encounters } = await abis.person(company.id, personId);
    return (async function* () {
      for (const each of encounters) yield encounterBody(each, await abis.photo(company.id, each, act));
    })();
  });
  serve(osiaApi.readEncounter, async ({ company, act, params: { personId, encounterId } }) => {
    const found = await abis.encounter(company.id, personId, encounterId);
    return encounterBody(found, await abis.photo(company.id, found, act));
  });
  serve(osiaApi.readTemplate, async ({ company, act, params: { personId, encounterId }, query }) => {
    const found = await abis.encounter(company.id, personId, encounterId);
    const template = await abis.template(company.id, found);
    if (template === undefined) return [];
    const { pipelineId, vector } = template;
    const made = {
      biometricType: 'FACE' as const,
      template: Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString('base64'),
      templateFormat: `VOUCH ${pipelineId}`,
      ...qualityOf(found),
      algorithm: pipelineId,
    };
    const known = { ...found.kept?.face, ...made };
    const isAsked = (
      ['biometricType', 'biometricSubType', 'instance', 'templateFormat', 'qualityFormat'] as const
    ).every((field) => query[field] === undefined || query[field] === known[field]);
    if (!isAsked) return [];
    await audit.record(act, { company: company.id, action: 'image.read', object: `face:${found.face}` });
    return [made];
  });
  serve(osiaApi.deleteAll, async ({ company, act, params: { personId } }) => {
    await abis.erase(company.id, (await abis.person(company.id, personId)).encounters, act);
  });
  serve(osiaApi.deleteEncounter, async ({ company, act, params: { personId, encounterId } }) => {
    await abis.erase(company.id, [await abis.encounter(company.id, personId, encounterId)], act);
  });
  serve(osiaApi.mergeEncounter, ({ company, act, params: { personIdTarget, personIdSource } }) =>
    abis.merge(company.id, personIdTarget, personIdSource, act),
  );
  serve(
    osiaApi.moveEncounter,
    ({ company, act, params: { personIdTarget: target, personIdSource: source, encounterId } }) =>
      abis.move(company.id, { target, source, encounter: encounterId }, act),
  );
  serve(
    osiaApi.updateEncounterStatus,
    async ({ company, act, params: { personId, encounterId }, query: { status } }) => {
      const found = await abis.encounter(company.id, personId, encounterId);
      await abis.setActive(company, found, status === 'ACTIVE', act);
    },
  );
  serve(osiaApi.readGalleries, ({ company }) => abis.galleries(company.id));
  serve(osiaApi.readGalleryContent, ({ company, params: { galleryId }, query: { offset, limit } }) =>
    abis.page(company.id, galleryId, { offset, limit }),
  );
  for (const task of [osiaApi.readTaskStatus, osiaApi.redeliverTaskResult])
    serve(task, () => Promise.reject(new ApiError('NOT_FOUND')));
}

/** @throws {ApiError} the photo is none, or the fields are too long to be kept */
function encounterOf(sent: SentEncounter, most: number, id?: string): NewEncounter {
  const { encounterType, clientData, contextualData, biographicData, status, biometricData } = sent;
  const { biometricSubType, instance, captureDate, captureDevice, metadata, comment } = biometricData[0];
  const kept: KeptEncounter = {
    encounter: {
      ...(id !== undefined && { id }),
      encounterType,
      clientData,
      contextualData,
      biographicData,
      face: { biometricSubType, instance, captureDate, captureDevice, metadata, comment },
    },
  };
  if (JSON.stringify(kept).length > OSIA_LIMITS.details)
    throw invalidFields({ biographicData: [problem('ENCOUNTER_TOO_LONG', { most: OSIA_LIMITS.details })] });
  const file = imageOf(inDataUri(biometricData), most, 'biometricData.0.image');
  return { file, isActive: status === 'ACTIVE', kept };
}

function photoOf(
  sent: SentEncounter['biometricData'],
  { settings }: Company,
  field = 'biometricData',
): Uint8Array {
  return imageOf(inDataUri(sent), settings.maxImageBytes, `${field}.0.image`);
}

function inDataUri([{ image }]: SentEncounter['biometricData']): string {
  return `data:;base64,${image}`;
}

function encounterBody(
  encounter: Encounter,
  { content, format }: { content: Uint8Array; format: 'jpeg' | 'png' },
): OsiaEncounter {
  const { kept, isActive } = encounter;
  const {
    face,
    encounterType = 'ENROLMENT',
    id: _id,
    request: _request,
    original: _original,
    ...details
  } = kept ?? {};
  const encounterId = encounterName(encounter);
  return {
    ...details,
    encounterType,
    encounterId,
    status: isActive ? 'ACTIVE' : 'INACTIVE',
    galleries: [galleryName(encounter)],
    biometricData: [
      {
        ...face,
        biometricType: 'FACE',
        encounterId,
        image: Buffer.from(content).toString('base64'),
        mimeType: `image/${format}`,
        compression: format === 'jpeg' ? 'JPEG' : 'PNG',
        ...qualityOf(encounter),
      },
    ],
  };
}

function qualityOf({ quality }: Encounter) {
  return { quality: Math.round(quality), qualityFormat: QUALITY_FORMAT, vendor: VENDOR };
}

function scoreOf({ encounter, score, band, falseMatchRate }: ComparedEncounter) {
  return { score, biometricType: 'FACE' as const, encounterId: encounter, others: { band, falseMatchRate } };
}

function candidates(found: readonly FoundPerson[]): OsiaCandidates {
  return found.map(({ person, score, compared }, index) => ({
    personId: person,
    rank: index + 1,
    score,
    scores: compared.map(scoreOf),
  }));
}

function isEnough(
  best: Pick<ComparedEncounter, 'score'> | undefined,
  threshold = scoreAtFmr(DEFAULT_FMR),
): boolean {
  return best !== undefined && best.score >= threshold;
}
