import { randomUUID } from 'node:crypto';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import type {
  ApiTokens,
  HmacKeys,
  ReplayMemory,
  SignatureComparisons,
  SignaturePort,
  Uploads,
} from '../domain/ports.ts';
import type { Validations } from '../domain/screening/ports.ts';
import type { Verifications } from '../domain/screening/verifications.ts';
import { UploadIntake, type IntakePorts } from '../domain/uploads/intake.ts';
import { openDashboardDoor, type AccessPorts } from './access/index.ts';
import { answerError, logAnswers, unparsableAnswer } from './answers.ts';
import { meterBodies } from './bodyMeter.ts';
import { guardCredentials, guardScopes } from './credentials.ts';
import { dashboardRoutes, type DashboardPorts } from './dashboard/index.ts';
import { describeInterface } from './documentation.ts';
import { ApiError, sendApiError } from './errors.ts';
import { sealedFirst } from './seal.ts';
import { guardDoor } from './guards.ts';
import { rememberMethods } from './methods.ts';
import { limitRates } from './rateLimit.ts';
import { duplicateDetectionRoutes } from './routes/duplicateDetection.ts';
import { blacklistRoutes } from './routes/blacklists.ts';
import { healthRoutes } from './routes/health.ts';
import { signatureRoutes } from './routes/signatures.ts';
import { trustValidationRoutes } from './routes/trustValidations.ts';
import { verificationRoutes } from './routes/verifications.ts';

/** What the interface needs; `service.ts` passes the real things. */
export interface ApiPorts extends IntakePorts, AccessPorts {
  apiTokens: ApiTokens;
  hmacKeys: HmacKeys;
  replays: ReplayMemory;
  uploads: Uploads;
  validations: Validations;
  verifications: Verifications;
  signatures: SignaturePort;
  comparisons: SignatureComparisons;
  /** The product's version, for the interface description. */
  version: string;
  /** An upload was queued: wake whoever works on the queue. */
  accepted: () => void;
  /** Absent: the interface alone, without pages for people. */
  dashboard?: DashboardPorts;
}

/** A socket on which nothing moves for this long is closed; milliseconds. */
const IDLE_TIMEOUT = 60_000;
/** A whole request, body included, must have arrived within this time; milliseconds. */
const REQUEST_TIMEOUT = 15 * 60_000;
const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The HTTP interface, not yet listening. Every request passes, in this order: door (Host, Origin), credential, rate
 * limit, scope; only then is a byte of its body read. Every answer carries `X-Request-Id`, every refusal comes from the
 * table in errors.ts, and what nobody foresaw is logged and answered 503.
 */
export async function createApi(ports: ApiPorts): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    connectionTimeout: IDLE_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    http: { maxHeaderSize: MAX_HEADER_BYTES, requireHostHeader: false },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 100 },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      answerError(ports.log, error, request, reply);
    },
    clientErrorHandler: (error, socket) => {
      if (!socket.writable) socket.destroy(error);
      else socket.end(unparsableAnswer());
    },
  });
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(async (error, request, reply) => {
    answerError(ports.log, await sealedFirst(error, request), request, reply);
    return reply;
  });
  app.setNotFoundHandler((request, reply) => sendApiError(request, reply, new ApiError('NOT_FOUND')));

  app.addHook('onRequest', async (request, reply) => {
    void reply.header('x-request-id', request.id).header('cache-control', 'no-store');
    guardDoor(request);
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The loopback door speaks plain HTTP; a browser must not be told otherwise for all of localhost.
    strictTransportSecurity: false,
  });
  guardCredentials(app, ports);
  await limitRates(app, ports.site);
  guardScopes(app);
  meterBodies(app);
  logAnswers(app, ports.log);

  await describeInterface(app, ports.version);
  const methods = rememberMethods(app);
  const intake = new UploadIntake(ports);
  healthRoutes(app, ports);
  await openDashboardDoor(app, ports);
  await duplicateDetectionRoutes(app, { ...ports, intake });
  await blacklistRoutes(app, { ...ports, intake });
  await verificationRoutes(app, ports);
  trustValidationRoutes(app, ports);
  if (ports.dashboard !== undefined) await dashboardRoutes(app, { ...ports.dashboard, intake });
  await signatureRoutes(app, ports);
  methods.refuseOthers();
  return app;
}
