import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import swagger from '@fastify/swagger';
import type { FastifyContextConfig, FastifyInstance } from 'fastify';
import { createJsonSchemaTransform, createJsonSchemaTransformObject } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { COMPANY_LIMITS, LIMIT_TEXTS } from '../../core/contracts/limits/limits.ts';
import { createApi } from '../../core/api/app.ts';
import { createAccessServices } from '../../core/domain/services.ts';
import { PassphraseHasher } from '../../core/domain/identity/passphrase.ts';
import { openHome, openStorage } from '../../core/storage/index.ts';
import type { PipelineId } from '../../core/contracts/ids.ts';
import { UnavailableError } from '../../core/domain/ports/machine.ts';
import type { RecognitionPort } from '../../core/domain/ports/recognition.ts';
import type { SignaturePort } from '../../core/domain/ports/signatures.ts';
import { EncounterService } from '../../core/domain/abis/encounters.ts';
import { ErasureService } from '../../core/domain/erasure/erasureService.ts';
import { GroupService } from '../../core/domain/duplicates/groups.ts';
import { DuplicateSearch } from '../../core/domain/duplicates/duplicateSearch.ts';
import { PersonService } from '../../core/domain/persons/personService.ts';
import { Verifications } from '../../core/domain/screening/verifications.ts';
import { openGallery } from '../../core/gallery/index.ts';
import { argon2id } from '../../core/platform/argon2.ts';
import { PLATFORM } from '../../core/platform/platform.ts';
import {
  COMPONENTS,
  completeOperation,
  INTERFACE_VERSION,
  nameSchemas,
  schemasUsed,
  shareParts,
  type Operation,
} from './operations.ts';

const BATCH = COMPANY_LIMITS.maxBatchImages;

const imageForm = z
  .object({
    'images[]': z
      .array(z.string().meta({ contentMediaType: 'application/octet-stream' }))
      .min(1)
      .max(BATCH.most)
      .describe(
        'JPEG or PNG files; also accepted as images[0], images[1]… and as images, repeated. The setting ' +
          `${LIMIT_TEXTS.maxBatchImages.label} of the company limits their number: ${BATCH.default} unless ` +
          `it was changed, from ${BATCH.least} to ${BATCH.most}. More are 422, and the message has the limit.`,
      ),
    persons: z
      .string()
      .optional()
      .describe(
        'JSON array with one entry for each photo, in their order: null, or {"name": …, "externalId": …} with one of the two ' +
          'or both. A photo joins the person that has the external ID, whose name stays; without one it becomes a person of its ' +
          'own. Persons are created when the photos are enrolled. Needs the scope persons:write as well.',
      ),
  })
  .meta({ id: 'ImageForm' });

/** Either of these: the entries of one object belong together. */
const BEARER = { bearer: [] };
const SIGNED_V1 = { userId: [], timestamp: [], signature: [] };
const SIGNED_V2 = { ...SIGNED_V1, contentHash: [] };

function header(name: string, description: string) {
  return { type: 'apiKey', in: 'header', name, description } as const;
}

/** One spelling of a route for Fastify (`/:id`) and OpenAPI (`/{id}`). */
function routeKey(method: string, path: string): string {
  return `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`;
}

const JSON_SCHEMAS: Parameters<typeof createJsonSchemaTransform>[0] = {
  zodToJsonConfig: {
    override: ({ jsonSchema }) => {
      // The highest safe integer of JavaScript is no limit of the interface.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // Responses may gain fields without breaking clients.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      // The union behind a type of its own only says how a form delivers the value.
      if (jsonSchema.type !== undefined) delete jsonSchema.anyOf;
    },
  },
};
const toJsonSchema = createJsonSchemaTransform(JSON_SCHEMAS);
/** Adds the schemas that have an id to the components. */
const withSchemas = createJsonSchemaTransformObject(JSON_SCHEMAS);

