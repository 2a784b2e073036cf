import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import helmet from '@fastify/helmet';
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { installZodMessages } from '../contracts/zodMessages.ts';
import { UploadIntake } from '../domain/enrolment/intake.ts';
import { registerSignIn } from './dashboard/access/index.ts';
import { answerError, answerSilence, correlationIdOf, logAnswers, unparsableAnswer } from './http/answers.ts';
import { meterBodies, paceBodies } from './http/bodyMeter.ts';
import { BOUNDS, type Bounds } from './http/bounds.ts';
import { CallerLimits, createRateLimit, UnauthenticatedLimits } from './http/callerLimits.ts';
import { Connections } from './http/connections.ts';
import { guardCredentials, guardScopes } from './http/credentials.ts';
import { dashboardPages } from './dashboard/pages.ts';
import { NO_PERMISSIONS } from './dashboard/pagePolicy.ts';
import { dashboardRoutes } from './dashboard/index.ts';
import { documentationPages } from './documentation.ts';
import { ApiError, sendApiError } from './http/errors.ts';
import { takeJsonByDefault } from './http/fieldForm.ts';
import { verifiedBeforeUse } from './http/requestSignature.ts';
import { refuseNulCharacters, compileRequestSchema, readQuery, ZOD_SCHEMAS } from './http/query.ts';
import { PATH_OPTIONS, refuseOtherMethods } from './methods.ts';
import { duplicateGroupRoutes } from './public/duplicateGroups.ts';
import { duplicateRunRoutes } from './public/duplicateRuns.ts';
import { personRoutes } from './public/persons.ts';
import { duplicateDetectionRoutes } from './public/duplicateDetection.ts';
import { blacklistRoutes } from './public/blacklists.ts';
import { healthRoutes, measureAnswers, metricsRoutes } from './public/health.ts';
import { signatureRoutes } from './public/signatures.ts';
import { osiaRoutes } from './public/osia.ts';
import { trustValidationRoutes } from './public/trustValidations.ts';
import { verificationRoutes } from './public/verifications.ts';
import type { ApiPorts, PublicPorts } from './ports.ts';
import type { RequestTurn, RequestTurns } from '../domain/ports/machine.ts';
import type { NetworkListenerServer } from './http/networkListener.ts';

/** The names under which a browser on this machine reaches the loopback listener. */
const LOOPBACK_NAMES = ['127.0.0.1', 'localhost'];

/** Headers that decide who asks and where. Of two of them Node reads the first, and a proxy before it may have read the other. */
const SINGLE = new Map([
  ['host', 'MISDIRECTED'],
  ['authorization', 'UNAUTHENTICATED'],
] as const);

/**
 * The request is meant for the listener that it came through (`Host` is exactly its address: a rebound DNS name
 * is not, and no target names another), and no page of another origin sent it.
 * @throws {ApiError} 421, 401, 403
 */
