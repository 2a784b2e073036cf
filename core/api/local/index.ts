/**
 * The local socket: the routes of the dashboard with the local administrator as their operator, and the routes that only the
 * local administrator has. Only the account of the service can open the socket, so its callers need no other credential, no
 * session and no confirmation.
 */
import { DASHBOARD } from '../../contracts/dashboard/operation.ts';
import { localApi, COMPANY_HEADER, localOperations, type localRefusal } from '../../contracts/local.ts';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { serializerCompiler } from 'fastify-type-provider-zod';
import { trusted, type CompanyId } from '../../contracts/ids.ts';
import { CodedError, InvalidInput, problem, type Problem } from '../../contracts/errors/problem.ts';
import { installZodMessages } from '../../contracts/zodMessages.ts';
import { companyNamed } from '../http/callingCompany.ts';
import type { SignedIn } from '../../domain/identity/signInService.ts';
import { NoBackupKey } from '../../domain/ports/backup.ts';
import { UnavailableError, type Logger } from '../../domain/ports/machine.ts';
import type { z } from 'zod';
import { serve } from '../dashboard/access/guard.ts';
import { dashboardRoutes } from '../dashboard/index.ts';
import { meterBodies } from '../http/bodyMeter.ts';
import { BOUNDS } from '../http/bounds.ts';
import { ApiError, toApiError } from '../http/errors.ts';
import { takeJsonByDefault } from '../http/fieldForm.ts';
import { refuseNulCharacters, compileRequestSchema, readQuery, ZOD_SCHEMAS } from '../http/query.ts';
import { PATH_OPTIONS } from '../methods.ts';
import type { LocalPorts } from '../ports.ts';

/**
 * The application of the socket, not yet listening.
 * @param part of its routes, as {@link partOf} has it: a command waits until they are loaded
 */
export async function createLocalApi(ports: LocalPorts, part: string | null): Promise<FastifyInstance> {
  installZodMessages();
  const app = Fastify({
    exposeHeadRoutes: false,
    schemaController: ZOD_SCHEMAS,
    routerOptions: { ...PATH_OPTIONS, querystringParser: readQuery },
  });
  app.decorate('clock', ports.clock);
  takeJsonByDefault(app);
  refuseNulCharacters(app);
  app.setValidatorCompiler(compileRequestSchema);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler((error, request, reply) => answerError(ports.log, error, request, reply));
  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ message: 'There is no such operation. To list them: vouch api list' }),
  );
  meterBodies(app, BOUNDS);
  for (const name of ['operator', 'isWithdrawn', 'recheck', 'caller']) app.decorateRequest(name, null);
  app.addHook('onRequest', async (request) => {
    // The self-diagnosis is of no company, and tells by itself that the database does not answer.
    const isDiagnosis = request.routeOptions.url === `${DASHBOARD}/local/health`;
    const company = isDiagnosis ? problem('COMPANY_NONE') : await companyOf(ports.companies, request);
    request.operator = localAdministrator(company, ports.clock.now());
  });
  const operations: z.infer<typeof localOperations> = [];
  app.addHook('onRoute', ({ method, url }) => {
    const path = url.slice(DASHBOARD.length);
    operations.push(...[method].flat().map((each) => ({ method: each, path })));
  });
  await dashboardRoutes(app, ports, part);
  if (part === null || part === 'local') {
    const [{ installationRoutes }, { companyRoutes }] = await Promise.all([
      import('./installation.ts'),
      import('./company.ts'),
    ]);
    installationRoutes(app, ports);
    companyRoutes(app, ports);
  }
  serve(app, localApi.operations, () =>
    operations.toSorted((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method)),
  );
  await app.ready();
  return app;
}

/** The operator of every request on the socket. Reading the company of a request that names none is refused. */
function localAdministrator(company: CompanyId | Problem, now: Date): SignedIn {
  return {
    id: trusted.operator(0),
    name: 'local administrator',
    role: 'admin',
    actor: 'local-admin',
    confirmedAt: now,
    session: new Uint8Array(),
    get companyId() {
      if (typeof company === 'object') throw new CodedError(company);
      return company;
    },
  };
}

/** The company that a request names, or the only one of the installation; else why there is none. */
async function companyOf(
  companies: LocalPorts['companies'],
  { headers }: FastifyRequest,
): Promise<CompanyId | Problem> {
  const named = headers[COMPANY_HEADER];
  if (typeof named === 'string') return (await companyNamed(companies, decodeURIComponent(named))).id;
  const [only, ...others] = await companies.list();
  if (only === undefined) return problem('COMPANY_NONE');
  if (others.length === 0 && (await companies.count()) === 1) return only.id;
  const names = [only, ...others].map(({ name }) => `"${name}"`).join(', ');
  return problem('COMPANY_NOT_NAMED', { names });
}

/** Answers with the problem itself: the terminal prints its sentence, and its exit code follows from the status. */
function answerError(
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const send = (status: number, body: z.input<typeof localRefusal>) =>
    reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send(body);
  const refused = error instanceof UnavailableError ? undefined : refusalOf(error);
  if (refused !== undefined)
    return send(refused instanceof ApiError && refused.status >= 500 ? 503 : 422, {
      message: refused.message,
      ...refused.problem,
    });
  if (error instanceof NoBackupKey) return send(422, { message: error.message });
  log.error({ err: error, route: request.routeOptions.url }, 'a command failed');
  if (error instanceof UnavailableError) return send(503, { message: error.message });
  return send(500, {
    message:
      'The command failed unexpectedly. The log of the service has the details. Check the present state before you repeat the command, because the change might have been stored before the failure.',
  });
}

function refusalOf(error: unknown): CodedError | undefined {
  const refusal = error instanceof CodedError ? error : toApiError(error);
  return refusal instanceof ApiError && refusal.errors !== undefined
    ? new InvalidInput(Object.fromEntries([...refusal.errors].map(([key, found]) => [key, [...found]])))
    : refusal;
}
