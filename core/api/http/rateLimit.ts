import rateLimit, { type FastifyRateLimitStore, type FastifyRateLimitStoreCtor } from '@fastify/rate-limit';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';
import { networkOf } from './network.ts';
import type { Installation } from '../../storage/settings/companies.ts';
import type { RequestCounts } from '../../storage/openEngine.ts';
import { errorOf } from '../../contracts/errors/problem.ts';

/**
 * Counts a request against its credential.
 * @throws {ApiError} 429, with `Retry-After` and the `X-RateLimit-*` headers
 */
export type CountRequest = (request: FastifyRequest, reply: FastifyReply) => Promise<void>;

/**
 * Requests of each credential over all routes, in a window of one minute. Only a credential that was proven is counted:
 * a caller who knows the public id of a signing key must not be able to use up its requests. Requests without a
 * credential count against the network that they come from.
 */
export async function createRateLimit(
  app: FastifyInstance,
  { installation, requestCounts }: { installation: Installation; requestCounts?: RequestCounts | undefined },
): Promise<CountRequest> {
  const store = requestCounts && storeOf(requestCounts);
  await app.register(rateLimit, { global: false, ...(store && { store }) });
  const count = app.createRateLimit({
    timeWindow: 60_000,
    max: async () => (await installation.settings()).requestsPerMinute,
    keyGenerator: (request) =>
      request.caller?.credential ?? `network:${networkOf(request.socket.remoteAddress)}`,
  });
  return async (request, reply) => {
    const limit = await count(request);
    if (limit.isAllowed) return;
    void reply.header('x-ratelimit-limit', limit.max).header('x-ratelimit-remaining', limit.remaining);
    if (!limit.isExceeded) return;
    void reply.header('retry-after', Math.max(1, limit.ttlInSeconds));
    throw new ApiError('TOO_MANY_ATTEMPTS');
  };
}

/** The counts of all services, as the library asks for them. */
function storeOf(counts: RequestCounts): FastifyRateLimitStoreCtor {
  return class implements FastifyRateLimitStore {
    incr(...[key, answer, window]: Parameters<FastifyRateLimitStore['incr']>): void {
      counts.count(key, window).then(
        ({ count, remaining }) => {
          answer(null, { current: count, ttl: remaining });
        },
        (error: unknown) => {
          answer(errorOf(error));
        },
      );
    }

    child(): this {
      return this;
    }
  };
}
