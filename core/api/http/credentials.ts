import { setImmediate } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Scope } from '../../contracts/codes.ts';
import { recogniseBearer, type Caller } from '../../domain/credentials/bearer.ts';
import { SignedRequests, type SignatureClaim } from '../../domain/credentials/signedRequests.ts';
import { hasBody } from './bodyMeter.ts';
import type { CallerLimits, CountRequest, UnauthenticatedLimits } from './callerLimits.ts';
import { ApiError } from './errors.ts';
import { PendingRequestSignature } from './requestSignature.ts';
import type { Parts } from '../../domain/serviceParts.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The route takes a multipart form of images; it reads the form itself, so no schema checks the body. */
    imageForm?: boolean;
    /** The scopes of which a credential needs one; `public` needs no credential. Every route states it. */
    access?: Scope | readonly Scope[] | 'public';
    /** The route takes no signed requests (signature matching). */
    bearerOnly?: boolean;
    /** Another body publishes the description of the route, so the description of this interface leaves it out. */
    describedBy?: 'OSIA';
    /** A public route that counts against the address of its caller. */
    countsAddress?: boolean;
  }
  interface FastifyRequest {
    /** Set by the guard, before any byte of the body is read; null on public routes. */
    caller: Caller | null;
    /** On a signed request. Unless it is proven by its head, `caller` is only claimed until this is verified. */
    seal: PendingRequestSignature | null;
    /** Of a token or a session: throws 401 or 403 when it has lost its right since the head of the request. */
    recheck: (() => Promise<void>) | null;
  }
}

interface GuardLimits {
  count: CountRequest;
  unauthenticated: UnauthenticatedLimits;
  callers: CallerLimits;
}

type CredentialPorts = Pick<
  Parts,
  'apiTokens' | 'hmacKeys' | 'replays' | 'installation' | 'clock' | 'crypto' | 'log'
>;

/**
 * Rejects requests to a route without a credential that has its scope. A route of the interface that
 * says nothing about its access stops the service from starting.
 *
 * A signed request is verified before its handler runs; the handler of an image form has to do that itself, between
 * spooling the form and accepting it (see uploadForm.ts). A request counts against its credential's limit as soon as
 * the credential is proven: a token at once, a signature when it is verified.
 */
export function guardCredentials(
  app: FastifyInstance,
  ports: CredentialPorts,
  { unauthenticated, callers, ...limits }: GuardLimits,
): void {
  const count: CountRequest = async (request, reply) => {
    await limits.count(request, reply);
    if (request.caller === null) return;
    const { companyId, credential: actor } = request.caller;
    callers.begin(request, reply, { companyId, actor });
  };
  const signedRequests = new SignedRequests(ports);
  app.decorateRequest('caller', null);
  app.decorateRequest('seal', null);
  app.decorateRequest('recheck', null);
  app.addHook('onRoute', ({ url, config, schema }) => {
    const access = config?.access;
    if (url.startsWith('/api/') && access === undefined)
      throw new Error(`Route ${url} does not say who may use it (config.access).`);
    const isHidden = schema === undefined || ('hide' in schema && config?.describedBy === undefined);
    if (access !== undefined && access !== 'public' && isHidden)
      throw new Error(`Route ${url} is for programs, so its schema belongs into the interface description.`);
  });
  app.addHook('onRequest', async (request, reply) => {
    const { access, bearerOnly, countsAddress } = request.routeOptions.config;
    if (countsAddress === true) await count(request, reply);
    if (access === undefined || access === 'public') return;
    if (!isSigned(request)) {
      // A body that came in one packet with the head has been parsed when this goes on.
      if (hasBody(request)) await setImmediate();
      const isWhole = request.raw.complete;
      request.caller = await acceptBearer(request, ports);
      if (!isWhole) request.recheck = async () => void (await acceptBearer(request, ports));
      unauthenticated.proven(request);
      await count(request, reply);
      return;
    }
    if (bearerOnly === true) throw new ApiError('UNAUTHENTICATED');
    request.caller = await acceptSigned(request, reply, { signedRequests, unauthenticated, count });
  });
  app.addHook('preValidation', async (request) => {
    if (request.routeOptions.config.imageForm !== true) await verifyAfterBody(request);
  });
}

