import type { FastifyContextConfig, FastifyInstance, FastifyRequest, FastifySchema } from 'fastify';
import type { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { errorBody } from '../../contracts/uploads.ts';
import type { Caller } from '../../domain/credentials/bearer.ts';
import type { AuditContext, Company } from '../../domain/ports/auditContext.ts';
import type { Companies } from '../../storage/settings/companies.ts';
import { callingCompany } from './callingCompany.ts';
import { callerOf } from './credentials.ts';
import { refuseInvalidBody, type FieldErrors, type UncheckedBody } from './errors.ts';
import { programAct } from './personParts.ts';

/** A validated request of a program. */
interface ProgramRequest<P, Q, B> {
  companyId: CompanyId;
  caller: Caller;
  /** The action of the program now, for the audit log, with the key under which it can be repeated. */
  act: AuditContext;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  request: FastifyRequest;
}

interface ProgramRoute<P, Q, B, A> {
  /** Method and address: `GET /api/v3/persons`. */
  route: `${'DELETE' | 'GET' | 'PATCH' | 'POST'} /${string}`;
  config: FastifyContextConfig;
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  params?: P;
  querystring?: Q;
  body?: B;
  /** Of a success. */
  status?: 201 | 202;
  answer: A;
  message: string;
  /** Statuses of errors that this operation has of its own. */
  failures: readonly (404 | 409 | 422)[];
  handle: (asked: ProgramRequest<P, Q, B>) => Promise<Omit<z.output<A>, 'success' | 'message'>>;
}

/** Serves an operation of programs that takes and answers JSON, and describes it. */
export function serveProgram<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  A extends z.ZodType<object>,
>(app: FastifyInstance, operation: ProgramRoute<P, Q, B, A>): void {
  const { route, config, status = 200, answer, message, failures, handle, ...described } = operation;
  const [method = '', url = ''] = route.split(' ');
  const response = { [status]: answer, ...Object.fromEntries(failures.map((code) => [code, errorBody])) };
  app.route({
    method,
    url,
    config,
    schema: { ...described, response },
    handler: async (request, reply) => {
      const answered = await handle({
        companyId: callerOf(request).companyId,
        caller: callerOf(request),
        get act() {
          return programAct(request, app);
        },
        params: request.params as z.output<P>,
        query: request.query as z.output<Q>,
        body: request.body as z.output<B>,
        request,
      });
      return reply.code(status).send({ success: true, message, ...answered });
    },
  });
}

interface ImagePost<B, A> {
  url: string;
  config: FastifyContextConfig;
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  consumes?: string[];
  body: B;
  answer: A;
  /** Answers of errors that this operation has of its own, by status. */
  failures?: Readonly<Record<number, object>>;
  /** Faults of the images of a body that breaks a rule elsewhere; `most`: bytes that the company allows in one. */
  faultsOf?: (sent: UncheckedBody, most: number) => FieldErrors;
  handle: (asked: { company: Company; caller: Caller; body: z.output<B> }) => Promise<z.output<A>>;
}

/** Serves an operation that answers in a shape of its own, and describes it. */
export function servePost<B extends z.ZodType, A extends z.ZodType>(
  app: FastifyInstance,
  companies: Pick<Companies, 'find'>,
  operation: ImagePost<B, A>,
): void {
  const { url, config, answer, failures, faultsOf, handle, ...described } = operation;
  const schema: FastifySchema = { ...described, response: { 200: answer, ...failures } };
  app.route({
    method: 'POST',
    url,
    config,
    attachValidation: faultsOf !== undefined,
    schema,
    handler: async (request) => {
      const caller = callerOf(request);
      const company = await callingCompany(companies, caller);
      if (faultsOf !== undefined)
        refuseInvalidBody(request, (sent) => faultsOf(sent, company.settings.maxImageBytes));
      return handle({ company, caller, body: request.body as z.output<B> });
    },
  });
}
