import type { FastifyContextConfig, FastifyInstance, FastifyRequest } from 'fastify';
import type { z } from 'zod';
import type { CompanyId } from '../../contracts/ids.ts';
import { errorBody } from '../../contracts/uploads.ts';
import type { Caller } from '../../domain/credentials/bearer.ts';
import type { AuditContext } from '../../domain/ports/auditContext.ts';
import { callerOf } from './credentials.ts';
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