/**
 * Checks at the end of the body that the request is genuine and its sender still has the right that was checked at its
 * head: a slow body must not outlast a revocation. A body that had arrived before a token was checked needs no second check.
 * @throws {ApiError} 401, 403, 429
 */
export async function verifyAfterBody(request: FastifyRequest): Promise<void> {
  await request.seal?.verify();
  if (hasBody(request)) await request.recheck?.();
}

/** Refuses who has no right to the route. A signed request hears of it once its signature is verified (requestSignature.ts). */
export function guardScopes(app: FastifyInstance): void {
  app.addHook('onRequest', (request, _reply, done) => {
    const { access } = request.routeOptions.config;
    if (request.caller === null || access === undefined || access === 'public') done();
    else if (request.caller.scopes.some((scope) => [access].flat().includes(scope))) done();
    else done(new ApiError('UNAUTHORIZED'));
  });
}

/** The caller of a route that is not public. */
export function callerOf(request: Pick<FastifyRequest, 'caller'>): Caller {
  if (request.caller === null) throw new Error('A public route has no caller.');
  return request.caller;
}

/** The token of the `Authorization` header; undefined: the header is missing or names another scheme. */
export function bearerTokenOf({ headers }: FastifyRequest): string | undefined {
  return /^Bearer +([\w-]{1,200})$/i.exec(headers.authorization ?? '')?.[1];
}

async function acceptBearer(request: FastifyRequest, ports: CredentialPorts): Promise<Caller> {
  const token = bearerTokenOf(request);
  const caller = token === undefined ? undefined : await recogniseBearer(ports, token);
  if (caller === undefined) throw new ApiError('UNAUTHENTICATED');
  return caller;
}

/** One of the three headers is enough: with it the signature decides, and nothing else can. */
function isSigned({ headers }: FastifyRequest): boolean {
  return ['x-hmac-signature', 'x-timestamp', 'x-user-id'].some((name) => headers[name] !== undefined);
}

async function acceptSigned(
  request: FastifyRequest,
  reply: FastifyReply,
  at: { signedRequests: SignedRequests; unauthenticated: UnauthenticatedLimits; count: CountRequest },
): Promise<Caller> {
  const claim = signatureClaim(request);
  const signed = claim && (await at.signedRequests.check(claim));
  if (signed === undefined) throw new ApiError('UNAUTHENTICATED');
  if (signed.kind === 'proven') {
    request.caller = signed.caller;
    at.unauthenticated.proven(request);
    await at.count(request, reply);
  } else if (hasBody(request)) at.unauthenticated.receive(request, reply);
  const seal = new PendingRequestSignature(request, signed, async () => {
    at.unauthenticated.proven(request);
    await at.count(request, reply);
  });
  if (signed.caller === undefined) {
    // An unknown user id is heard out as a known one is.
    await seal.verify();
    throw new ApiError('UNAUTHENTICATED');
  }
  request.seal = seal;
  return signed.caller;
}

/** The Idempotency-Key of a request; several headers count as one with a comma, as HTTP joins them. */
export function idempotencyKeyOf({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  const key = headers['idempotency-key'];
  return Array.isArray(key) ? key.join(',') : key;
}

function signatureClaim(request: FastifyRequest): SignatureClaim | undefined {
  const { headers, raw } = request;
  const signature = headers['x-hmac-signature'];
  const timestamp = headers['x-timestamp'];
  const userId = headers['x-user-id'];
  if (typeof signature !== 'string' || typeof timestamp !== 'string' || typeof userId !== 'string')
    return undefined;
  const announcedHash = headers['x-content-sha256'];
  return {
    signature,
    timestamp,
    userId,
    method: raw.method ?? '',
    target: raw.url ?? '',
    // Several headers of one name are no hash.
    announcedHash: Array.isArray(announcedHash) ? announcedHash.join() : announcedHash,
    contentType: headers['content-type'] ?? '',
    idempotencyKey: idempotencyKeyOf(request) ?? '',
  };
}
