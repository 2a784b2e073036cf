import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Scope } from '../contracts/codes.ts';
import type { Authentication, Caller } from '../domain/authentication.ts';
import { ApiError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The scope that a credential needs for this route; `public` needs no credential. Every route says one. */
    access?: Scope | 'public';
  }
  interface FastifyRequest {
    /** Set by the guard, before any byte of the body is read; null on public routes. */
    caller: Caller | null;
  }
}

/**
 * Lets nobody through to a route without a credential that has its scope (contract §5). A route of the interface that
 * says nothing about its access stops the service from starting.
 */
export function guardCredentials(app: FastifyInstance, authentication: Authentication): void {
  app.decorateRequest('caller', null);
  app.addHook('onRoute', ({ url, config }) => {
    if (url.startsWith('/api/') && config?.access === undefined)
      throw new Error(`Route ${url} does not say who may use it (config.access).`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const { access } = request.routeOptions.config;
    if (access === undefined || access === 'public') return;
    const token = bearerToken(request);
    const caller = token === undefined ? undefined : await authentication.bearer(token);
    if (caller === undefined) {
      void reply.header('www-authenticate', 'Bearer');
      throw new ApiError('UNAUTHENTICATED');
    }
    request.caller = caller;
    if (!caller.scopes.includes(access)) throw new ApiError('UNAUTHORIZED');
  });
}

/** Who asks, on a route that is not public. */
export function callerOf(request: FastifyRequest): Caller {
  if (request.caller === null) throw new Error('A public route has no caller.');
  return request.caller;
}

function bearerToken(request: FastifyRequest): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(request.headers.authorization ?? '')?.[1];
}