function guardHostAndOrigin(
  request: FastifyRequest,
  networkListener: NetworkListenerServer | undefined,
): void {
  const { protocol, socket, headers, raw } = request;
  const known = protocol === 'https' ? (networkListener?.names ?? []) : LOOPBACK_NAMES;
  const own = hostsOf(known, socket.localPort, protocol === 'https' ? 443 : 80);
  const names = raw.rawHeaders.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase());
  for (const [name, code] of SINGLE)
    if (names.indexOf(name) !== names.lastIndexOf(name)) throw new ApiError(code);
  // A target with another host counts before `Host` (RFC 9112, 3.2.2).
  const isPath = /^[/*]/.test(raw.url ?? '');
  if (!isPath || !own.includes(headers.host ?? '')) throw new ApiError('MISDIRECTED');
  const { origin } = headers;
  if (origin !== undefined && !own.some((host) => origin === `${protocol}://${host}`))
    throw new ApiError('UNAUTHORIZED');
}

/**
 * @param port where the request came in; undefined when it came through no port at all (a call inside the process)
 * @param usual the protocol's own port, which every client leaves out of `Host` and `Origin`
 */
function hostsOf(names: readonly string[], port: number | undefined, usual: number): readonly string[] {
  if (port === undefined || port === usual) return names;
  return names.map((name) => `${name}:${port}`);
}

/** The path of a target in absolute form, as some proxies send it, when it names the host of the request; else the target. */
function pathOf({ url = '', headers }: IncomingMessage): string {
  const [origin = '', host] = /^http:\/\/([^/?#]*)/i.exec(url) ?? [];
  return host === headers.host && url.charAt(origin.length) === '/' ? url.slice(origin.length) : url;
}

const MAX_HEADER_BYTES = 16 * 1024;

/**
 * The HTTP interface, not yet listening. Every request passes, in this order: guard (Host, Origin), credential, rate
 * limit, scope; only then is a byte of its body read (of a signed one before its rate limit: the signature covers it). Every answer carries `X-Request-Id`, every refusal comes from the
 * table in errors.ts, and an unforeseen error is logged and answered 500.
 * @param prepare is called before the routes are added
 */
export async function createApi(
  ports: ApiPorts,
  prepare?: (app: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
  installZodMessages();
  const bounds = { ...BOUNDS, ...ports.bounds };
  const heads = {
    maxHeaderSize: MAX_HEADER_BYTES,
    requireHostHeader: false,
    headersTimeout: bounds.head,
    connectionsCheckingInterval: bounds.head / 2,
  };
  const times = { keepAliveTimeout: bounds.idle, requestTimeout: bounds.request };
  const unparsable = (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (!socket.writable) socket.destroy(error);
    else socket.end(unparsableAnswer(error));
  };
  const app = Fastify({
    bodyLimit: 1024 * 1024,
    connectionTimeout: bounds.idle,
    ...times,
    http: heads,
    schemaController: ZOD_SCHEMAS,
    routerOptions: { ...PATH_OPTIONS, querystringParser: readQuery },
    genReqId: () => randomUUID(),
    forceCloseConnections: 'idle',
    frameworkErrors: (error, request, reply) => {
      void reply.header('x-request-id', request.id);
      answerError(ports.log, error, request, reply);
    },
    clientErrorHandler: unparsable,
    rewriteUrl: pathOf,
  });
  const connections = new Connections(bounds);
  connections.bound(app.server, false);
  app.addHook('preClose', (done) => {
    connections.endReceiving();
    done();
  });
  // An unknown expectation is no reason to reject (RFC 9110, 10.1.1); Node's own refusal has no envelope.
  app.server.on('checkExpectation', (request, response) => {
    app.routing(request, response);
  });
  ports.networkListener?.attach((request, response) => app.routing(request, response), {
    ...heads,
    ...times,
    handshakeTimeout: bounds.handshake,
    idle: bounds.idle,
    bound: (server) => {
      connections.bound(server, true);
    },
    unparsable,
  });
  // Streams to open screens have ended by then, so that nothing is cut.
  app.addHook('onClose', () => ports.networkListener?.shutDown());
  app.decorate('clock', ports.clock);
  takeJsonByDefault(app);
  refuseNulCharacters(app);
  app.setValidatorCompiler(compileRequestSchema);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(async (error, request, reply) => {
    answerError(ports.log, await verifiedBeforeUse(error, request), request, reply);
    return reply;
  });
  app.setNotFoundHandler((request, reply) => sendApiError(request, reply, new ApiError('NOT_FOUND')));

  answerSilence(app);
  if (ports.turns !== undefined) takeTurns(app, ports.turns);
  app.addHook('onRequest', (request, reply, done) => {
    void reply
      .header('x-request-id', request.id)
      .header('cache-control', 'no-store')
      .header('permissions-policy', NO_PERMISSIONS);
    const correlationId = correlationIdOf(request);
    if (correlationId !== undefined) void reply.header('x-correlation-id', correlationId);
    guardHostAndOrigin(request, ports.networkListener);
    done();
  });
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: { 'default-src': ["'none'"], 'frame-ancestors': ["'none'"] },
    },
    // The loopback listener speaks plain HTTP; a browser must not apply HTTPS rules to all of localhost.
    strictTransportSecurity: false,
  });
  // Before the guards: their response headers about an unauthenticated connection are kept.
  meterBodies(app, bounds);
  paceBodies(app, bounds);
  const unauthenticated = new UnauthenticatedLimits(app, { bounds, connections });
  const callers = new CallerLimits(bounds);
  guardCredentials(app, ports, { count: await createRateLimit(app, ports), unauthenticated, callers });
  callers.boundBodies(app);
  guardScopes(app);
  logAnswers(app, ports.log);
  if (ports.metrics !== undefined) measureAnswers(app, ports.metrics);

  await prepare?.(app);
  documentationPages(app);
  await addRoutes(app, { ...ports, intake: new UploadIntake(ports), unauthenticated, callers, bounds });
  return app;
}

/** The routes of programs and of the dashboard. */
async function addRoutes(
  app: FastifyInstance,
  ports: PublicPorts & { unauthenticated: UnauthenticatedLimits; callers: CallerLimits; bounds: Bounds },
): Promise<void> {
  const { bounds, intake, metrics } = ports;
  refuseOtherMethods(app);
  healthRoutes(app, ports);
  if (metrics !== undefined) metricsRoutes(app, { ...ports, metrics });
  await registerSignIn(app, ports);
  await duplicateDetectionRoutes(app, ports);
  await duplicateGroupRoutes(app, ports);
  await duplicateRunRoutes(app, ports);
  await personRoutes(app, ports);
  await blacklistRoutes(app, ports);
  await verificationRoutes(app, ports);
  trustValidationRoutes(app, ports);
  await osiaRoutes(app, ports);
  if (ports.dashboard !== undefined) {
    dashboardPages(app, ports.dashboard.pagesFolder);
    await dashboardRoutes(app, { ...ports, ...ports.dashboard, intake, bounds });
  }
  await signatureRoutes(app, ports);
}

/** Gives each request a turn in which settings are compared with the store of several services once. */
function takeTurns(app: FastifyInstance, turns: RequestTurns): void {
  const kept = new WeakMap<FastifyRequest, RequestTurn>();
  app.addHook('onRequest', (request, reply, done) => {
    const turn = turns.begin();
    kept.set(request, turn);
    reply.raw.once('close', () => {
      turn.end();
    });
    turn.run(done);
  });
  // A body is read by events of its connection, which know no turn.
  app.addHook('preValidation', (request, _reply, done) => {
    kept.get(request)!.run(done);
  });
}
