import { DASHBOARD, type Operation } from '../../../contracts/dashboard/operation.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify';
import type { z } from 'zod';
import type { CompanyId } from '../../../contracts/ids.ts';
import type { AuditContext } from '../../../domain/ports/auditContext.ts';
import type { Clock } from '../../../domain/ports/machine.ts';
import { SESSION_COOKIE } from '../../../contracts/dashboard/session.ts';
import { mayRole } from '../../../domain/identity/roles.ts';
import type { SignedIn, SignInService } from '../../../domain/identity/signInService.ts';
import { ApiError } from '../../http/errors.ts';
import { imageOfAtMost, takeImage } from '../../http/sentImage.ts';
import type { CallerLimits, UnauthenticatedLimits } from '../../http/callerLimits.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Made by {@link serve}; without it a route under /api/dashboard rejects every request. */
    operator?: { needs: Needs; background: boolean };
  }
  interface FastifyInstance {
    clock: Clock;
  }
  interface FastifyRequest {
    /** Set by the guard on every dashboard route that needs a session. */
    operator: SignedIn | null;
    /** Whether the session was ended, or the operator has lost the permission, since the head of the request. */
    isWithdrawn: (() => Promise<boolean>) | null;
  }
}

type Needs = Operation<never, never, never, never>['needs'];
const SAFE_METHODS = ['GET', 'HEAD'];

/** Rejects requests to a dashboard route without a session whose role has its permission. */
export function guardDashboard(
  app: FastifyInstance,
  {
    signIn,
    unauthenticated,
    callers,
  }: { signIn: SignInService; unauthenticated: UnauthenticatedLimits; callers: CallerLimits },
): void {
  app.decorateRequest('operator', null);
  app.decorateRequest('isWithdrawn', null);
  app.addHook('onRequest', async (request, reply) => {
    if (request.routeOptions.url?.startsWith(`${DASHBOARD}/`) !== true) return;
    refuseOtherPages(request);
    const { operator: access } = request.routeOptions.config;
    if (access?.needs === 'none') return;
    const token = request.cookies[SESSION_COOKIE];
    const operator = token === undefined ? undefined : await signIn.holder(token, access?.background ?? true);
    if (operator === undefined || access === undefined) throw new ApiError('UNAUTHENTICATED');
    const needs = access.needs;
    request.operator = operator;
    unauthenticated.proven(request);
    callers.begin(request, reply, operator);
    request.recheck = async () => {
      const now = token === undefined ? undefined : await signIn.holder(token, true);
      if (now === undefined) throw new ApiError('UNAUTHENTICATED');
      // An answer to any role can depend on the role, as the permissions of an open page do.
      const isStill = needs === 'session' ? now.role === operator.role : mayRole(now.role, needs);
      if (!isStill) throw new ApiError('UNAUTHORIZED');
    };
    request.isWithdrawn = async () => {
      const role = await signIn.roleIn(operator.session);
      return role === undefined || (needs !== 'session' && !mayRole(role, needs));
    };
    if (needs === 'session') return;
    const verdict = signIn.verdict(operator, needs);
    if (verdict === 'refused') throw new ApiError('UNAUTHORIZED');
    if (verdict === 'unconfirmed') throw new ApiError('REAUTHENTICATE');
  });
}

/** The operator who is signed in, on a route that needs a session. */
export function operatorOf(request: FastifyRequest): SignedIn {
  if (request.operator === null) throw new Error('A route without a session has no operator.');
  return request.operator;
}

/** The part of an operation that only the service knows. */
interface Serving extends Pick<RouteShorthandOptions, 'bodyLimit' | 'onError' | 'preParsing'> {
  /** The body is a JPEG or PNG image of at most so many bytes. */
  image?: number;
  /** Sets the content types that the route takes instead of those of all routes. */
  takes?: (scope: FastifyInstance) => void;
}

/** A validated request. */
interface OperatorRequest<P, Q, B> {
  operator: SignedIn;
  /** The operator's company. */
  companyId: CompanyId;
  actor: SignedIn['actor'];
  /** The action of the operator now, for the audit log. */
  act: AuditContext;
  params: z.output<P>;
  query: z.output<Q>;
  body: z.output<B>;
  request: FastifyRequest;
  reply: FastifyReply;
}

/**
 * Serves an operation under {@link DASHBOARD}: `serve(app, workApi.queue, ({ companyId }) => …)`.
 * A handler that returns nothing answers 204, and one may send the answer by itself and return the reply. Secrets, exports
 * and erasure ask for a fresh passphrase by themselves (FRESH_PERMISSIONS). No credential of a program opens these routes.
 */
export function serve<P extends z.ZodType, Q extends z.ZodType, B extends z.ZodType, A extends z.ZodType>(
  app: FastifyInstance,
  operation: Operation<P, Q, B, A> & Serving,
  handle: (
    asked: OperatorRequest<P, Q, B>,
  ) => z.output<A> | FastifyReply | Promise<z.output<A> | FastifyReply>,
): void {
  const {
    method,
    path,
    needs,
    background = false,
    params,
    query,
    body,
    answer,
    status,
    ...serving
  } = operation;
  const { image, takes, ...options } = serving;
  const route = {
    method,
    url: `${DASHBOARD}${path}`,
    // No page asks with HEAD, and a HEAD request would write a whole backup for an answer without a body.
    exposeHeadRoute: false,
    config: { access: 'public' as const, operator: { needs, background } },
    schema: {
      hide: true,
      // Fastify warns on standard error of a schema that is there and undefined.
      ...(params && { params }),
      ...(query && { querystring: query }),
      ...(body && { body }),
      ...(answer && { response: { [status ?? 200]: answer } }),
    },
    ...options,
    handler: async (request: FastifyRequest, reply: FastifyReply) => {
      const answered = await handle({
        get operator() {
          return operatorOf(request);
        },
        get companyId() {
          return operatorOf(request).companyId;
        },
        get actor() {
          return operatorOf(request).actor;
        },
        get act() {
          return { by: operatorOf(request).actor, at: app.clock.now() };
        },
        params: request.params as z.output<P>,
        query: request.query as z.output<Q>,
        body: request.body as z.output<B>,
        request,
        reply,
      });
      if (answered === undefined) return reply.code(204).send();
      if (status !== undefined) void reply.code(status);
      return answered;
    },
  };
  const taking = image === undefined ? takes : takeImage;
  if (taking === undefined) return void app.route(route);
  void app.register((scope, _options, done) => {
    taking(scope);
    scope.route({ ...route, ...(image !== undefined && imageOfAtMost(image)) });
    done();
  });
}

/**
 * Only the dashboard's own pages may use its routes. SameSite=Strict is not enough: a page on another port of this
 * machine is of the same *site*, and its requests carry the cookie. A foreign `Origin` was refused by the guard; here
 * whatever changes something must have one, and a browser that says where a request comes from must say "here".
 */
function refuseOtherPages({ method, headers }: FastifyRequest): void {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new ApiError('UNAUTHORIZED');
  if (!SAFE_METHODS.includes(method) && headers.origin === undefined) throw new ApiError('UNAUTHORIZED');
}