/** Makes `app.swagger()` describe the interface from the schemas of its routes, as OpenAPI 3.1. Call it before they are added. */
async function describeInterface(app: FastifyInstance): Promise<void> {
  nameSchemas();
  const routes = new Map<string, FastifyContextConfig>();
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Vouch',
        version: INTERFACE_VERSION,
        description:
          'Face duplicate detection, private blacklists and signature comparison on one site. ' +
          'A method that a path does not have is answered 405 with `Allow`; a path that is not described here, 404. ' +
          'Bytes that are not HTTP are answered 400, and headers that do not arrive in time 408.',
        license: { name: 'MIT', identifier: 'MIT' },
      },
      security: [BEARER, SIGNED_V1, SIGNED_V2],
      components: {
        ...COMPONENTS,
        securitySchemes: {
          bearer: { type: 'http', scheme: 'bearer', description: 'A token made in the dashboard.' },
          userId: header('X-USER-ID', 'Names the signing key.'),
          timestamp: header('X-TIMESTAMP', 'Unix seconds, within the window of the installation (300 s).'),
          signature: header(
            'X-HMAC-SIGNATURE',
            'Lowercase hex of HMAC_SHA256(secret, lines joined with "\\n", no line break at the end). ' +
              'Profile v1 has four lines: X-TIMESTAMP, METHOD, path with query, hex(sha256(raw body)). ' +
              'Profile v2 has six: X-TIMESTAMP, METHOD, path with query, X-CONTENT-SHA256, Content-Type, ' +
              'Idempotency-Key; the line of an absent header is empty. ' +
              'A signature is accepted once, except that GET and HEAD may be repeated within the window.',
          ),
          contentHash: header(
            'X-CONTENT-SHA256',
            'Profile v2 only: lowercase hex of SHA-256 over the raw body, of zero bytes where there is none. ' +
              'The signature is checked before the body is read.',
          ),
        },
      },
    },
    transform: (document) => {
      const { route, schema } = document;
      for (const method of [route.method].flat()) routes.set(routeKey(method, route.url), route.config ?? {});
      const { access, bearerOnly, imageForm: takesImages } = route.config ?? {};
      const described = toJsonSchema({
        ...document,
        schema:
          takesImages === true ? { ...schema, consumes: ['multipart/form-data'], body: imageForm } : schema,
      });
      const open = access === undefined || access === 'public';
      if (!open && bearerOnly !== true) return described;
      return { ...described, schema: { ...described.schema, security: open ? [] : [BEARER] } };
    },
    transformObject: (document) => {
      if (!('openapiObject' in document)) throw new Error('The interface is described as OpenAPI 3.1.');
      const { openapiObject } = document;
      const operations: Operation[] = [];
      const responses = {};
      for (const [path, methods] of Object.entries(openapiObject.paths ?? {}))
        for (const [method, operation] of Object.entries(methods ?? {}))
          if (typeof operation === 'object' && 'responses' in operation) {
            completeOperation(path, operation, routes.get(routeKey(method, path)) ?? {}, responses);
            operations.push(operation);
          }
      const parameters = { ...COMPONENTS.parameters };
      const answers = {};
      shareParts(operations, { schemas: answers, responses, parameters });
      const named = withSchemas(document);
      const all = { ...('components' in named ? named.components.schemas : {}), ...answers };
      const schemas = schemasUsed({ ...openapiObject, parameters, responses }, all);
      return Object.assign(openapiObject, {
        components: { ...openapiObject.components, parameters, responses, schemas },
      });
    },
  });
}

/** @returns the description of the interface as it is now, from the interface itself on an empty home */
export async function describedInterface(): Promise<object> {
  const folder = await mkdtemp(join(tmpdir(), 'vouch-openapi-'));
  const clock = { now: () => new Date() };
  const silent = () => undefined;
  const storage = await openStorage(openHome(folder), clock);
  const NO_PIPELINE = 'none' as PipelineId;
  /** Nothing is looked at while the interface is only described. */
  const blind: RecognitionPort = {
    workers: 0,
    pipelineOf: () => NO_PIPELINE,
    of: () => {
      throw new UnavailableError('There is no engine.');
    },
    calibrationOf: () => undefined,
    whenNotSwitching: () => Promise.resolve(),
  };
  const unavailable = () => Promise.reject(new UnavailableError('There is no engine.'));
  const converter = { convert: unavailable, tokenImage: unavailable };
  const log = { info: silent, warn: silent, error: silent };
  const matcher: SignaturePort = {
    modelVersion: 'none',
    compare: unavailable,
    compareKnown: unavailable,
    preparingOnce: () => {
      throw new UnavailableError('There is no engine.');
    },
    close: () => Promise.resolve(),
  };
  const gallery = await openGallery({ pipelineId: NO_PIPELINE }, storage, log);
  const groups = new GroupService({ ...storage, ...PLATFORM, clock });
  const verifications = new Verifications({ ...storage, vision: blind, gallery, clock, log });
  const personService = new PersonService({ ...storage, groups });
  const blacklistTransfer = { forgetWaiting: () => Promise.resolve() };
  const ports = { ...storage, vision: blind, gallery, clock, log, verifications, blacklistTransfer };
  const api = await createApi(
    {
      ...PLATFORM,
      ...storage,
      ...createAccessServices({
        ...storage,
        ...PLATFORM,
        hasher: new PassphraseHasher({ ...PLATFORM, hashing: argon2id() }),
        clock,
      }),
      verifications,
      vision: blind,
      recognition: blind,
      converter,
      readiness: () => Promise.reject(new UnavailableError('There is no service.')),
      groups,
      personService,
      encounterService: new EncounterService({
        ...ports,
        personService,
        pictures: converter,
        erasureService: new ErasureService(ports),
      }),
      duplicateSearch: new DuplicateSearch({
        ...storage,
        ...PLATFORM,
        gallery,
        recognition: blind,
        inProgress: () => 0,
        clock,
        log,
      }),
      signatures: matcher,
      clock,
      log,
      accepted: silent,
    },
    describeInterface,
  );
  try {
    await api.ready();
    return api.swagger();
  } finally {
    await api.close();
    await gallery.close();
    await storage.close();
    await rm(folder, { recursive: true });
  }
}
